package dev.retier.traces.shape;

import dev.retier.traces.EventStream;
import dev.retier.traces.ReadReport;
import dev.retier.traces.TraceEvent;
import java.util.ArrayDeque;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Spreads the events of each second over it. Holds the events of one second, at most {@link #MAX_HELD}: of a fuller
 * second, each such portion gets an equal slice of what is left of the second. One thread.
 */
final class PlacedEvents implements EventStream {
    /** The World Cup's busiest second has some 4,000 requests. */
    static final int MAX_HELD = 1 << 17;

    private static final long SECOND = 1_000_000_000L;

    private final EventStream in;
    private final Placement placement;
    private final SplittableRandom random;
    private final ArrayDeque<TraceEvent> ready = new ArrayDeque<>();
    private @Nullable TraceEvent ahead;
    private long second = -1;
    private long usedNanos;

    PlacedEvents(EventStream in, Placement placement, long seed) {
        this.in = in;
        this.placement = placement;
        this.random = new SplittableRandom(seed);
    }

    @Override
    public @Nullable TraceEvent next() {
        if (ready.isEmpty()) {
            fill();
        }
        return ready.poll();
    }

    @Override
    public ReadReport report() {
        return in.report();
    }

    @Override
    public void close() {
        ready.clear();
        in.close();
    }

    private void fill() {
        TraceEvent first = ahead == null ? in.next() : ahead;
        ahead = null;
        if (first == null) {
            return;
        }
        ArrayDeque<TraceEvent> held = new ArrayDeque<>();
        long secondOfHeld = first.offsetNanos() / SECOND;
        TraceEvent event = first;
        while (event != null && event.offsetNanos() / SECOND == secondOfHeld && held.size() < MAX_HELD) {
            held.add(event);
            event = in.next();
        }
        ahead = event;
        boolean more = event != null && event.offsetNanos() / SECOND == secondOfHeld;
        place(held, secondOfHeld, more);
    }

    private void place(ArrayDeque<TraceEvent> held, long secondOfHeld, boolean more) {
        usedNanos = secondOfHeld == second ? usedNanos : 0;
        second = secondOfHeld;
        long sliceNanos = more ? (SECOND - usedNanos) / 2 : SECOND - usedNanos;
        double[] points = points(held.size());
        int i = 0;
        for (TraceEvent event : held) {
            long offset = secondOfHeld * SECOND + usedNanos + (long) (points[i++] * sliceNanos);
            ready.add(event.moved(offset, event.segment()));
        }
        usedNanos += sliceNanos;
    }

    private double[] points(int count) {
        double[] points = new double[count];
        for (int i = 0; i < count; i++) {
            points[i] = placement == Placement.EVEN ? (double) i / count : random.nextDouble();
        }
        java.util.Arrays.sort(points);
        return points;
    }
}
