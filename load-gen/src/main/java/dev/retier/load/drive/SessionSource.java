package dev.retier.load.drive;

import dev.retier.load.measure.Work;
import dev.retier.traces.TraceEvent;
import io.netty.channel.EventLoop;
import org.jspecify.annotations.Nullable;

/** Each client takes the events of its own trace clients: they are due when it is free. */
final class SessionSource implements WorkSource {
    private final SessionDesk desk;
    private final EventLoop loop;
    private final Account account;
    private boolean ended;

    SessionSource(SessionDesk desk, EventLoop loop, Account account) {
        this.desk = desk;
        this.loop = loop;
        this.account = account;
    }

    @Override
    public void start() {}

    @Override
    public @Nullable Work take(Client client, long nowNanos) {
        TraceEvent event = desk.take(client.number(), () -> loop.execute(client::wakeParked));
        if (event == null) {
            return null;
        }
        Work due = Work.due(event, nowNanos);
        account.sent(due, nowNanos);
        return due;
    }

    @Override
    public boolean isOver() {
        return ended || desk.isExhausted();
    }

    @Override
    public void end(long nowNanos) {
        ended = true;
    }
}
