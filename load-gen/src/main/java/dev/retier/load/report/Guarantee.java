package dev.retier.load.report;

import dev.retier.load.measure.Interval;
import dev.retier.traces.play.Promise;
import java.time.Duration;

/**
 * What a site was promised.
 *
 * @param site its name
 * @param priority 1 is highest
 * @param perSecond good answers per second, above 0
 */
public record Guarantee(String site, int priority, double perSecond) {
    private static final double NANOS_PER_MILLI = 1e6;

    /** Checks the ranges. */
    public Guarantee {
        if (priority < 1 || !(perSecond > 0)) {
            throw new IllegalArgumentException("guarantee of " + site + ": priority " + priority
                    + " must be from 1, rate " + perSecond + "/s above 0");
        }
    }

    /**
     * How it was kept.
     *
     * @param guarantee the promise
     * @param seconds length of the intervals in which it was judged
     * @param intervals whole intervals in which clients asked
     * @param kept those in which it was kept
     */
    public record Kept(Guarantee guarantee, double seconds, int intervals, int kept) {
        /** Share of the intervals, 0..1; 1 for a run without a whole interval. */
        public double share() {
            return intervals == 0 ? 1 : (double) kept / intervals;
        }
    }

    /**
     * Counts the intervals in which the site got what it was promised, by the rule of {@link Promise}: of a second
     * each, or the least number of the run's own intervals that is not shorter. What began after clients had asked for
     * the last time is not judged, nor what they had not finished asking in.
     */
    public Kept judge(LoadResult run) {
        int group = (int) Math.max(1, Math.ceil(Promise.SECOND.toMillis() / run.intervalMillis()));
        double lengthMillis = group * run.intervalMillis();
        Promise promise = new Promise(perSecond, nanos(lengthMillis), nanos(run.answerWithinMillis()));
        int whole = (int) (run.sendingMillis() / lengthMillis);
        int kept = 0;
        long underWay = 0;
        for (int i = 0; i < whole; i++) {
            Interval sum = Interval.empty(0);
            for (int j = i * group;
                    j < Math.min((i + 1) * group, run.intervals().size());
                    j++) {
                sum = sum.plus(run.intervals().get(j));
            }
            boolean isKept = run.hasDueTimes()
                    ? promise.isKept(sum.due(), sum.well())
                    : promise.isKeptByClients(sum.answered(), underWay + sum.sent() > 0);
            underWay += sum.sent() - sum.answered() - sum.failed() - sum.dropped();
            kept += isKept ? 1 : 0;
        }
        return new Kept(this, lengthMillis / 1000, whole, kept);
    }

    private static Duration nanos(double millis) {
        return Duration.ofNanos(Math.round(millis * NANOS_PER_MILLI));
    }
}
