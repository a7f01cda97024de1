package dev.retier.iwarp.stream;

import dev.retier.iwarp.memory.AccessResult;
import dev.retier.iwarp.memory.MemoryRegion;
import dev.retier.iwarp.mpa.FpduEncoder;
import java.nio.ByteBuffer;

/**
 * Pieces of registered memory that are acquired, so that they cannot be revoked before {@link #release}.
 * Owned by one thread at a time; reused.
 */
final class SpanList {
    private final MemoryRegion[] regions;
    private final long[] offsets;
    private final int[] lengths;
    private int count;

    SpanList(int capacity) {
        regions = new MemoryRegion[capacity];
        offsets = new long[capacity];
        lengths = new int[capacity];
    }

    /** Acquires one piece. On any result but GRANTED nothing was added. */
    AccessResult add(LocalMemory memory, int stag, int rights, long offset, int bytes) {
        MemoryRegion region = memory.table().find(stag);
        if (region == null) {
            return AccessResult.INVALID_STAG;
        }
        AccessResult result = region.check(memory.who(), rights, offset, bytes);
        if (result != AccessResult.GRANTED) {
            return result;
        }
        if (!region.acquire()) {
            return AccessResult.INVALID_STAG;
        }
        regions[count] = region;
        offsets[count] = offset;
        lengths[count] = bytes;
        count++;
        return AccessResult.GRANTED;
    }

    /** Copies all pieces behind each other to the end of {@code target}. */
    void copyTo(ByteBuffer target) {
        for (int i = 0; i < count; i++) {
            regions[i].get(offsets[i], target, lengths[i]);
        }
    }

    /** Fills all pieces from {@code source}, starting at {@code at}. */
    void copyFrom(ByteBuffer source, int at) {
        int done = 0;
        for (int i = 0; i < count; i++) {
            regions[i].put(offsets[i], source, at + done, lengths[i]);
            done += lengths[i];
        }
    }

    /** Hands all pieces to the encoder by reference. */
    void referTo(FpduEncoder encoder) {
        for (int i = 0; i < count; i++) {
            int done = 0;
            while (done < lengths[i]) {
                ByteBuffer window = regions[i].window(offsets[i] + done);
                int from = regions[i].inWindow(offsets[i] + done);
                int bytes = Math.min(lengths[i] - done, window.capacity() - from);
                encoder.refer(window.slice(from, bytes));
                done += bytes;
            }
        }
    }

    int count() {
        return count;
    }

    /** Ends the access to all pieces. */
    void release() {
        for (int i = 0; i < count; i++) {
            regions[i].release();
        }
        count = 0;
    }
}
