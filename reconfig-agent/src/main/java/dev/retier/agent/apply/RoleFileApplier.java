package dev.retier.agent.apply;

import dev.retier.agent.render.Rendering;
import dev.retier.agent.status.RefusalWatch;
import dev.retier.agent.status.ServerStatus;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the role file of the own server at the newest rendering, and goes back to the last one that the server took
 * when it refuses one. Not thread-safe: owned by the control loop.
 */
public final class RoleFileApplier {
    /** What became of the file written last. */
    public enum Result {
        /** Nothing new: no file is waiting, or the server has not looked yet. */
        NOTHING,
        /** The server runs it. */
        APPLIED,
        /** The server refused it, and the last good one is back on disk. */
        REFUSED,
        /** The server has not taken it within the deadline; it may still. */
        LATE
    }

    /** What was refused for a passing reason, such as a full disk, is tried again after this. */
    private static final long RETRY_NANOS = 10_000_000_000L;

    private final Destination destination;
    private final long deadlineNanos;
    private final RefusalWatch refusals = new RefusalWatch();
    private @Nullable Rendering onDisk;
    private @Nullable Rendering lastGood;
    /** A file under the stamp of the one before counts as taken before the server has looked; it may still refuse. */
    private @Nullable Rendering goodBefore;

    private @Nullable Rendering refused;
    private long refusedAtNanos;
    private boolean isPending;
    private boolean isLate;
    private long writtenAtNanos;

    /** Where files go. */
    public interface Destination {
        /** Puts a file there; when that fails, what was there stays. */
        void install(Rendering rendering) throws IOException;
    }

    /** An applier for {@code destination}; a file not taken within {@code deadline} is reported once as late. */
    public RoleFileApplier(Destination destination, Duration deadline) {
        this.destination = destination;
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
     * Writes a file unless it is on disk already or was refused a moment ago.
     *
     * @return whether it was written
     * @throws IOException when it could not be written; the file is as it was
     */
    public boolean offer(Rendering next, long nowNanos) throws IOException {
        boolean isJustRefused = next.equals(refused) && nowNanos - refusedAtNanos < RETRY_NANOS;
        refused = next.equals(refused) ? refused : null; // nobody wants that any more
        if (next.equals(onDisk) || isJustRefused) {
            return false;
        }
        refused = null;
        write(next, nowNanos);
        isPending = true;
        return true;
    }

    /**
     * Compares what the server tells with what was written. What was refused and not replaced by another offer is
     * written once more after a while: nobody offers it again as long as nothing else changes.
     *
     * @param askedAtNanos when the status was asked for
     * @throws IOException when the last good file could not be put back
     */
    public Result check(ServerStatus status, long askedAtNanos, long nowNanos) throws IOException {
        boolean isRefused = refusals.isRefused(status, askedAtNanos);
        Rendering due = refused;
        if (due != null && !isPending && nowNanos - refusedAtNanos >= RETRY_NANOS) {
            offer(due, nowNanos);
        }
        Rendering written = onDisk;
        if (written == null || askedAtNanos - writtenAtNanos < 0) {
            return Result.NOTHING;
        }
        if (isRefused && !isPending) {
            lastGood = goodBefore;
        }
        if (isRefused) {
            return restore(written, nowNanos);
        }
        if (!isPending) {
            return Result.NOTHING;
        }
        if (status.runs(written.role(), written.site(), written.stamp()) && status.lastRefusal() == null) {
            isPending = false;
            goodBefore = lastGood;
            lastGood = written;
            return Result.APPLIED;
        }
        if (!isLate && nowNanos - writtenAtNanos >= deadlineNanos) {
            isLate = true;
            return Result.LATE;
        }
        return Result.NOTHING;
    }

    private Result restore(Rendering bad, long nowNanos) throws IOException {
        refused = bad;
        refusedAtNanos = nowNanos;
        isPending = false;
        if (lastGood != null) {
            write(lastGood, nowNanos);
        } else {
            onDisk = null; // what was refused may be written again
        }
        return Result.REFUSED;
    }

    private void write(Rendering next, long nowNanos) throws IOException {
        destination.install(next);
        onDisk = next;
        isLate = false;
        writtenAtNanos = nowNanos;
        refusals.written(nowNanos);
    }
}
