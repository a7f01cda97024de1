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

    private final Journal journal;
    private final Consumer<LoopEvent> told;
    private final ExecutorService thread;

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
            return null;
        } catch (ReconfigException e) {
            return String.valueOf(e.getMessage());
        }
    }

    /** Closes the journal after what is still to be written; waits for that, but not for a disk that stands still. */
    void close() throws InterruptedException {
        thread.execute(journal::close);
        thread.shutdown();
        var _ = thread.awaitTermination(LAST_SECONDS, TimeUnit.SECONDS);
    }
}
