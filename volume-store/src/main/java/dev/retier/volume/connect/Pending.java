package dev.retier.volume.connect;

import dev.retier.volume.NoSpaceException;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What was asked of a volume and may not have ended yet. Memory that it reads into, or was lent to it, belongs to it
 * until then. Thread-safe.
 */
public final class Pending {
    private final Waiting waiting;
    private final Consumer<@Nullable IOException> whenOver;
    private final Runnable afterwards;
    private final boolean leavesAtOnce;
    private final CompletableFuture<@Nullable Void> end = new CompletableFuture<>();
    /** Parts that have not ended, and whoever asks for them. */
    private final AtomicInteger left = new AtomicInteger(1);

    private volatile @Nullable IOException failure;
    private volatile Ticket.@Nullable Ended result;

    /**
     * Of nothing yet.
     *
     * @param whenOver told once of its end, before others see it, with the session's lock held: must not block
     */
    Pending(Waiting waiting, Consumer<@Nullable IOException> whenOver) {
        this(waiting, whenOver, () -> {});
    }

    /** The same, with what is done when all can see its end. */
    Pending(Waiting waiting, Consumer<@Nullable IOException> whenOver, Runnable afterwards) {
        this(waiting, whenOver, afterwards, true);
    }

    private Pending(
            Waiting waiting, Consumer<@Nullable IOException> whenOver, Runnable afterwards, boolean leavesAtOnce) {
        this.leavesAtOnce = leavesAtOnce;
        this.waiting = waiting;
        this.whenOver = whenOver;
        this.afterwards = afterwards;
    }

    /** One for which no thread waits, which leaves with others; {@code whenOver} must not block. */
    static Pending told(Waiting waiting, Consumer<@Nullable IOException> whenOver) {
        waiting.begins();
        return new Pending(
                waiting,
                failure -> {
                    waiting.ends();
                    whenOver.accept(failure);
                },
                () -> {},
                false);
    }

    /** Whether it leaves when it is asked for; else with others. */
    boolean leavesAtOnce() {
        return leavesAtOnce;
    }

    /** One more part is asked for. */
    void part() {
        left.incrementAndGet();
    }

    /** All parts are asked for. */
    void begun() {
        over();
    }

    void done(Ticket.Ended how) {
        result = how;
        over();
    }

    void failed(IOException why) {
        if (failure == null || VolumeException.isLoss(why)) { // which no other part may hide
            failure = why;
        }
        over();
    }

    private void over() {
        if (left.decrementAndGet() == 0) {
            try {
                whenOver.accept(failure);
            } finally {
                end.complete(null);
                afterwards.run();
            }
        }
    }

    /** Whether it has ended, well or not: a look at a word of memory, which takes no answers and waits for nothing. */
    public boolean isDone() {
        return end.isDone();
    }

    /**
     * Waits for its end, as the volume's {@link CompletionMode} says, whoever interrupts.
     *
     * @throws IOException if it failed, or a part of it, which may have been done or not
     */
    public void await() throws IOException {
        waiting.until(end);
        IOException why = failure;
        if (why instanceof VolumeException known) {
            throw known.again();
        }
        if (why instanceof NoSpaceException) {
            throw new NoSpaceException(String.valueOf(why.getMessage()));
        }
        if (why != null) {
            throw new IOException(why.getMessage(), why);
        }
    }

    /** Waits for its end; what the last part brought. */
    Ticket.Ended result() throws IOException {
        await();
        Ticket.Ended how = result;
        if (how == null) {
            throw new IllegalStateException("it has no part");
        }
        return how;
    }
}
