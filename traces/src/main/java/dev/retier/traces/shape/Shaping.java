package dev.retier.traces.shape;

import dev.retier.traces.Trace;
import dev.retier.traces.TraceEvent;
import dev.retier.traces.UnitHash;
import java.util.List;
import java.util.Optional;

/** Makes traces out of traces. All bounded in memory, all deterministic. Stateless. */
public final class Shaping {
    /** Copies of a request that amplification may make. */
    public static final int MAX_COPIES = 1000;

    /** Client numbers of copies are this far apart. */
    static final long COPY_STRIDE = 1L << 40;

    private Shaping() {}

    /**
     * Only what lies in a window of trace time, moved to start at 0.
     *
     * @param fromNanos first offset taken
     * @param toNanos first offset left out, above {@code fromNanos}
     */
    public static Trace window(Trace trace, long fromNanos, long toNanos) {
        if (fromNanos < 0 || toNanos <= fromNanos) {
            throw new IllegalArgumentException("window from " + fromNanos + " to " + toNanos + " ns is empty");
        }
        return new ShapedTrace(
                trace.name() + ", window",
                trace,
                in -> new MappedEvents(in, event -> {
                    if (event.offsetNanos() >= toNanos) {
                        return Optional.empty();
                    }
                    boolean early = event.offsetNanos() < fromNanos;
                    return Optional.of(
                            early ? List.of() : List.of(event.moved(event.offsetNanos() - fromNanos, event.segment())));
                }));
    }

    /** Silences longer than {@code longestNanos} (from 0) become that long. */
    public static Trace clipGaps(Trace trace, long longestNanos) {
        if (longestNanos < 0) {
            throw new IllegalArgumentException("longest gap " + longestNanos + " ns is negative");
        }
        return new ShapedTrace(trace.name() + ", gaps clipped", trace, in -> {
            long[] lastAndCut = new long[2];
            return new MappedEvents(in, event -> {
                long gap = event.offsetNanos() - lastAndCut[0];
                lastAndCut[0] = event.offsetNanos();
                lastAndCut[1] += Math.max(0, gap - longestNanos);
                return Optional.of(List.of(event.moved(event.offsetNanos() - lastAndCut[1], event.segment())));
            });
        });
    }

    /** Only one client in {@code oneIn} (from 1), chosen by a hash of its number, so that sessions stay whole. */
    public static Trace thin(Trace trace, int oneIn) {
        if (oneIn < 1) {
            throw new IllegalArgumentException("thinning to one in " + oneIn + " must be at least 1");
        }
        return new ShapedTrace(
                trace.name() + ", 1 in " + oneIn,
                trace,
                in -> new MappedEvents(
                        in,
                        event -> Optional.of(UnitHash.of(event.clientId()) * oneIn < 1 ? List.of(event) : List.of())));
    }

    /** Each request {@code copies} times (1..{@link #MAX_COPIES}), each copy from a client of its own. */
    public static Trace amplify(Trace trace, int copies) {
        if (copies < 1 || copies > MAX_COPIES) {
            throw new IllegalArgumentException("copies " + copies + " must be 1.." + MAX_COPIES);
        }
        return new ShapedTrace(
                trace.name() + ", x" + copies,
                trace,
                in -> new MappedEvents(in, event -> {
                    TraceEvent[] all = new TraceEvent[copies];
                    for (int copy = 0; copy < copies; copy++) {
                        long client = (event.clientId() % COPY_STRIDE) + copy * COPY_STRIDE;
                        all[copy] = event.ofClient(client);
                    }
                    return Optional.of(List.of(all));
                }));
    }

    /**
     * Spreads the requests of each whole second over that second; their order stays.
     *
     * @param seed for {@link Placement#UNIFORM}
     */
    public static Trace place(Trace trace, Placement placement, long seed) {
        return placement == Placement.AS_LOGGED
                ? trace
                : new ShapedTrace(
                        trace.name() + ", placed " + placement, trace, in -> new PlacedEvents(in, placement, seed));
    }
}
