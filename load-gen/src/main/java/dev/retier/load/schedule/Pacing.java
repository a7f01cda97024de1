package dev.retier.load.schedule;

import dev.retier.traces.TraceEvent;
import java.util.List;

/** When the requests of a run are sent. Immutable, thread-safe. */
public sealed interface Pacing {
    /** A closed loop without think time: the next request as soon as the last is over. */
    Pacing CLOSED = new ClosedLoop(0);

    /**
     * Each client waits for its answer, thinks, and sends its next request.
     *
     * @param thinkNanos pause after an answer, 0..1 h
     */
    record ClosedLoop(long thinkNanos) implements Pacing {
        /** Checks the range. */
        public ClosedLoop {
            if (thinkNanos < 0 || thinkNanos > 3_600_000_000_000L) {
                throw new IllegalArgumentException("think time " + thinkNanos + " ns is not within 0..1 h");
            }
        }
    }

    /**
     * A closed loop that keeps sessions: the requests of one client of the trace go over one connection, in their
     * order.
     *
     * @param thinkNanos pause after an answer, 0..1 h
     */
    record Sessions(long thinkNanos) implements Pacing {
        /** Checks the range. */
        public Sessions {
            if (thinkNanos < 0 || thinkNanos > 3_600_000_000_000L) {
                throw new IllegalArgumentException("think time " + thinkNanos + " ns is not within 0..1 h");
            }
        }
    }

    /** An open loop: requests are due at absolute times, whatever became of earlier ones. */
    sealed interface OpenLoop extends Pacing {
        /**
         * When request {@code index} (from 0) is due, in nanoseconds since the start; never falling with the index as
         * long as the offsets of the events do not fall.
         */
        long dueNanos(long index, TraceEvent event);
    }

    /**
     * As the trace says.
     *
     * @param speed 2 sends twice as fast, above 0 up to 1,000,000
     */
    record TraceTime(double speed) implements OpenLoop {
        /** Checks the range. */
        public TraceTime {
            if (!(speed > 0 && speed <= 1e6)) {
                throw new IllegalArgumentException("speed " + speed + " is not above 0 up to 1000000");
            }
        }

        @Override
        public long dueNanos(long index, TraceEvent event) {
            return (long) (event.offsetNanos() / speed);
        }
    }

    /**
     * Evenly, not looking at the trace's times; several rates one after the other, the last one without end.
     *
     * @param steps at least one
     */
    record Rates(List<Step> steps) implements OpenLoop {
        private static final double NANOS_PER_SECOND = 1e9;

        /** Checks that there is a step. */
        public Rates {
            steps = List.copyOf(steps);
            if (steps.isEmpty()) {
                throw new IllegalArgumentException("a run at given rates needs at least one rate");
            }
        }

        /** One rate from start to end. */
        public static Rates constant(double perSecond) {
            return new Rates(List.of(new Step(perSecond, Long.MAX_VALUE)));
        }

        @Override
        public long dueNanos(long index, TraceEvent event) {
            long left = index;
            double startNanos = 0;
            for (int i = 0; i < steps.size() - 1; i++) {
                long inStep = steps.get(i).requests();
                if (left < inStep) {
                    return (long) (startNanos + steps.get(i).offsetNanos(left));
                }
                left -= inStep;
                startNanos += steps.get(i).lengthNanos();
            }
            return (long) (startNanos + steps.getLast().offsetNanos(left));
        }

        /**
         * One rate.
         *
         * @param perSecond above 0 up to 10,000,000
         * @param lengthNanos how long it lasts, from 1
         */
        public record Step(double perSecond, long lengthNanos) {
            /** Checks the ranges. */
            public Step {
                if (!(perSecond > 0 && perSecond <= 1e7)) {
                    throw new IllegalArgumentException("rate " + perSecond + "/s is not above 0 and up to 10000000/s");
                }
                if (lengthNanos < 1) {
                    throw new IllegalArgumentException("a step of " + lengthNanos + " ns is no time to send in");
                }
            }

            long requests() {
                return (long) Math.ceil(perSecond * (lengthNanos / NANOS_PER_SECOND));
            }

            double offsetNanos(long index) {
                return index * NANOS_PER_SECOND / perSecond;
            }
        }
    }
}
