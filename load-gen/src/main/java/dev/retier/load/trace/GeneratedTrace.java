package dev.retier.load.trace;

import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Traces made to order. Everything random in them comes from the seed: the same arguments give the same events on every
 * machine. Thread-safe; a pass is not.
 */
public final class GeneratedTrace implements Trace {
    /** Distinct clients in a generated trace. */
    public static final int CLIENTS = 1000;

    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private final String name;
    private final long events;
    private final LongFunction<EventMaker> makerOfSeed;
    private final long seed;

    /** Makes event {@code index}; called with 0, 1, 2, ... */
    @FunctionalInterface
    interface EventMaker {
        TraceEvent make(long index);
    }

    GeneratedTrace(String name, long events, long seed, LongFunction<EventMaker> makerOfSeed) {
        this.name = name;
        this.events = events;
        this.seed = seed;
        this.makerOfSeed = makerOfSeed;
    }

    /**
     * Bursts of static and dynamic requests in turn; burst k is segment k.
     *
     * @throws IllegalArgumentException when the catalogue is out of range
     */
    public static GeneratedTrace alternating(BurstPlan plan, Catalogue catalogue, long seed) {
        Catalogue.Picker picker = catalogue.picker();
        String name = "bursts of " + plan.requestsPerBurst() + ", seed " + seed;
        return new GeneratedTrace(name, plan.requests(), seed, s -> {
            SplittableRandom random = new SplittableRandom(s);
            return index -> {
                int burst = (int) (index / plan.requestsPerBurst());
                SyntheticObject object = picker.pick(plan.classOf(burst), random);
                return TraceEvent.get(plan.offsetNanos(index), random.nextInt(CLIENTS), object, burst);
            };
        });
    }

    /**
     * An even mix: each request is dynamic with the given probability, all in segment 0.
     *
     * @param requests events in the trace, from 1
     * @param dynamicShare 0..1
     * @throws IllegalArgumentException when a value is out of range
     */
    public static GeneratedTrace mixed(long requests, double dynamicShare, Catalogue catalogue, long seed) {
        if (requests < 1 || !(dynamicShare >= 0 && dynamicShare <= 1)) {
            throw new IllegalArgumentException("mixed trace: requests " + requests + " must be at least 1, share "
                    + dynamicShare + " within 0..1");
        }
        Catalogue.Picker picker = catalogue.picker();
        String name = "mix with " + Math.round(dynamicShare * 100) + " % dynamic, seed " + seed;
        return new GeneratedTrace(name, requests, seed, s -> {
            SplittableRandom random = new SplittableRandom(s);
            return index -> {
                boolean dynamic = random.nextDouble() < dynamicShare;
                RequestClass requestClass = dynamic ? RequestClass.DYNAMIC : RequestClass.STATIC;
                SyntheticObject object = picker.pick(requestClass, random);
                long offsetNanos = Math.multiplyExact(index, NANOS_PER_SECOND / BurstPlan.NOMINAL_REQUESTS_PER_SECOND);
                return TraceEvent.get(offsetNanos, random.nextInt(CLIENTS), object, 0);
            };
        });
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public EventStream open() {
        return new Pass(makerOfSeed.apply(seed), events);
    }

    @Override
    public OptionalLong eventCount() {
        return OptionalLong.of(events);
    }

    private static final class Pass implements EventStream {
        private final EventMaker maker;
        private long remaining;
        private long made;

        Pass(EventMaker maker, long events) {
            this.maker = maker;
            this.remaining = events;
        }

        @Override
        public @Nullable TraceEvent next() {
            if (remaining == 0) {
                return null;
            }
            remaining--;
            return maker.make(made++);
        }

        @Override
        public ReadReport report() {
            return ReadReport.allGood(made);
        }

        @Override
        public void close() {
            remaining = 0;
        }
    }
}
