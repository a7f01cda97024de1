package dev.retier.load.drive;

/**
 * What the event loops of one run share.
 *
 * @param plan the plan
 * @param feed where events come from
 * @param desk where they go
 * @param sessions the same events by client
 * @param cpu CPU time of the event loops
 * @param faults mistakes of the generator itself
 * @param tls for targets spoken to over TLS
 * @param startNanos {@link System#nanoTime()} at the start of the run
 */
record RunContext(
        LoadPlan plan,
        EventFeed feed,
        TargetDesk desk,
        SessionDesk sessions,
        LoopCpu cpu,
        Faults faults,
        TlsContext tls,
        long startNanos) {
    /** Nanoseconds since the start of the run. */
    long nowNanos() {
        return System.nanoTime() - startNanos;
    }
}
