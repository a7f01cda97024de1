package dev.retier.load.drive;

import dev.retier.load.measure.Work;
import dev.retier.traces.TraceEvent;
import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** Whoever is free takes the next event of the trace: it is due now. */
final class ClosedLoopSource implements WorkSource {
    private final RunContext context;
    private final Account account;
    /** Those whom the trace had nothing for yet, first in, first out. */
    private final ArrayDeque<Client> parked = new ArrayDeque<>();

    private final Runnable wake;
    private boolean over;

    ClosedLoopSource(RunContext context, EventLoop loop, Account account) {
        this.context = context;
        this.wake = () -> loop.execute(this::serve);
        this.account = account;
    }

    @Override
    public void start() {}

    @Override
    public @Nullable Work take(Client client, long nowNanos) {
        TraceEvent event = over ? null : context.feed().take(wake);
        if (event == null) {
            over |= context.feed().end() != null;
            if (!over) {
                parked.add(client);
            }
            return null;
        }
        Work due = Work.due(event, nowNanos);
        account.sent(due, nowNanos);
        return due;
    }

    /** There may be events again: as many of those who wait are served as there are. */
    private void serve() {
        Client client = parked.poll();
        while (client != null) {
            client.wakeParked();
            client = client.equals(parked.peekLast()) ? null : parked.poll();
        }
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
