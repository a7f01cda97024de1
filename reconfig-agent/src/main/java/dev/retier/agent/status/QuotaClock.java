package dev.retier.agent.status;

/**
 * Tells by the counters of a control group (its {@code cpu.stat}, cgroups(7)) whether a server wants more of the
 * processors than the quota gives. The kernel hands a quota out in slices and takes back what is left of one at the end
 * of a period, so that a group which waits all the time may have used 95 % of its quota, and by that alone would look
 * as if there were something left. The quota may be that of a group around the server's own, which a neighbour can use
 * up: then the server is none the fuller for it. Not thread-safe.
 */
public final class QuotaClock {
    /** In so many periods that follow each other it was made to wait: in one, chance does it. */
    private static final int LEAST_PERIODS = 3;
    /** A server by which a quota is used up has used most of it itself. */
    private static final double LEAST_SHARE = 0.5;
    /** The kernel accepts no longer period; one in which nothing runs is not counted. */
    private static final long LONGEST_PERIOD_NANOS = 1_000_000_000;

    private static final double NANOS_PER_SECOND = 1e9;

    private long periods;
    private long waited;
    private long grownNanos;
    private boolean hasBegun;
    /** Where its own use is counted from: the newest moment but one of these, a few periods apart. */
    private Mark before = new Mark(0, 0, 0);

    private Mark newest = before;
    private boolean isExhausted;

    /** The counter of periods at some moment, and what the server had used by then, in seconds of the whole quota. */
    private record Mark(long periods, double used, long nanos) {}

    /**
     * Takes in one reading of the counters.
     *
     * @param periodsNow in which the group ran since it was made ({@code nr_periods}); -1 if it has no quota now
     * @param waitedNow those of them in which its quota was used up ({@code nr_throttled}); -1 as well
     * @param used processor time that the server has used itself, over how many processors the quota is, in seconds
     * @param nowNanos monotonic time
     * @return whether the quota was used up in each of the newest periods, and by the server
     */
    public boolean after(long periodsNow, long waitedNow, double used, long nowNanos) {
        long more = periodsNow - periods;
        boolean isAnotherGroup = !hasBegun || more < 0 || waitedNow < waited || used < newest.used;
        boolean isIdle = more == 0 && nowNanos - grownNanos > LONGEST_PERIOD_NANOS;
        if (isAnotherGroup || isIdle || waitedNow - waited < more) {
            newest = new Mark(periodsNow, used, nowNanos);
            before = newest;
            isExhausted = false;
        } else if (periodsNow - newest.periods >= LEAST_PERIODS) {
            double share = (used - before.used) * NANOS_PER_SECOND / Math.max(1, nowNanos - before.nanos);
            isExhausted = share >= LEAST_SHARE;
            before = newest;
            newest = new Mark(periodsNow, used, nowNanos);
        }
        if (isAnotherGroup || more > 0) {
            grownNanos = nowNanos;
        }
        hasBegun = periodsNow >= 0;
        periods = periodsNow;
        waited = waitedNow;
        return isExhausted;
    }
}
