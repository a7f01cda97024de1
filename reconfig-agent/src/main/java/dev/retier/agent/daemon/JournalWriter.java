package dev.retier.agent.daemon;

import dev.retier.agent.ReconfigException;
import dev.retier.agent.journal.Journal;
import dev.retier.agent.loop.LoopEvent;
import dev.retier.agent.move.MoveRecord;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes the journal, which is its own from then on, on a thread of its own, in order, and tells how each record came
 * out. Thread-safe.
 */
final class JournalWriter {
    private static final long LAST_SECONDS = 2;
    private static final long RETRY_NANOS = 5_000_000_000L;

    private final Journal journal;
    private final Consumer<LoopEvent> told;
    private final ExecutorService thread;
    /** The newest record, while it is not on disk. */
    private volatile @Nullable MoveRecord lost;

    private volatile boolean isMended;
    private long triedNanos;

    JournalWriter(String node, Journal journal, Consumer<LoopEvent> told) {
        this.journal = journal;
        this.told = told;
        this.thread = Executors.newSingleThreadExecutor(
                Thread.ofPlatform().name("retier-journal-" + node).daemon().factory());
    }

    /** Returns at once. */
    void append(MoveRecord entry) {
        thread.execute(() -> told.accept(new LoopEvent.Journalled(entry, problem(entry))));
    }

    private @Nullable String problem(MoveRecord entry) {
        try {
            journal.append(entry);
            lost = null;
            return null;
        } catch (ReconfigException e) {
            isMended = false;
            lost = entry;
            return String.valueOf(e.getMessage());
        }
    }

    /**
     * While the newest record is not on disk, tries every five seconds whether it could be now, as it may be long until
     * the next one. Called by one thread.
     *
     * @return whether a try since the last call has shown that it could
     */
    boolean retry(long nowNanos) {
        if (lost != null && nowNanos - triedNanos >= RETRY_NANOS) {
            triedNanos = nowNanos;
            thread.execute(this::attempt);
        }
        boolean wasMended = isMended;
        isMended = false;
        return wasMended;
    }

    private void attempt() {
        MoveRecord entry = lost;
        if (entry == null) {
            return;
        }
        try {
            journal.attempt(entry);
            lost = null;
            isMended = true;
        } catch (ReconfigException e) {
            // It is tried again; what is wrong has been said.
        }
    }

    /** Closes the journal after what is still to be written; waits for that, but not for a disk that stands still. */
    void close() throws InterruptedException {
        thread.execute(journal::close);
        thread.shutdown();
        var _ = thread.awaitTermination(LAST_SECONDS, TimeUnit.SECONDS);
    }
}
