package dev.retier.load.drive;

import dev.retier.load.measure.RunMeter;
import dev.retier.load.schedule.Pacing;
import io.netty.channel.EventLoop;
import org.jspecify.annotations.Nullable;

/** Where the clients of one event loop get their requests. On that loop. */
interface WorkSource {
    /** Gets going, once the clients exist. */
    void start();

    /** The next request for {@code client}; null when there is none now, in which case the client parks. */
    @Nullable
    Work take(Client client, long nowNanos);

    /** Whether a parked client has nothing more to wait for. */
    boolean isOver();

    /** The run ends: what waits is given up. */
    void end(long nowNanos);

    /** Makes one. */
    @FunctionalInterface
    interface Factory {
        /** For the clients on {@code loop}, whose requests {@code meter} counts. */
        WorkSource newSource(RunContext context, EventLoop loop, RunMeter meter);
    }

    /** The one for the pacing of the plan. */
    static WorkSource of(RunContext context, EventLoop loop, RunMeter meter) {
        return switch (context.plan().pacing()) {
            case Pacing.ClosedLoop _ -> new ClosedLoopSource(context, meter);
            case Pacing.Sessions _ -> new SessionSource(context.sessions(), loop, meter);
            case Pacing.OpenLoop open -> new OpenLoopSource(context, open, loop, meter);
        };
    }
}
