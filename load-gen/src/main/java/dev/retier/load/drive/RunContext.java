package dev.retier.load.drive;

/**
 * What the event loops of one run share.
 *
 * @param plan the plan
 * @param feed where events come from
 * @param desk where they go
 * @param startNanos {@link System#nanoTime()} at the start of the run
 */
record RunContext(LoadPlan plan, EventFeed feed, TargetDesk desk, long startNanos) {
    /** Nanoseconds since the start of the run. */
    long nowNanos() {
        return System.nanoTime() - startNanos;
    }
}
