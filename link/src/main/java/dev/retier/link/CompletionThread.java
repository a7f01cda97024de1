package dev.retier.link;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A completion queue and the one thread that serves it. The thread sleeps until the queue notifies it, so an idle node
 * costs nothing.
 *
 * <p>Thread-safe.
 */
final class CompletionThread implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CompletionThread.class);
    private static final int WAIT_MILLIS = 500;
    private static final long JOIN_MILLIS = 2000;

    private final Completions source;
    /** None if it is stepped by hand. */
    private final @Nullable Thread thread;

    private volatile boolean open = true;

    CompletionThread(Completions source, String owner, LinkConfig.Pace pace) {
        this.source = source;
        this.thread = pace.byHand()
                ? null
                : Thread.ofPlatform().name("state-cq-" + owner).daemon().start(this::serve);
    }

    /** The queue; only this object's thread drains it. */
    Completions completions() {
        return source;
    }

    /** Ends one that was made for a single connection, once that is over. */
    boolean endIfUnused() {
        boolean ends = source.isLeft();
        if (ends) {
            end();
        }
        return ends;
    }

    private void end() {
        open = false;
        if (thread == null) {
            source.destroy();
        } else {
            thread.interrupt();
        }
    }

    @Override
    public void close() {
        end();
        try {
            if (thread != null) {
                thread.join(JOIN_MILLIS);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** What the thread does, once and without waiting. */
    void step() {
        try {
            source.drain();
        } catch (IOException failed) {
            LOG.debug("the completion queue is gone: {}", failed.toString());
        }
    }

    private void serve() {
        try {
            while (open) {
                source.arm();
                source.drain();
                source.await(WAIT_MILLIS);
            }
        } catch (IOException failed) {
            if (open) {
                LOG.error("the completion queue failed: this node is seen by nobody any more; restart it", failed);
            }
        } finally {
            Thread.interrupted();
            source.destroy();
        }
    }
}
