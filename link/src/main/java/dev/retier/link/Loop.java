package dev.retier.link;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One thread that does the same again and again until it is stopped, and then frees what it has used; where there are
 * to be no threads, somebody else takes the turns. Thread-safe.
 */
final class Loop implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Loop.class);
    private static final long JOIN_MILLIS = 5000;

    private final Turn turn;
    private final Runnable free;
    private final String loss;
    /** None if the turns are taken by hand. */
    private final @Nullable Thread thread;

    private volatile boolean open = true;

    /** What is done; it waits for what is to come, and throws if it is interrupted. */
    interface Turn {
        void run() throws IOException;
    }

    /**
     * Begins, unless {@code pace} is by hand.
     *
     * @param loss what it means if a turn fails, for people
     */
    Loop(String name, LinkConfig.Pace pace, Turn turn, Runnable free, String loss) {
        this.turn = turn;
        this.free = free;
        this.loss = loss;
        this.thread =
                pace.byHand() ? null : Thread.ofPlatform().name(name).daemon().start(this::run);
    }

    /** Ends it, soon. */
    void stop() {
        open = false;
        if (thread == null) {
            free.run();
        } else {
            thread.interrupt();
        }
    }

    /** Ends it, and waits for that. */
    @Override
    public void close() {
        stop();
        try {
            if (thread != null) {
                thread.join(JOIN_MILLIS);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            while (open) {
                turn.run();
            }
        } catch (IOException | RuntimeException | Error failed) {
            if (open) {
                LOG.error("{}; restart it", loss, failed);
            }
        } finally {
            Thread.interrupted();
            free.run();
        }
    }
}
