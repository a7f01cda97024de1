package dev.retier.load.drive;

import dev.retier.load.measure.FailureKind;
import dev.retier.load.record.RequestFile;
import org.jspecify.annotations.Nullable;

/**
 * What the event loops of one run share.
 *
 * @param plan the plan
 * @param feed where events come from
 * @param desk where they go
 * @param sessions the same events by client
 * @param cpu CPU time of the event loops
 * @param faults mistakes of the generator itself
 * @param causes what the system said of failures
 * @param tls for targets spoken to over TLS
 * @param requests where every request is written down; null: nowhere
 * @param startNanos {@link System#nanoTime()} at the start of the run
 */
record RunContext(
        LoadPlan plan,
        EventFeed feed,
        TargetDesk desk,
        SessionDesk sessions,
        LoopCpu cpu,
        Faults faults,
        FirstCauses causes,
        TlsContext tls,
        @Nullable RequestFile requests,
        long startNanos) {
    /** Nanoseconds since the start of the run. */
    long nowNanos() {
        return System.nanoTime() - startNanos;
    }

    /** Why the status of a complete answer is no good one; null when it is. */
    @Nullable
    FailureKind statusFailure(int status) {
        FailureKind failure = plan.good().failure(status);
        if (failure != null) {
            causes.add(failure, status);
        }
        return failure;
    }
}
