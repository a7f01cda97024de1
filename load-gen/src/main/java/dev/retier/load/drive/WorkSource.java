package dev.retier.load.drive;

import dev.retier.load.measure.Work;
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

    /** A client rests after its connection has failed, and takes nothing until it has rested. */
    default void rests(long nowNanos) {}

    /** As many times as {@link #rests}. */
    default void hasRested(long nowNanos) {}

    /** The run ends: what waits is given up. */
    void end(long nowNanos);

    /** Makes one. */
    @FunctionalInterface
    interface Factory {
        /** For the clients on {@code loop}, whose requests {@code account} counts. */
        WorkSource newSource(RunContext context, EventLoop loop, Account account);
    }

    /** The one for the pacing of the plan. */
    static WorkSource of(RunContext context, EventLoop loop, Account account) {
        return switch (context.plan().pacing()) {
            case Pacing.ClosedLoop _ -> new ClosedLoopSource(context, loop, account);
            case Pacing.Sessions _ -> new SessionSource(context.sessions(), loop, account);
            case Pacing.OpenLoop open -> new OpenLoopSource(context, open, loop, account);
        };
    }
}
