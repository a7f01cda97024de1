package dev.retier.traces.worldcup;

import java.io.IOException;
import java.io.InputStream;

/**
 * Cuts a byte stream into records of 20 bytes, in blocks, without an object per record. One thread.
 *
 * <p>After {@code next()} returned true, the record lies in {@link #bytes()} at {@link #offset()} until the next call.
 */
final class WorldCupBlocks {
    /** A multiple of the record length, and large enough that a read costs little beside the decoding. */
    private static final int BLOCK_BYTES = WorldCupRecord.LENGTH_BYTES * 13_107;

    private final InputStream in;
    private final byte[] block = new byte[BLOCK_BYTES];
    private int offset = -WorldCupRecord.LENGTH_BYTES;
    private int filled;
    private int tailBytes;
    private boolean ended;

    WorldCupBlocks(InputStream in) {
        this.in = in;
    }

    /** Moves to the next whole record; false at the end of the input. */
    boolean next() throws IOException {
        offset += WorldCupRecord.LENGTH_BYTES;
        return offset + WorldCupRecord.LENGTH_BYTES <= filled || refill();
    }

    byte[] bytes() {
        return block;
    }

    int offset() {
        return offset;
    }

    /** Bytes after the last whole record; meaningful once {@code next()} has returned false. */
    int tailBytes() {
        return tailBytes;
    }

    private boolean refill() throws IOException {
        if (ended) {
            offset = filled;
            return false;
        }
        filled = in.readNBytes(block, 0, BLOCK_BYTES);
        ended = filled < BLOCK_BYTES;
        tailBytes = filled % WorldCupRecord.LENGTH_BYTES;
        filled -= tailBytes;
        offset = 0;
        return filled > 0;
    }
}
