package dev.retier.agent.daemon;

import dev.retier.agent.ReconfigException;
import dev.retier.agent.apply.FolderRoom;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.journal.Journal;
import dev.retier.agent.loop.LoopEvent;
import dev.retier.agent.move.MoveRecord;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Writes the journal, which is its own from then on, on a thread of its own, in order, and tells how each record came
 * out. Thread-safe.
 */
final class JournalWriter {
    private static final long LAST_SECONDS = 2;
    private static final long LOOK_NANOS = 2_000_000_000L;
    /** A disk that has not answered for so long stands still. */
    private static final long PATIENCE_NANOS = 5_000_000_000L;

    private static final double NANOS_PER_SECOND = 1e9;

    private final Journal journal;
    /** A move writes one of them as well. */
    private final List<Path> roleFiles;

    private final Consumer<LoopEvent> told;
    private final ExecutorService thread;
    /** The newest record, while it is not on disk; touched by the thread alone. */
    private @Nullable MoveRecord lost;

    private volatile @Nullable String problem;
    /** Whether a look waits for the thread, which may wait for the disk. */
    private volatile boolean isLooking;

    private long lookedNanos;

    JournalWriter(NodeConfig node, Journal journal, Consumer<LoopEvent> told) {
        this.journal = journal;
        this.roleFiles = node.servers().stream().map(ServerConfig::roleFile).toList();
        this.lookedNanos = System.nanoTime() - LOOK_NANOS;
        this.told = told;
        this.thread = Executors.newSingleThreadExecutor(Thread.ofPlatform()
                .name("retier-journal-" + node.name())
                .daemon()
                .factory());
    }

    /** Returns at once. */
    void append(MoveRecord entry) {
        thread.execute(() -> told.accept(new LoopEvent.Journalled(entry, failure(entry))));
    }

    private @Nullable String failure(MoveRecord entry) {
        try {
            journal.append(entry);
            lost = null;
            problem = shortage();
            return null;
        } catch (ReconfigException e) {
            lost = entry;
            problem = String.valueOf(e.getMessage());
            return problem;
        }
    }

    private @Nullable String shortage() {
        return Stream.concat(
                        journal.shortage().stream(),
                        roleFiles.stream().map(FolderRoom::problemOf).flatMap(Optional::stream))
                .findFirst()
                .orElse(null);
    }

    /** Why no move can be put on disk, as far as is known; null when one can. Any thread. */
    @Nullable
    String problem() {
        return problem;
    }

    /**
     * Every two seconds has it looked whether a move could be recorded now, as it may be long until the next one:
     * whether there is space for that and for its role file, and, while the newest record is not on disk, whether it
     * could be. A disk that does not answer is one on which none can. Called by one thread; returns at once.
     */
    void look(long nowNanos) {
        long sinceNanos = nowNanos - lookedNanos;
        if (isLooking && sinceNanos >= PATIENCE_NANOS) {
            problem = "the disk of " + journal.directory() + " or of a role file has not answered for "
                    + Math.round(sinceNanos / NANOS_PER_SECOND) + " s";
        } else if (!isLooking && sinceNanos >= LOOK_NANOS) {
            lookedNanos = nowNanos;
            isLooking = true;
            thread.execute(this::look);
        }
    }

    private void look() {
        MoveRecord entry = lost;
        try {
            if (entry != null) {
                journal.attempt(entry);
                lost = null;
            }
            problem = shortage();
        } catch (ReconfigException e) {
            problem = String.valueOf(e.getMessage());
        } finally {
            isLooking = false;
        }
    }

    /** Closes the journal after what is still to be written; waits for that, but not for a disk that stands still. */
    void close() throws InterruptedException {
        thread.execute(journal::close);
        thread.shutdown();
        var _ = thread.awaitTermination(LAST_SECONDS, TimeUnit.SECONDS);
    }
}
