package dev.retier.load.drive;

import dev.retier.load.measure.RunMeter;
import dev.retier.load.trace.TraceEvent;
import io.netty.channel.EventLoop;
import org.jspecify.annotations.Nullable;

/** Each client takes the events of its own trace clients: they are due when it is free. */
final class SessionSource implements WorkSource {
    private final SessionDesk desk;
    private final EventLoop loop;
    private final RunMeter meter;
    private boolean ended;

    SessionSource(SessionDesk desk, EventLoop loop, RunMeter meter) {
        this.desk = desk;
        this.loop = loop;
        this.meter = meter;
    }

    @Override
    public void start() {}

    @Override
    public @Nullable Work take(Client client, long nowNanos) {
        TraceEvent event = desk.take(client.number(), () -> loop.execute(client::next));
        if (event == null) {
            return null;
        }
        meter.sent(event, nowNanos);
        return new Work(event, nowNanos);
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
