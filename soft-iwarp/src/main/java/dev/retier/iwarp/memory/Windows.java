package dev.retier.iwarp.memory;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Native memory as buffers of at most 1 GiB each, since a buffer cannot be longer than an int. Safe for any thread.
 */
final class Windows {
    static final long WINDOW_BYTES = 1L << 30;
    /** Views kept for reuse at most: more than one batch of a stream refers to. */
    private static final int KEPT_VIEWS = 32;

    private final ByteBuffer[] windows;
    /** The first window, at hand: nearly all memory has no other. */
    private final ByteBuffer first;

    private final boolean gathers;
    /** Views of the first window that nobody uses; made when first needed. */
    private volatile @Nullable AtomicReferenceArray<@Nullable ByteBuffer> spareViews;

    private Windows(ByteBuffer[] windows, boolean gathers) {
        this.windows = windows;
        this.first = windows[0];
        this.gathers = gathers;
    }

    /** Windows onto a segment of any size. */
    static Windows of(MemorySegment memory) {
        long length = memory.byteSize();
        ByteBuffer[] windows = new ByteBuffer[(int) Math.max(1, (length + WINDOW_BYTES - 1) / WINDOW_BYTES)];
        for (int i = 0; i < windows.length; i++) {
            long from = i * WINDOW_BYTES;
            windows[i] = bigEndian(
                    memory.asSlice(from, Math.min(WINDOW_BYTES, length - from)).asByteBuffer());
        }
        return new Windows(windows, false);
    }

    /** Windows onto a direct buffer, from 0 to its limit. */
    static Windows of(ByteBuffer memory) {
        int length = memory.limit();
        ByteBuffer[] windows = new ByteBuffer[(int) Math.max(1, (length + WINDOW_BYTES - 1) / WINDOW_BYTES)];
        for (int i = 0; i < windows.length; i++) {
            int from = (int) (i * WINDOW_BYTES);
            windows[i] = bigEndian(memory.slice(from, (int) Math.min(WINDOW_BYTES, length - from)));
        }
        return new Windows(windows, true);
    }

    private static ByteBuffer bigEndian(ByteBuffer buffer) {
        return buffer.order(ByteOrder.BIG_ENDIAN);
    }

    /**
     * Whether views may go into a gathering or scattering call. The JDK makes two objects per buffer of such a call if
     * the buffer comes from a segment, so those are copied from instead.
     */
    boolean gathers() {
        return gathers;
    }

    /** The first window; its position is 0 and stays so. */
    ByteBuffer first() {
        return first;
    }

    /** Copies {@code bytes} bytes of {@code source} from {@code at} to {@code offset}. */
    void put(long offset, ByteBuffer source, int at, int bytes) {
        for (int done = 0; done < bytes; ) {
            int count = upToEnd(offset + done, bytes - done);
            window(offset + done).put(inWindow(offset + done), source, at + done, count);
            done += count;
        }
    }

    /** Appends {@code bytes} bytes from {@code offset} to {@code target}. */
    void get(long offset, ByteBuffer target, int bytes) {
        for (int done = 0; done < bytes; ) {
            int count = upToEnd(offset + done, bytes - done);
            int position = target.position();
            target.put(position, window(offset + done), inWindow(offset + done), count);
            target.position(position + count);
            done += count;
        }
    }

    /** Whether {@link #borrow} can show these bytes. */
    boolean inOneView(long offset, int bytes) {
        return offset + bytes <= WINDOW_BYTES;
    }

    /** A view of {@code bytes} bytes from {@code offset}, the caller's own until it gives it back. */
    ByteBuffer borrow(long offset, int bytes) {
        ByteBuffer view = spare();
        return view.limit((int) offset + bytes).position((int) offset);
    }

    private ByteBuffer spare() {
        AtomicReferenceArray<@Nullable ByteBuffer> kept = spareViews;
        if (kept != null) {
            for (int i = 0; i < KEPT_VIEWS; i++) {
                ByteBuffer view = kept.getPlain(i) == null ? null : kept.getAndSet(i, null);
                if (view != null) {
                    return view.clear();
                }
            }
        }
        return first.duplicate().order(ByteOrder.BIG_ENDIAN);
    }

    /** Gives a view back. */
    void giveBack(ByteBuffer view) {
        AtomicReferenceArray<@Nullable ByteBuffer> kept = spareViews;
        if (kept == null) {
            kept = new AtomicReferenceArray<>(KEPT_VIEWS);
            spareViews = kept;
        }
        for (int i = 0; i < KEPT_VIEWS; i++) {
            if (kept.getPlain(i) == null && kept.compareAndSet(i, null, view)) {
                return;
            }
        }
    }

    private static int upToEnd(long offset, int bytes) {
        return (int) Math.min(bytes, WINDOW_BYTES - offset % WINDOW_BYTES);
    }

    private ByteBuffer window(long offset) {
        return windows[(int) (offset / WINDOW_BYTES)];
    }

    private static int inWindow(long offset) {
        return (int) (offset % WINDOW_BYTES);
    }
}
