package dev.retier.traces.made;

import java.util.List;
import java.util.SplittableRandom;

/** When the requests of a generated trace arrive. Immutable; deterministic for a given random source. */
public sealed interface Arrivals {
    /** Starts a series of arrivals: each call of the result gives the next offset in nanoseconds, never falling. */
    Clock start(SplittableRandom random);

    /** One series of arrivals. One thread. */
    @FunctionalInterface
    interface Clock {
        /** Says that the series is over. */
        long END = -1;

        /** Offset of the next arrival since the start in nanoseconds, or {@link #END} (and ever after). */
        long next();
    }

    /**
     * Independent arrivals at a constant mean rate.
     *
     * @param perSecond above 0 up to 10,000,000
     */
    record Poisson(double perSecond) implements Arrivals {
        /** Checks the range. */
        public Poisson {
            ArrivalMath.requireRate(perSecond);
        }

        @Override
        public Clock start(SplittableRandom random) {
            double[] at = new double[1];
            return () -> {
                at[0] += ArrivalMath.exponentialSeconds(perSecond, random);
                return ArrivalMath.nanos(at[0]);
            };
        }
    }

    /**
     * Two rates that take turns for random (exponential) times: the two-state Markov-modulated Poisson process.
     *
     * @param busyPerSecond rate in the busy state, above 0 up to 10,000,000
     * @param quietPerSecond rate in the quiet state, above 0 up to 10,000,000
     * @param busySeconds mean length of the busy state, above 0 up to 1,000,000
     * @param quietSeconds mean length of the quiet state, above 0 up to 1,000,000
     */
    record OnOff(double busyPerSecond, double quietPerSecond, double busySeconds, double quietSeconds)
            implements Arrivals {
        /** Checks the ranges. */
        public OnOff {
            ArrivalMath.requireRate(busyPerSecond);
            ArrivalMath.requireRate(quietPerSecond);
            if (!(busySeconds > 0 && busySeconds <= 1e6 && quietSeconds > 0 && quietSeconds <= 1e6)) {
                throw new IllegalArgumentException(
                        "state lengths " + busySeconds + " s and " + quietSeconds + " s must be above 0 up to 1000000");
            }
        }

        @Override
        public Clock start(SplittableRandom random) {
            return new ArrivalMath.Switching(this, random);
        }
    }

    /**
     * A number of requests for each period, placed at random within it, such as the World Cup's requests per minute.
     *
     * @param periodSeconds length of a period, above 0 up to 86,400
     * @param counts requests in each period, none negative
     * @param scale factor on the counts, above 0; fractions are made up by chance
     */
    record Series(double periodSeconds, List<Long> counts, double scale) implements Arrivals {
        /** Copies the list and checks the ranges. */
        public Series {
            counts = List.copyOf(counts);
            if (!(periodSeconds > 0 && periodSeconds <= 86_400) || !(scale > 0 && scale <= 1e6)) {
                throw new IllegalArgumentException("series: period " + periodSeconds
                        + " s must be above 0 up to 86400, scale " + scale + " above 0");
            }
            if (counts.stream().anyMatch(count -> count < 0)) {
                throw new IllegalArgumentException("series: a count is negative");
            }
        }

        @Override
        public Clock start(SplittableRandom random) {
            return new ArrivalMath.Counted(this, random);
        }
    }
}
