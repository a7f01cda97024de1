package dev.retier.volume.serve;

import dev.retier.volume.Volume;

/**
 * A volume that a client has attached over a connection.
 *
 * @param use as {@link dev.retier.volume.session.Attachments} names it
 * @param epoch of the attachment, unsigned
 */
record Opened(long use, int epoch, Volume volume) {}
