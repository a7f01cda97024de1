package dev.retier.agent.apply;

import dev.retier.agent.status.RefusalWatch;
import dev.retier.agent.status.ServerStatus;
import java.io.IOException;
import java.nio.file.Path;
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

    private final Path file;
    private final long deadlineNanos;
    private final RefusalWatch refusals = new RefusalWatch();
    private @Nullable Written onDisk;
    private @Nullable Written lastGood;
    private @Nullable Written refused;
    private boolean isPending;
    private boolean isLate;
    private long writtenAtNanos;

    private record Written(String content, long stamp) {}

    /** An applier for {@code file}; a file not taken within {@code deadline} is reported once as late. */
    public RoleFileApplier(Path file, Duration deadline) {
        this.file = file;
        this.deadlineNanos = deadline.toNanos();
    }

    /** Stamp of the file on disk, 0 when this agent has not written any. */
    public long stamp() {
        return onDisk == null ? 0 : onDisk.stamp;
    }

    /** Whether a written file has not been taken yet. */
    public boolean isPending() {
        return isPending;
    }

    /**
     * Writes {@code content} unless it is on disk already or was refused before.
     *
     * @return whether it was written
     * @throws IOException when it could not be written; the file is as it was
     */
    public boolean offer(String content, long stamp, long nowNanos) throws IOException {
        Written next = new Written(content, stamp);
        if (next.equals(onDisk) || next.equals(refused)) {
            return false;
        }
        write(next, nowNanos);
        isPending = true;
        return true;
    }

    /** The same, but also when it is on disk already: the server is to take it anew. */
    public void force(String content, long stamp, long nowNanos) throws IOException {
        write(new Written(content, stamp), nowNanos);
        isPending = true;
    }

    /**
     * Compares what the server tells with what was written.
     *
     * @param askedAtNanos when the status was asked for
     * @throws IOException when the last good file could not be put back
     */
    public Result check(ServerStatus status, long askedAtNanos, long nowNanos) throws IOException {
        Written written = onDisk;
        boolean isRefused = refusals.isRefused(status, askedAtNanos);
        if (written == null || !isPending || askedAtNanos - writtenAtNanos < 0) {
            return Result.NOTHING;
        }
        if (isRefused) {
            return restore(written, nowNanos);
        }
        if (status.appliedStamp() >= written.stamp && status.lastRefusal() == null) {
            isPending = false;
            lastGood = written;
            return Result.APPLIED;
        }
        if (!isLate && nowNanos - writtenAtNanos >= deadlineNanos) {
            isLate = true;
            return Result.LATE;
        }
        return Result.NOTHING;
    }

    private Result restore(Written bad, long nowNanos) throws IOException {
        refused = bad;
        isPending = false;
        if (lastGood != null) {
            write(lastGood, nowNanos);
        }
        return Result.REFUSED;
    }

    private void write(Written next, long nowNanos) throws IOException {
        AtomicFile.replace(file, next.content);
        onDisk = next;
        isLate = false;
        writtenAtNanos = nowNanos;
        refusals.written(nowNanos);
    }
}
