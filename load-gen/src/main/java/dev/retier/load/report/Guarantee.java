package dev.retier.load.report;

import dev.retier.load.measure.Interval;
import java.util.List;

/**
 * What a site was promised.
 *
 * @param site its name
 * @param priority 1 is highest
 * @param perSecond good answers per second, above 0
 */
public record Guarantee(String site, int priority, double perSecond) {
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
     * @param intervals intervals of the run, the last, incomplete one left out
     * @param kept those in which it was kept
     */
    public record Kept(Guarantee guarantee, int intervals, int kept) {
        /** Share of the intervals, 0..1; 1 for a run without a whole interval. */
        public double share() {
            return intervals == 0 ? 1 : (double) kept / intervals;
        }
    }

    /**
     * Counts the intervals in which the site got what it was promised: at least the guaranteed rate was answered;
     * or, in
     * an open loop, less than that was asked for, and nothing of it failed or was dropped. In a closed loop slow
     * answers
     * keep clients from asking, so there asking less excuses nothing.
     */
    public Kept judge(LoadResult run) {
        boolean openLoop = run.lateness().count() > 0;
        List<Interval> whole = run.intervals().stream()
                .filter(interval -> interval.startMillis() + run.intervalMillis() <= run.elapsedMillis())
                .toList();
        double wanted = perSecond * run.intervalMillis() / 1000;
        int kept = 0;
        for (Interval interval : whole) {
            boolean littleAsked = openLoop && interval.sent() < wanted && interval.failed() + interval.dropped() == 0;
            kept += interval.answered() >= wanted || littleAsked ? 1 : 0;
        }
        return new Kept(this, whole.size(), kept);
    }
}
