package dev.retier.volume.serve;

import dev.retier.volume.NoSpaceException;
import dev.retier.volume.wire.Status;
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

    private final BlockingQueue<Consumer<Ended>> waiting = new LinkedBlockingQueue<>();
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

    /**
     * How it went.
     *
     * @param why it is not done, for people
     */
    record Ended(Status status, String why) {}

    /** Tells {@code done} when what was answered before is on the disk, or why it is not. */
    void flush(Consumer<Ended> done) {
        waiting.add(done);
    }

    private void work() {
        List<Consumer<Ended>> group = new ArrayList<>();
        try {
            while (!isClosed) {
                group.add(waiting.take());
                waiting.drainTo(group);
                Ended ended = forced();
                tally.forced(group.size());
                for (Consumer<Ended> done : group) {
                    tell(done, ended);
                }
                group.clear();
            }
        } catch (InterruptedException impossible) {
            throw new IllegalStateException("nobody interrupts it, as that would close the pool's files", impossible);
        }
    }

    private Ended forced() {
        try {
            force.run();
            return new Ended(Status.DONE, "");
        } catch (NoSpaceException full) { // of a pool that has brought nothing to the disk, and lost nothing
            return new Ended(Status.NO_SPACE, String.valueOf(full.getMessage()));
        } catch (IOException | RuntimeException | Error failed) {
            return new Ended(Status.IO_ERROR, failed.toString());
        }
    }

    private static void tell(Consumer<Ended> done, Ended ended) {
        try {
            done.accept(ended);
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
