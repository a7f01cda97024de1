package dev.retier.volume.serve;

import dev.retier.volume.disk.PoolVolume;

/**
 * A volume that a client has attached over a connection.
 *
 * @param use as {@link dev.retier.volume.session.Attachments} names it
 * @param epoch of the attachment, unsigned; 0 of one for reading
 * @param line in which its requests wait
 */
record Opened(long use, int epoch, PoolVolume volume, DiskThreads.Line line) {
    boolean isForReading() {
        return epoch == 0;
    }
}
