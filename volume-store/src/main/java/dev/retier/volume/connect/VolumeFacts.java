package dev.retier.volume.connect;

import dev.retier.volume.VolumeName;

/**
 * What is known of a volume at this moment.
 *
 * @param number at its server
 * @param epoch of this attachment, unsigned: higher than that of any before
 * @param bytes its size
 * @param mostBytes of one request on the wire; what is longer is several
 * @param underWay how many of what was started have not ended
 * @param unflushedBytes that were answered and that no flush has brought to the disk, as far as is known here
 */
public record VolumeFacts(
        VolumeName name, int number, int epoch, long bytes, int mostBytes, int underWay, long unflushedBytes) {}
