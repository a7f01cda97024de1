package dev.retier.load.measure;

import dev.retier.traces.TraceEvent;

/**
 * A request to be sent, and how long the generator itself kept it.
 *
 * @param event what
 * @param dueNanos when it should have been sent, since the start of the run
 * @param lateNanos open loop: from then until the generator got to it, from 0
 * @param restedNanos open loop: how long it waited after that while clients rested, after connections that had failed
 */
public record Work(TraceEvent event, long dueNanos, long lateNanos, long restedNanos) {
    /** Due at {@code dueNanos}, and not kept by anybody so far. */
    public static Work due(TraceEvent event, long dueNanos) {
        return new Work(event, dueNanos, 0, 0);
    }

    /** The same, reached {@code nanos} after its time. */
    public Work late(long nanos) {
        return new Work(event, dueNanos, nanos, restedNanos);
    }

    /** The same, having waited {@code nanos} while clients rested. */
    public Work rested(long nanos) {
        return nanos == 0 ? this : new Work(event, dueNanos, lateNanos, nanos);
    }

    /** How long the generator itself kept it. */
    public long ownNanos() {
        return lateNanos + restedNanos;
    }
}
