package dev.retier.volume.connect;

import dev.retier.volume.VolumeName;
import java.util.Optional;

/**
 * What is known of a volume at this moment.
 *
 * @param number at its server
 * @param epoch of this attachment, unsigned: higher than that of any before
 * @param bytes its size
 * @param mostBytes of one request on the wire; what is longer is several
 * @param underWay how many of what was started have not ended
 * @param unflushedBytes that were answered and that no flush has brought to the disk, as far as is known here
 * @param failures changes and flushes that failed
 */
public record VolumeFacts(
        VolumeName name,
        int number,
        int epoch,
        long bytes,
        int mostBytes,
        int underWay,
        long unflushedBytes,
        long failures) {
    /**
     * What the failures may mean, if there are any: who wrote was told, but a system's cache of files, which writes for
     * programs, tells them by fsync(2) alone.
     */
    public Optional<String> lost() {
        return failures == 0
                ? Optional.empty()
                : Optional.of(failures + " writes or flushes failed: what programs wrote and did not sync is lost, look"
                        + " at it before you go on with it");
    }
}
