package dev.retier.volume.connect;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Of a volume that flushes by itself when too much of it was answered and not flushed. Thread-safe. */
final class UnflushedLimit {
    private final long bytes;
    private final Supplier<Pending> flush;
    private final Consumer<Pending> ask;
    private final Runnable post;
    private volatile long keptBytes;
    /** The last flush that was not asked for. */
    private final AtomicReference<@Nullable Pending> bringing = new AtomicReference<>();

    /**
     * With more than {@code bytes} it flushes, with more than twice as many whoever writes waits for that.
     *
     * @param flush a new one
     * @param ask asks the server for it
     * @param post what was asked for leaves
     */
    UnflushedLimit(long bytes, Supplier<Pending> flush, Consumer<Pending> ask, Runnable post) {
        this.bytes = bytes;
        this.flush = flush;
        this.ask = ask;
        this.post = post;
    }

    /** So many bytes are kept now. */
    void kept(long now) {
        keptBytes = now;
    }

    /** Something is about to be changed. */
    void await() throws IOException {
        if (keptBytes <= bytes) {
            return;
        }
        Pending last = bringing.get();
        if (last == null || last.isDone()) {
            Pending next = flush.get();
            if (bringing.compareAndSet(last, next)) {
                ask.accept(next);
                post.run();
            }
        }
        last = bringing.get();
        if (last != null && keptBytes > 2 * bytes) {
            post.run();
            last.await();
        }
    }
}
