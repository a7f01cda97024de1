package dev.retier.agent.loop;

import dev.retier.agent.render.RoleFile;
import dev.retier.agent.status.RefusalWatch;
import dev.retier.agent.status.ServerStatus;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the role file of the own server at the newest one that was offered, and goes back to the last one that the
 * server took when it refuses one. It says which file to write and takes it as written, until {@link #notWritten}.
 * Reads no clock and touches no file. Not thread-safe.
 */
public final class RoleFileApplier<F extends RoleFile> {
    /** What became of the file written last. */
    public enum Result {
        /** Nothing new: no file is waiting, or the server has not looked yet. */
        NOTHING,
        /** The server runs it. */
        APPLIED,
        /** The server refused it; the last good one of its role is to be written, if there is one. */
        REFUSED,
        /** The server has not taken it within the deadline; it may still. */
        LATE,
        /** The server runs another role though it took the file: somebody else has written one under its stamp. */
        ASTRAY
    }

    /**
     * What a status says.
     *
     * @param result of the file written last
     * @param write the file to be written now, if any
     */
    public record Check<F extends RoleFile>(Result result, Optional<F> write) {}

    /** What was refused for a passing reason, such as a full disk, is tried again after this. */
    private static final long RETRY_NANOS = 10_000_000_000L;

    private final long deadlineNanos;
    private final RefusalWatch refusals = new RefusalWatch();
    private @Nullable F onDisk;
    private @Nullable F onDiskBefore;
    private @Nullable F lastGood;
    /** A file under the stamp of the one before counts as taken before the server has looked; it may still refuse. */
    private @Nullable F goodBefore;

    private @Nullable F refused;
    private long refusedAtNanos;
    /** On disk is what was put back in the place of the refused one. */
    private boolean isPutBack;

    private boolean isPending;
    private boolean wasPending;
    private boolean isLate;
    private long writtenAtNanos;

    /** An applier that knows of no file; one that is not taken within {@code deadline} is reported once as late. */
    public RoleFileApplier(Duration deadline) {
        this.deadlineNanos = deadline.toNanos();
    }

    /** Stamp of the file on disk, 0 when this agent has not written any. */
    public long stamp() {
        return onDisk == null ? 0 : onDisk.stamp();
    }

    /** Whether a written file has not been taken yet. */
    public boolean isPending() {
        return isPending;
    }

    /**
     * Offers a file.
     *
     * @return the file, to be written now; empty if it is on disk already or was refused a moment ago
     */
    public Optional<F> offer(F next, long nowNanos) {
        boolean isJustRefused = next.equals(refused) && nowNanos - refusedAtNanos < RETRY_NANOS;
        refused = next.equals(refused) ? refused : null; // nobody wants that any more
        if (next.equals(onDisk) || isJustRefused) {
            return Optional.empty();
        }
        refused = null;
        isPutBack = false;
        Optional<F> written = write(next, nowNanos);
        isPending = true;
        return written;
    }

    /** The file that was to be written could not be: on disk is what was there before. */
    public void notWritten() {
        onDisk = onDiskBefore;
        isPending = wasPending;
    }

    /**
     * Compares what the server tells with what was written. What was refused and not replaced by another offer is
     * written once more after a while: nobody offers it again as long as nothing else changes.
     *
     * @param askedAtNanos when the status was asked for
     */
    public Check<F> check(ServerStatus status, long askedAtNanos, long nowNanos) {
        boolean isRefused = refusals.isRefused(status, askedAtNanos);
        F due = refused;
        if (due != null && !isPending && nowNanos - refusedAtNanos >= RETRY_NANOS) {
            return new Check<>(Result.NOTHING, offer(due, nowNanos));
        }
        F written = onDisk;
        if (written == null || askedAtNanos - writtenAtNanos < 0) {
            return said(Result.NOTHING);
        }
        if (isRefused) {
            lastGood = isPending ? lastGood : goodBefore;
            return new Check<>(Result.REFUSED, isPutBack ? waited(nowNanos) : restore(written, nowNanos));
        }
        if (!isPending) {
            return said(isAstray(written, status) ? Result.ASTRAY : Result.NOTHING);
        }
        if (isTaken(written, status)) {
            taken(written);
            return said(Result.APPLIED);
        }
        if (!isLate && nowNanos - writtenAtNanos >= deadlineNanos) {
            isLate = true;
            return said(Result.LATE);
        }
        return said(Result.NOTHING);
    }

    /**
     * Takes note of what the server runs, while a move sees for itself what becomes of its files: what is refused after
     * the move must not bring back the file of the role before it.
     *
     * @param askedAtNanos when the status was asked for
     * @return whether it is seen for the first time that the server runs the file on disk
     */
    public boolean see(ServerStatus status, long askedAtNanos) {
        F written = onDisk;
        if (written == null || !isPending || askedAtNanos - writtenAtNanos < 0 || !isTaken(written, status)) {
            return false;
        }
        taken(written);
        return true;
    }

    private boolean isTaken(F written, ServerStatus status) {
        return status.runs(written.role(), written.site(), written.stamp()) && status.lastRefusal() == null;
    }

    private boolean isAstray(F written, ServerStatus status) {
        return status.appliedStamp() >= written.stamp()
                && !status.runs(written.role(), written.site(), written.stamp());
    }

    private void taken(F written) {
        isPending = false;
        goodBefore = lastGood;
        lastGood = written;
    }

    private Check<F> said(Result result) {
        return new Check<>(result, Optional.empty());
    }

    private Optional<F> restore(F bad, long nowNanos) {
        refused = bad;
        refusedAtNanos = nowNanos;
        isPending = false;
        onDisk = null; // what was refused may be written again, also when what is to replace it cannot be
        F good = lastGood;
        if (good == null || !isSameRole(good, bad)) {
            return Optional.empty();
        }
        isPutBack = true;
        return write(good, nowNanos);
    }

    /** Where not even that is taken, it is no fault of one file: until it is time to try again none is written. */
    private Optional<F> waited(long nowNanos) {
        refusedAtNanos = nowNanos;
        isPutBack = false;
        onDisk = null;
        return Optional.empty();
    }

    /** What the server took before the node moved is no file to go back to. */
    private boolean isSameRole(F one, F other) {
        return one.role().equals(other.role()) && Objects.equals(one.site(), other.site());
    }

    private Optional<F> write(F next, long nowNanos) {
        onDiskBefore = onDisk;
        wasPending = isPending;
        onDisk = next;
        isLate = false;
        writtenAtNanos = nowNanos;
        refusals.written(nowNanos);
        return Optional.of(next);
    }
}
