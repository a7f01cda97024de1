package dev.retier.load.drive;

import dev.retier.load.measure.Attempt;
import dev.retier.load.measure.Work;
import dev.retier.load.schedule.Pacing;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Requests fall due at absolute times. One that finds no free client waits in a queue, and keeps its due time, so that
 * its response time says what a user would have seen; one that finds the queue full is dropped and counted.
 *
 * <p>Each event loop holds one event of the trace ahead and a timer for it: the loops take turns by themselves.
 */
final class OpenLoopSource implements WorkSource {
    /** Requests handled in one go before the sockets get their turn. */
    private static final int MOST_AT_ONCE = 256;

    /** Closer than this, waiting for the timer takes longer than the time itself: such a request is waited for here. */
    private static final long NOW_NANOS = 2_000;

    private static final long AFTER_FAULT_NANOS = 10_000_000L;

    private final RunContext context;
    private final Pacing.OpenLoop pacing;
    private final EventLoop loop;
    private final Account account;
    private final ArrayDeque<Queued> queue = new ArrayDeque<>();

    /** First in, first out: the clients take turns, so that all targets get their share at any rate. */
    private final ArrayDeque<Client> parked = new ArrayDeque<>();

    private final int maxQueued;
    /** What is due then, or later, is no part of the run. */
    private final long endNanos;

    private final Runnable wake;
    private final Runnable pump = this::guardedPump;
    private int queuedWeight;
    private @Nullable Work ahead;
    private @Nullable Future<?> timer;
    private boolean exhausted;
    private int resting;
    private long restingSinceNanos;
    /** How long a client or more has rested, up to {@link #restingSinceNanos}. */
    private long restedNanos;

    /**
     * A request that waits for a client.
     *
     * @param restedBeforeNanos how long clients had rested by then
     */
    private record Queued(Work work, long restedBeforeNanos) {}

    OpenLoopSource(RunContext context, Pacing.OpenLoop pacing, EventLoop loop, Account account) {
        this.context = context;
        this.pacing = pacing;
        this.loop = loop;
        this.account = account;
        this.maxQueued = context.plan().maxQueued();
        Duration duration = context.plan().duration();
        this.endNanos = duration == null ? Long.MAX_VALUE : duration.toNanos();
        this.wake = () -> loop.execute(pump);
    }

    @Override
    public void start() {
        TimerSlack.minimise();
        guardedPump();
    }

    @Override
    public @Nullable Work take(Client client, long nowNanos) {
        Queued waiting = queue.poll();
        if (waiting == null) {
            if (!isOver()) {
                parked.add(client);
            }
            return null;
        }
        queuedWeight -= waiting.work().event().weight();
        return waitedUntil(nowNanos, waiting);
    }

    @Override
    public void rests(long nowNanos) {
        restedNanos = rested(nowNanos);
        restingSinceNanos = nowNanos;
        resting++;
    }

    @Override
    public void hasRested(long nowNanos) {
        restedNanos = rested(nowNanos);
        restingSinceNanos = nowNanos;
        resting--;
    }

    private Work waitedUntil(long nowNanos, Queued waiting) {
        return waiting.work().rested(rested(nowNanos) - waiting.restedBeforeNanos());
    }

    private long rested(long nowNanos) {
        return restedNanos + (resting > 0 ? nowNanos - restingSinceNanos : 0);
    }

    @Override
    public boolean isOver() {
        return exhausted && queue.isEmpty();
    }

    @Override
    public void end(long nowNanos) {
        if (timer != null) {
            timer.cancel(false);
        }
        // What was due before the end has to be told of, although nobody will send it.
        long lastNanos = Math.min(nowNanos, endNanos - 1);
        for (Work next = lookAhead(); next != null && next.dueNanos() <= lastNanos; next = lookAhead()) {
            ahead = null;
            account.sent(next, nowNanos);
            drop(next.late(nowNanos - next.dueNanos()), nowNanos, nowNanos - next.dueNanos());
        }
        exhausted = true;
        long overNanos = context.nowNanos();
        for (Queued given = queue.poll(); given != null; given = queue.poll()) {
            drop(
                    waitedUntil(overNanos, given),
                    overNanos,
                    overNanos - given.work().dueNanos());
        }
        queuedWeight = 0;
        ahead = null;
    }

    /** A mistake in here must not end the sending. */
    private void guardedPump() {
        try {
            pump();
        } catch (RuntimeException | Error e) {
            context.faults().add(e);
            timer = loop.schedule(pump, AFTER_FAULT_NANOS, TimeUnit.NANOSECONDS);
        }
    }

    private void pump() {
        timer = null;
        for (int i = 0; i < MOST_AT_ONCE && !exhausted; i++) {
            Work next = lookAhead();
            if (next == null) {
                if (exhausted) {
                    releaseParked();
                }
                return;
            }
            long leftNanos = next.dueNanos() - context.nowNanos();
            if (next.dueNanos() >= endNanos) {
                return; // the clock ends the run
            }
            if (leftNanos > NOW_NANOS) {
                timer = loop.schedule(pump, leftNanos, TimeUnit.NANOSECONDS);
                return;
            }
            ahead = null;
            fire(next, whenDue(next));
        }
        if (!exhausted) {
            loop.execute(pump);
        }
    }

    private @Nullable Work lookAhead() {
        if (ahead == null) {
            ahead = context.feed().take(pacing, wake);
            exhausted = ahead == null && context.feed().end() != null;
        }
        return ahead;
    }

    /** The time, as soon as {@code work} is due: nothing is sent before that. */
    private long whenDue(Work work) {
        long nowNanos = context.nowNanos();
        while (nowNanos < work.dueNanos()) {
            Thread.onSpinWait();
            nowNanos = context.nowNanos();
        }
        return nowNanos;
    }

    private void fire(Work work, long nowNanos) {
        account.sent(work, nowNanos);
        Work late = work.late(nowNanos - work.dueNanos());
        if (queuedWeight >= maxQueued) {
            // Nobody will answer it, ever: no sooner than what times out.
            drop(late, nowNanos, context.plan().requestTimeout().toNanos());
            return;
        }
        queue.add(new Queued(late, rested(nowNanos)));
        queuedWeight += work.event().weight();
        Client free = parked.poll();
        if (free != null) {
            free.next();
        } else if (context.plan().streams() != null) {
            account.meter().streams().queued();
        }
    }

    private void drop(Work work, long nowNanos, long responseNanos) {
        account.over(new Attempt(work, "", nowNanos, nowNanos).dropped(responseNanos));
    }

    /** The trace is over: clients that wait for work have none to wait for. */
    private void releaseParked() {
        for (Client client = parked.poll(); client != null; client = parked.poll()) {
            client.next();
        }
    }
}
