package dev.retier.agent.status;

import dev.retier.state.LoadRecord;
import dev.retier.state.LoadRecord.Health;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;

/**
 * Makes a load record of the server's counters: their growth over a short sliding window. The window starts anew when
 * the role changes, because the old role's pressure says nothing of the new one, and when a counter falls, because
 * then the server was restarted. Not thread-safe; bounded memory.
 */
public final class LoadMeter {
    /** Enough for the shortest publish interval in the longest sensible window. */
    private static final int MAX_SAMPLES = 64;

    private static final double NANOS_PER_SECOND = 1e9;

    private final long windowNanos;
    private final Deque<Sample> samples = new ArrayDeque<>();

    private record Sample(long atNanos, ServerStatus status) {}

    /** A meter over {@code window}, above zero. */
    public LoadMeter(Duration window) {
        this.windowNanos = window.toNanos();
    }

    /** Takes in one status, read at {@code nowNanos} of a monotonic clock. */
    public void record(ServerStatus status, long nowNanos) {
        Sample newest = samples.peekLast();
        if (newest != null && isBreak(newest.status, status)) {
            samples.clear();
        }
        samples.addLast(new Sample(nowNanos, status));
        while (samples.size() > MAX_SAMPLES || (samples.size() > 2 && isSecondOldEnough(nowNanos))) {
            samples.removeFirst();
        }
    }

    /** Forgets all samples: the server was away. */
    public void reset() {
        samples.clear();
    }

    /** Whether there are the two samples that a load needs; one alone would pass for an idle server. */
    public boolean isTelling() {
        return samples.size() > 1;
    }

    /** The load now; all figures that need two samples are 0 until there are two, see {@link #isTelling}. */
    public LoadRecord load(Health health, int operatorWord) {
        Sample last = samples.peekLast();
        Sample first = samples.peekFirst();
        if (last == null || first == null) {
            return new LoadRecord(0, health, 0, 0, 0, 0, 0, 0, operatorWord);
        }
        double seconds = (last.atNanos - first.atNanos) / NANOS_PER_SECOND;
        ServerStatus now = last.status;
        ServerStatus then = first.status;
        return new LoadRecord(
                now.appliedStamp(),
                health,
                share(now.busySeconds() - then.busySeconds(), seconds),
                share((double) now.cacheHits() - then.cacheHits(), (double) now.requests() - then.requests()),
                share(now.backEndInFlight(), now.inFlight()),
                seconds > 0 ? (now.requests() - then.requests()) / seconds : 0,
                now.inFlight(),
                now.capacityUnitsPerSecond(),
                operatorWord);
    }

    private boolean isSecondOldEnough(long nowNanos) {
        var oldestFirst = samples.iterator();
        oldestFirst.next();
        return nowNanos - oldestFirst.next().atNanos >= windowNanos;
    }

    private static boolean isBreak(ServerStatus before, ServerStatus after) {
        return !before.role().equals(after.role())
                || !Objects.equals(before.site(), after.site())
                || after.busySeconds() < before.busySeconds()
                || after.requests() < before.requests()
                || after.cacheHits() < before.cacheHits();
    }

    private static double share(double part, double whole) {
        return whole > 0 ? Math.clamp(part / whole, 0, 1) : 0;
    }
}
