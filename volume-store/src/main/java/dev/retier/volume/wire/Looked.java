package dev.retier.volume.wire;

import dev.retier.volume.pool.Geometry;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a look at a part of a volume has found. As an answer has it: next block 8, bytes 8, the blocks 8 each.
 *
 * @param next the block to go on with; that behind the last one if it was the last part
 * @param bytes of a scrub those that were read; of a trim those that are not kept any more
 * @param blocks of a scrub those that are not what was written, at most {@value #MOST_BLOCKS}
 */
public record Looked(long next, long bytes, List<Long> blocks) {
    /** A part with more ends there. */
    public static final int MOST_BLOCKS = 256;

    private static final int HEADER_BYTES = 2 * Long.BYTES;

    /** Keeps its own copy. */
    public Looked {
        blocks = List.copyOf(blocks);
    }

    /** Whether that is all of a volume of that size. */
    public boolean isLast(long volumeBytes) {
        return next >= Geometry.blocks(volumeBytes);
    }

    /** Appends it, for which there is room. */
    public void put(ByteBuffer into) {
        into.order(ByteOrder.LITTLE_ENDIAN).putLong(next).putLong(bytes);
        blocks.forEach(into::putLong);
    }

    /** All of {@code from}, if it can be. */
    public static Optional<Looked> parse(ByteBuffer from) {
        ByteBuffer fields = from.slice().order(ByteOrder.LITTLE_ENDIAN);
        int length = fields.remaining();
        if (length < HEADER_BYTES || length % Long.BYTES != 0 || length > HEADER_BYTES + MOST_BLOCKS * Long.BYTES) {
            return Optional.empty();
        }
        long next = fields.getLong();
        long bytes = fields.getLong();
        List<Long> blocks = new ArrayList<>();
        while (fields.hasRemaining()) {
            blocks.add(fields.getLong());
        }
        boolean isPossible = next > 0 && bytes >= 0 && blocks.stream().allMatch(block -> block >= 0);
        return isPossible ? Optional.of(new Looked(next, bytes, blocks)) : Optional.empty();
    }
}
