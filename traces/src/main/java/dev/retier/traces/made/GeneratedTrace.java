package dev.retier.traces.made;

import dev.retier.traces.EventStream;
import dev.retier.traces.ReadReport;
import dev.retier.traces.RequestClass;
import dev.retier.traces.RequestMethod;
import dev.retier.traces.RequestTargets;
import dev.retier.traces.SyntheticObject;
import dev.retier.traces.Trace;
import dev.retier.traces.TraceEvent;
import dev.retier.traces.shape.MappedEvents;
import dev.retier.traces.shape.ShapedTrace;
import java.util.List;
import java.util.Optional;
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

    /** Keeps the draws of arrivals apart from those of objects. */
    private static final long ARRIVAL_SEED = 0x5DEECE66DL;

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
        String name = "bursts of " + plan.requestsPerBurst() + ", seed " + seed;
        return bursts(name, plan, catalogue, seed);
    }

    /**
     * Bursts of any lengths, of static and dynamic requests in turn; burst k is segment k.
     *
     * @throws IllegalArgumentException when the catalogue is out of range
     */
    public static GeneratedTrace uneven(UnevenBursts plan, Catalogue catalogue, long seed) {
        return bursts(plan.lengths().size() + " bursts, seed " + seed, plan, catalogue, seed);
    }

    private static GeneratedTrace bursts(String name, Bursts plan, Catalogue catalogue, long seed) {
        Catalogue.Picker picker = catalogue.picker();
        return new GeneratedTrace(name, plan.requests(), seed, s -> {
            SplittableRandom random = new SplittableRandom(s);
            return index -> {
                int burst = plan.burst(index);
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
                long offsetNanos = Math.multiplyExact(index, NANOS_PER_SECOND / Bursts.NOMINAL_REQUESTS_PER_SECOND);
                return TraceEvent.get(offsetNanos, random.nextInt(CLIENTS), object, 0);
            };
        });
    }

    /**
     * One object, asked for again and again, all in segment 0.
     *
     * @param requests events in the trace, from 1
     * @param object what is asked for
     * @throws IllegalArgumentException when a value is out of range
     */
    public static GeneratedTrace single(long requests, RequestedObject object, long seed) {
        if (requests < 1) {
            throw new IllegalArgumentException("single-file trace: requests " + requests + " must be at least 1");
        }
        return new GeneratedTrace(object.target() + ", seed " + seed, requests, seed, s -> {
            SplittableRandom random = new SplittableRandom(s);
            return index -> new TraceEvent(
                    Math.multiplyExact(index, NANOS_PER_SECOND / Bursts.NOMINAL_REQUESTS_PER_SECOND),
                    random.nextInt(CLIENTS),
                    object.target(),
                    object.requestClass(),
                    object.sizeBytes(),
                    RequestMethod.GET,
                    false,
                    0,
                    null);
        });
    }

    /**
     * An object by the URL it has.
     *
     * @param target path and query
     * @param requestClass whether it is computed
     * @param sizeBytes length of its body, or {@link TraceEvent#UNKNOWN_SIZE}
     */
    public record RequestedObject(String target, RequestClass requestClass, long sizeBytes) {
        /** Whatever {@code url} says, made safe for the wire, classed by its looks. */
        public static RequestedObject of(String url) {
            String target = RequestTargets.safe(url);
            RequestClass looks = RequestTargets.looksDynamic(target) ? RequestClass.DYNAMIC : RequestClass.STATIC;
            return new RequestedObject(target, looks, TraceEvent.UNKNOWN_SIZE);
        }
    }

    /** The requests of {@code trace} at the times of {@code arrivals}; over when either is. */
    public static Trace arriving(Arrivals arrivals, Trace trace, long seed) {
        String name = trace.name() + ", " + arrivals.getClass().getSimpleName() + " arrivals";
        return new ShapedTrace(name, trace, in -> {
            Arrivals.Clock clock = arrivals.start(new SplittableRandom(seed ^ ARRIVAL_SEED));
            return new MappedEvents(in, event -> {
                long offset = clock.next();
                return offset == Arrivals.Clock.END
                        ? Optional.empty()
                        : Optional.of(List.of(event.moved(offset, event.segment())));
            });
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
