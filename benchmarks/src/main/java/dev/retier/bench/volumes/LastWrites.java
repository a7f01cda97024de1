package dev.retier.bench.volumes;

import dev.retier.volume.Volume;
import java.nio.ByteBuffer;

/**
 * What a volume holds, told by the number of the last write of each of its blocks: the bytes of a block come of the
 * volume, the block and that number. A block that was changed in part is not known until it is written as a whole.
 * Pure; not thread-safe.
 */
final class LastWrites {
    private static final int ZEROS = 0;
    private static final int UNKNOWN = -1;
    /** As SplitMix64 has it: it brings near numbers far from each other. */
    private static final long GOLDEN = 0x9E37_79B9_7F4A_7C15L;

    private static final long SECOND = 0xBF58_476D_1CE4_E5B9L;

    private final int volume;
    private final int[] last;
    private int writes;

    /** Of one of zeros, with so many bytes. */
    LastWrites(int volume, long bytes) {
        this.volume = volume;
        this.last = new int[Math.toIntExact(bytes / Volume.BLOCK_BYTES)];
    }

    /** How many blocks it has. */
    int blocks() {
        return last.length;
    }

    /** The next write begins at {@code offset}: fills {@code data} with what it brings. */
    void write(long offset, ByteBuffer data) {
        writes++;
        long end = offset + data.remaining();
        int start = data.position();
        for (long at = offset; at < end; ) {
            int block = (int) (at / Volume.BLOCK_BYTES);
            int until = (int) Math.min(end - offset, (block + 1L) * Volume.BLOCK_BYTES - offset);
            int from = (int) (at - offset);
            fill(data.slice(start + from, until - from), block, writes);
            last[block] = until - from == Volume.BLOCK_BYTES ? writes : UNKNOWN;
            at = offset + until;
        }
    }

    /** This range was made zeros. */
    void zero(long offset, long bytes) {
        long end = offset + bytes;
        for (long at = offset; at < end; ) {
            int block = (int) (at / Volume.BLOCK_BYTES);
            long until = Math.min(end, (block + 1L) * Volume.BLOCK_BYTES);
            boolean isZeros = until - at == Volume.BLOCK_BYTES || last[block] == ZEROS;
            last[block] = isZeros ? ZEROS : UNKNOWN;
            at = until;
        }
    }

    /** Whether it is known what a block holds. */
    boolean isKnown(int block) {
        return last[block] != UNKNOWN;
    }

    /** Whether {@code data}, all of a block, is what that block holds. */
    boolean holds(int block, ByteBuffer data) {
        ByteBuffer expected = ByteBuffer.allocate(Volume.BLOCK_BYTES);
        if (last[block] != ZEROS) {
            fill(expected.duplicate(), block, last[block]);
        }
        return expected.equals(data);
    }

    private void fill(ByteBuffer into, int block, int write) {
        long word = GOLDEN * ((long) volume << Integer.SIZE | block) ^ SECOND * write;
        while (into.remaining() >= Long.BYTES) {
            word = (word + GOLDEN) * SECOND;
            word ^= word >>> Integer.SIZE;
            into.putLong(word);
        }
        while (into.hasRemaining()) {
            into.put((byte) write);
        }
    }
}
