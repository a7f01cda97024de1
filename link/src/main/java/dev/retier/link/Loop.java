package dev.retier.link;

import java.io.IOException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One thread that does the same again and again until it is stopped, and then frees what it has used; where there are
 * to be no threads, somebody else takes the turns. Thread-safe.
 */
final class Loop implements AutoCloseable {
    private static final long JOIN_MILLIS = 5000;

    private final Turn turn;
    private final Runnable free;
    private final Consumer<Throwable> failed;
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
     * @param failed is told why a turn failed, after which there are no more
     */
    Loop(String name, LinkConfig.Pace pace, Turn turn, Runnable free, Consumer<Throwable> failed) {
        this.turn = turn;
        this.free = free;
        this.failed = failed;
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
        } catch (IOException | RuntimeException | Error why) {
            if (open) {
                failed.accept(why);
            }
        } finally {
            Thread.interrupted();
            free.run();
        }
    }
}
