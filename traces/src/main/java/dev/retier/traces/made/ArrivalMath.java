package dev.retier.traces.made;

import java.util.SplittableRandom;

/** The arithmetic of {@link Arrivals}; with {@link StrictMath}, so that a seed gives the same times everywhere. */
final class ArrivalMath {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double MAX_PER_SECOND = 1e7;

    private ArrivalMath() {}

    static void requireRate(double perSecond) {
        if (!(perSecond > 0 && perSecond <= MAX_PER_SECOND)) {
            throw new IllegalArgumentException("rate " + perSecond + "/s must be above 0 up to 10000000");
        }
    }

    static double exponentialSeconds(double perSecond, SplittableRandom random) {
        return -StrictMath.log(1 - random.nextDouble()) / perSecond;
    }

    static long nanos(double seconds) {
        return (long) (seconds * NANOS_PER_SECOND);
    }

    /** Two states in turn. Waiting times have no memory, so at a change of state the next arrival is drawn anew. */
    static final class Switching implements Arrivals.Clock {
        private final Arrivals.OnOff plan;
        private final SplittableRandom random;
        private boolean busy = true;
        private double atSeconds;
        private double stateEndSeconds;

        Switching(Arrivals.OnOff plan, SplittableRandom random) {
            this.plan = plan;
            this.random = random;
            this.stateEndSeconds = exponentialSeconds(1 / plan.busySeconds(), random);
        }

        @Override
        public long next() {
            while (true) {
                double rate = busy ? plan.busyPerSecond() : plan.quietPerSecond();
                double arrival = atSeconds + exponentialSeconds(rate, random);
                if (arrival < stateEndSeconds) {
                    atSeconds = arrival;
                    return nanos(arrival);
                }
                atSeconds = stateEndSeconds;
                busy = !busy;
                stateEndSeconds += exponentialSeconds(1 / (busy ? plan.busySeconds() : plan.quietSeconds()), random);
            }
        }
    }

    /**
     * Periods with given counts. The arrivals of a period are drawn one after the other as the smallest of those left
     * (the least of n even draws over a length), so that nothing needs to be held or sorted.
     */
    static final class Counted implements Arrivals.Clock {
        private final Arrivals.Series plan;
        private final SplittableRandom random;
        private int period = -1;
        private long left;
        private double share;

        Counted(Arrivals.Series plan, SplittableRandom random) {
            this.plan = plan;
            this.random = random;
        }

        @Override
        public long next() {
            while (left == 0) {
                if (period + 1 >= plan.counts().size()) {
                    return END;
                }
                period++;
                share = 0;
                double scaled = plan.counts().get(period) * plan.scale();
                left = (long) scaled + (random.nextDouble() < scaled - Math.floor(scaled) ? 1 : 0);
            }
            share += (1 - share) * (1 - StrictMath.pow(1 - random.nextDouble(), 1.0 / left));
            left--;
            return nanos((period + share) * plan.periodSeconds());
        }
    }
}
