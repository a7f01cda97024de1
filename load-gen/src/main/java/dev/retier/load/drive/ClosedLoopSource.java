package dev.retier.load.drive;

import dev.retier.load.measure.RunMeter;
import dev.retier.load.trace.TraceEvent;
import org.jspecify.annotations.Nullable;

/** Whoever is free takes the next event of the trace: it is due now. */
final class ClosedLoopSource implements WorkSource {
    private final RunContext context;
    private final RunMeter meter;
    private boolean over;

    ClosedLoopSource(RunContext context, RunMeter meter) {
        this.context = context;
        this.meter = meter;
    }

    @Override
    public void start() {}

    @Override
    public @Nullable Work take(Client client, long nowNanos) {
        TraceEvent event = context.feed().take();
        if (event == null) {
            over = true;
            return null;
        }
        meter.sent(event, nowNanos);
        return new Work(event, nowNanos);
    }

    @Override
    public boolean isOver() {
        return over;
    }

    @Override
    public void end(long nowNanos) {
        over = true;
    }
}
