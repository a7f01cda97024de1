package dev.retier.agent.status;

/**
 * Tells by the counters of a control group (its {@code cpu.stat}, cgroups(7)) whether it wants more of the processors
 * than its quota gives. The kernel hands a quota out in slices and takes back what is left of one at the end of a
 * period, so that a group which waits all the time may have used 95 % of its quota, and by that alone would look as if
 * there were something left. Not thread-safe.
 */
public final class QuotaClock {
    /** In so many periods that follow each other it was made to wait: in one, chance does it. */
    private static final int LEAST_PERIODS = 3;
    /** The kernel accepts no longer period; one in which nothing runs is not counted. */
    private static final long LONGEST_PERIOD_NANOS = 1_000_000_000;

    private long periods;
    private long waited;
    private long inARow;
    private long grownNanos;
    private boolean hasBegun;

    /**
     * Takes in one reading of the counters.
     *
     * @param periodsNow in which the group ran since it was made ({@code nr_periods}); -1 if it has no quota now
     * @param waitedNow those of them in which its quota was used up ({@code nr_throttled}); -1 as well
     * @param nowNanos monotonic time
     * @return whether it has waited in each of the newest periods
     */
    public boolean after(long periodsNow, long waitedNow, long nowNanos) {
        long more = periodsNow - periods;
        boolean isAnotherGroup = !hasBegun || more < 0 || waitedNow < waited;
        if (isAnotherGroup || (more == 0 && nowNanos - grownNanos > LONGEST_PERIOD_NANOS)) {
            inARow = 0;
        } else if (more > 0) {
            inARow = waitedNow - waited >= more ? inARow + more : 0;
        }
        if (isAnotherGroup || more > 0) {
            grownNanos = nowNanos;
        }
        hasBegun = periodsNow >= 0;
        periods = periodsNow;
        waited = waitedNow;
        return inARow >= LEAST_PERIODS;
    }
}
