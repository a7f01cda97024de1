package dev.retier.load.drive;

import dev.retier.load.trace.TraceEvent;

/**
 * A request to be sent.
 *
 * @param event what
 * @param dueNanos when it should have been sent, since the start of the run
 */
record Work(TraceEvent event, long dueNanos) {}
