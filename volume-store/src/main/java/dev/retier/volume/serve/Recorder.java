package dev.retier.volume.serve;

import dev.retier.volume.wire.Operation;
import dev.retier.volume.wire.Request;
import dev.retier.volume.wire.TracedRequest;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Records what is asked of volumes, as long as somebody takes it: of each the newest {@value #MOST} requests. While
 * nobody does it costs a look at an empty table for each request. Thread-safe.
 */
final class Recorder {
    static final int MOST = 1 << 16;
    private static final long KEPT_NANOS = Duration.ofSeconds(10).toNanos();

    private final LongSupplier clock;
    /** By volume. */
    private final Map<Integer, Recording> recordings = new ConcurrentHashMap<>();

    /** By a clock in nanoseconds. */
    Recorder(LongSupplier clock) {
        this.clock = clock;
    }

    private static final class Recording {
        private final long sinceNanos;
        /** Guarded by this: in a ring. */
        private final TracedRequest[] ring = new TracedRequest[MOST];

        private long count;
        private long takenNanos;

        Recording(long nowNanos) {
            this.sinceNanos = nowNanos;
            this.takenNanos = nowNanos;
        }

        /** Whether anybody still takes what it has. */
        synchronized boolean add(Request request, long nowNanos) {
            int length = request.operation().hasRange() ? request.length() : 0;
            long offset = request.operation().hasRange() ? request.offset() : 0;
            ring[(int) (count++ % MOST)] =
                    new TracedRequest((nowNanos - sinceNanos) / 1000, request.operation(), offset, length);
            return nowNanos - takenNanos < KEPT_NANOS;
        }

        synchronized boolean isTaken(long nowNanos) {
            return nowNanos - takenNanos < KEPT_NANOS;
        }

        synchronized long take(long from, ByteBuffer into, long nowNanos) {
            takenNanos = nowNanos;
            long first = from < 0 || from > count ? count : Math.max(from, count - MOST);
            long next = first;
            while (next < count
                    && Objects.requireNonNull(ring[(int) (next % MOST)]).put(into)) {
                next++;
            }
            return first;
        }
    }

    /** Somebody asks for something that is about an attached volume. */
    void note(Request request) {
        // Hints change nothing, and an older program that takes the records would not know them.
        boolean isHint = request.operation() == Operation.HINT;
        boolean isWork = request.operation().hasRange() || request.operation() == Operation.FLUSH;
        if (recordings.isEmpty() || isHint || !isWork) {
            return;
        }
        Recording recording = recordings.get(request.volume());
        if (recording != null && !recording.add(request, clock.getAsLong())) {
            recordings.remove(request.volume(), recording);
        }
    }

    /**
     * Records a volume from now on.
     *
     * @param from the number of the record with which to begin; below 0: none yet
     * @param into as many records as there is room for
     * @return the number of the first of them, or of the one that will come next
     */
    long take(int volume, long from, ByteBuffer into) {
        long nowNanos = clock.getAsLong();
        recordings.values().removeIf(recording -> !recording.isTaken(nowNanos));
        return recordings.computeIfAbsent(volume, _ -> new Recording(nowNanos)).take(from, into, nowNanos);
    }
}
