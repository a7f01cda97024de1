package dev.retier.state.verbs;

import com.ibm.disni.verbs.IbvContext;
import java.io.IOException;
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
    private static final int MAX_FAULTS = 100;

    private final Completions source;
    private final Thread thread;
    private volatile boolean open = true;
    /** Owned by the completion thread. */
    private int faults;

    CompletionThread(IbvContext context, int capacity, String owner) throws IOException {
        source = new Completions(context, capacity);
        thread = Thread.ofPlatform().name("state-cq-" + owner).daemon().start(this::serve);
    }

    /** The queue; only this object's thread drains it. */
    Completions completions() {
        return source;
    }

    @Override
    public void close() {
        open = false;
        thread.interrupt();
        try {
            thread.join(JOIN_MILLIS);
            source.destroy();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void serve() {
        try {
            while (open) {
                source.arm();
                survive();
                source.await(WAIT_MILLIS);
            }
        } catch (IOException failed) {
            if (!open) {
                return;
            }
            LOG.error("the completion queue failed: this node is seen by nobody any more; restart it", failed);
        }
    }

    /** A fault in one connection's handling must not blind this node to all others; a lasting fault must show. */
    private void survive() throws IOException {
        try {
            source.drain();
            faults = 0;
        } catch (RuntimeException fault) {
            faults++;
            LOG.error("a completion could not be handled ({} in a row)", faults, fault);
            if (faults == MAX_FAULTS) {
                throw fault;
            }
        }
    }
}
