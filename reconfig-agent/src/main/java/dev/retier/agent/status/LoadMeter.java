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
    /** Those of them whose figures of requests are of their time. */
    private final Deque<Sample> pages = new ArrayDeque<>();

    private record Sample(long atNanos, ServerStatus status) {}

    /** A meter over {@code window}, above zero. */
    public LoadMeter(Duration window) {
        this.windowNanos = window.toNanos();
    }

    /**
     * Takes in one status, read at {@code nowNanos} of a monotonic clock. {@code isWhole} says whether its figures of
     * requests are of that time: a page that is late says nothing of them, so the rate of before stays.
     */
    public void record(ServerStatus status, boolean isWhole, long nowNanos) {
        Sample newest = samples.peekLast();
        if (newest != null && isBreak(newest.status, status)) {
            reset();
        }
        Sample sample = new Sample(nowNanos, status);
        add(samples, sample);
        if (isWhole || pages.isEmpty()) {
            add(pages, sample);
        }
    }

    private void add(Deque<Sample> all, Sample newest) {
        all.addLast(newest);
        while (all.size() > MAX_SAMPLES || (all.size() > 2 && isSecondOldEnough(all, newest.atNanos))) {
            all.removeFirst();
        }
    }

    /** Forgets all samples: the server was away. */
    public void reset() {
        samples.clear();
        pages.clear();
    }

    /** Whether there are the two samples that a load needs; one alone would pass for an idle server. */
    public boolean isTelling() {
        return samples.size() > 1;
    }

    /** The load now; all figures that need two samples are 0 until there are two, see {@link #isTelling}. */
    public LoadRecord load(Health health, int operatorWord) {
        if (samples.isEmpty()) {
            return new LoadRecord(0, health, 0, 0, 0, 0, 0, 0, operatorWord);
        }
        ServerStatus now = samples.getLast().status;
        ServerStatus page = pages.getLast().status;
        ServerStatus before = pages.getFirst().status;
        double ofPages = seconds(pages);
        return new LoadRecord(
                now.appliedStamp(),
                health,
                share(now.busySeconds() - samples.getFirst().status.busySeconds(), seconds(samples)),
                share((double) page.cacheHits() - before.cacheHits(), (double) page.requests() - before.requests()),
                share(now.backEndInFlight(), now.inFlight()),
                ofPages > 0 ? (page.requests() - before.requests()) / ofPages : 0,
                now.inFlight(),
                now.capacityUnitsPerSecond(),
                operatorWord);
    }

    private static double seconds(Deque<Sample> all) {
        return (all.getLast().atNanos - all.getFirst().atNanos) / NANOS_PER_SECOND;
    }

    private boolean isSecondOldEnough(Deque<Sample> all, long nowNanos) {
        var oldestFirst = all.iterator();
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
