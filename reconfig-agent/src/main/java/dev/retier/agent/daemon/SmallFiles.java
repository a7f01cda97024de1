package dev.retier.agent.daemon;

import dev.retier.agent.command.PauseWord;
import dev.retier.agent.journal.BootNumber;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The files beside the journal: pauses, and the number above which that of the next start must be. What could not be
 * written is tried again until it can, and the agent is not ready meanwhile. Owned by the thread of the loop.
 */
final class SmallFiles {
    private static final Duration RETRY = Duration.ofSeconds(5);

    private final Path folder;
    /** Whether or not it is kept. */
    private PauseFile inForce;

    private boolean isUnkept = true;
    private long unkeptTerm;
    private long triedNanos;
    private volatile @Nullable String problem = "nobody has tried yet to keep pauses";

    /** Those in {@code folder}; the first {@link #retry} writes the pauses that were found there, to see if it can. */
    SmallFiles(Path folder, long nowNanos) {
        this.folder = folder;
        this.inForce = PauseFile.read(folder);
        this.triedNanos = nowNanos - RETRY.toNanos();
    }

    /** Why one of them cannot be kept; null when all are. Any thread. */
    @Nullable
    String problem() {
        return problem;
    }

    /**
     * Keeps pauses.
     *
     * @param isForced whether they are in force whether or not they are kept
     * @return why they are not on disk; null when they are
     */
    @Nullable
    String keep(PauseWord cluster, boolean isPausedHere, boolean isForced, long nowNanos) {
        PauseFile next = new PauseFile(cluster, isPausedHere);
        try {
            next.write(folder);
            inForce = next;
            isUnkept = false;
            written();
            return null;
        } catch (IOException e) {
            inForce = isForced ? next : inForce;
            isUnkept = true;
            triedNanos = nowNanos;
            problem = "pauses cannot be kept: " + e;
            return e.toString();
        }
    }

    /** Keeps the number of the next start above {@code term}. */
    void outgrow(long term, long nowNanos) throws IOException {
        try {
            BootNumber.outgrow(folder, term);
            unkeptTerm = 0;
            written();
        } catch (IOException e) {
            unkeptTerm = Math.max(term, unkeptTerm);
            triedNanos = nowNanos;
            problem = "the number of the next start cannot be raised: " + e;
            throw e;
        }
    }

    /** Tries again what has failed, every five seconds. */
    void retry(long nowNanos) {
        if (problem == null || nowNanos - triedNanos < RETRY.toNanos()) {
            return;
        }
        try {
            if (unkeptTerm > 0) {
                BootNumber.outgrow(folder, unkeptTerm);
                unkeptTerm = 0;
            }
            inForce.write(folder);
            isUnkept = false;
            problem = null;
        } catch (IOException e) {
            triedNanos = nowNanos;
            problem = "pauses or the number of the next start cannot be kept: " + e;
        }
    }

    /** One of them could be written; the others are tried again when their time comes. */
    private void written() {
        if (!isUnkept && unkeptTerm == 0) {
            problem = null;
        }
    }
}
