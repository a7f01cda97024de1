package dev.retier.load.drive;

/**
 * What the event loops of one run share.
 *
 * @param plan the plan
 * @param feed where events come from
 * @param desk where they go
 * @param sessions the same events by client
 * @param cpu CPU time of the event loops
 * @param startNanos {@link System#nanoTime()} at the start of the run
 */
record RunContext(LoadPlan plan, EventFeed feed, TargetDesk desk, SessionDesk sessions, LoopCpu cpu, long startNanos) {
    /** Nanoseconds since the start of the run. */
    long nowNanos() {
        return System.nanoTime() - startNanos;
    }
}
