package dev.retier.load.drive;

import dev.retier.load.measure.Work;
import dev.retier.traces.TraceEvent;
import io.netty.channel.EventLoop;
import org.jspecify.annotations.Nullable;

/** Whoever is free takes the next event of the trace: it is due now. */
final class ClosedLoopSource implements WorkSource {
    private final RunContext context;
    private final Account account;
    private final EventLoop loop;
    private boolean over;

    ClosedLoopSource(RunContext context, EventLoop loop, Account account) {
        this.context = context;
        this.loop = loop;
        this.account = account;
    }

    @Override
    public void start() {}

    @Override
    public @Nullable Work take(Client client, long nowNanos) {
        TraceEvent event = over ? null : context.feed().take(() -> loop.execute(client::wakeParked));
        if (event == null) {
            over |= context.feed().end() != null;
            return null;
        }
        Work due = Work.due(event, nowNanos);
        account.sent(due, nowNanos);
        return due;
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
