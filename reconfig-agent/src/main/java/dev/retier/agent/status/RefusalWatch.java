package dev.retier.agent.status;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Tells a refusal of the file written last from one that was there before: a server re-reads its file a moment after
 * it was written, and until then its status still speaks of the file before. Not thread-safe.
 */
public final class RefusalWatch {
    private @Nullable String refusalBefore;
    private @Nullable String newest;
    private long writtenAtNanos;

    /** A file was written at {@code nowNanos}. */
    public void written(long nowNanos) {
        refusalBefore = newest;
        writtenAtNanos = nowNanos;
    }

    /** Whether this status, read at {@code readAtNanos}, refuses the file written last. */
    public boolean isRefused(ServerStatus status, long readAtNanos) {
        newest = status.lastRefusal();
        return newest != null && readAtNanos - writtenAtNanos >= 0 && !Objects.equals(newest, refusalBefore);
    }
}
