package dev.retier.volume.serve;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings the journal to the disk: once for all that wait for that meanwhile. A thread of its own; thread-safe. */
final class Flusher {
    private static final Logger LOG = LoggerFactory.getLogger(Flusher.class);

    private final BlockingQueue<Consumer<String>> waiting = new LinkedBlockingQueue<>();
    private final Force force;
    private final Tally tally;
    private final Thread thread;
    /** Guarded by the thread. */
    private boolean isClosed;

    /** Brings all that was answered to the disk. */
    @FunctionalInterface
    interface Force {
        void run() throws IOException;
    }

    Flusher(Force force, Tally tally, ThreadFactory threads) {
        this.force = force;
        this.tally = tally;
        this.thread = threads.newThread(this::work);
        thread.start();
    }

    /** Tells {@code done} when what was answered before is on the disk: nothing, or why it is not. */
    void flush(Consumer<String> done) {
        waiting.add(done);
    }

    private void work() {
        List<Consumer<String>> group = new ArrayList<>();
        try {
            while (!isClosed) {
                group.add(waiting.take());
                waiting.drainTo(group);
                String failure = "";
                try {
                    force.run();
                } catch (IOException | RuntimeException | Error failed) {
                    failure = failed.toString();
                }
                tally.forced(group.size());
                for (Consumer<String> done : group) {
                    tell(done, failure);
                }
                group.clear();
            }
        } catch (InterruptedException impossible) {
            throw new IllegalStateException("nobody interrupts it, as that would close the pool's files", impossible);
        }
    }

    private static void tell(Consumer<String> done, String failure) {
        try {
            done.accept(failure);
        } catch (RuntimeException | Error fault) {
            LOG.error("the end of a flush could not be told", fault);
        }
    }

    /** Waits until all that was asked for is done. */
    void close() throws InterruptedException {
        waiting.add(_ -> isClosed = true);
        thread.join();
    }
}
