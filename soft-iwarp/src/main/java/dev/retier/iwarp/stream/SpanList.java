package dev.retier.iwarp.stream;

import dev.retier.iwarp.memory.AccessResult;
import dev.retier.iwarp.memory.MemoryRegion;
import dev.retier.iwarp.mpa.FpduEncoder;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Pieces of registered memory that are acquired, so that they cannot be revoked before {@link #release}.
 * Owned by one thread at a time; reused.
 */
final class SpanList {
    private final MemoryRegion[] regions;
    private final long[] offsets;
    private final int[] lengths;
    /** Views of windows for {@link #referTo}, kept so that a stream in its stride makes no objects. */
    private final ByteBuffer[] viewed;

    private final ByteBuffer[] views;
    private int count;

    SpanList(int capacity) {
        regions = new MemoryRegion[capacity];
        offsets = new long[capacity];
        lengths = new int[capacity];
        viewed = new ByteBuffer[capacity];
        views = new ByteBuffer[capacity];
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
                boolean whole = bytes == lengths[i];
                encoder.refer(whole ? view(i, window).limit(from + bytes).position(from) : window.slice(from, bytes));
                done += bytes;
            }
        }
    }

    private ByteBuffer view(int index, ByteBuffer window) {
        ByteBuffer view = views[index];
        if (view == null || !isSame(viewed[index], window)) {
            view = window.duplicate();
            views[index] = view;
            viewed[index] = window;
        }
        return view.clear();
    }

    @SuppressWarnings("ReferenceEquality") // the same window, not one with the same bytes
    private static boolean isSame(@Nullable ByteBuffer one, ByteBuffer two) {
        return one == two;
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
