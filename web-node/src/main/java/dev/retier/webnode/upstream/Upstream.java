package dev.retier.webnode.upstream;

import dev.retier.webnode.config.AppTarget;
import dev.retier.webnode.measure.NodeStatus;
import dev.retier.webnode.measure.Tally;
import io.undertow.client.ClientConnection;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.xnio.IoUtils;
import org.xnio.XnioIoThread;

/**
 * One app node as a proxy sees it. It outlives the configuration that named it, for as long as a newer one names the
 * same node at the same address. Thread-safe: counters are atomic, and idle connections stay with the I/O thread that
 * made them.
 */
final class Upstream {
    /** Below the 60 s after which a web-node closes an idle connection, so that few are found closed. */
    private static final long MAX_IDLE_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final AppTarget target;
    private final UpstreamSettings settings;
    private final AtomicInteger inFlight = new AtomicInteger();
    private final LongAdder failures = new LongAdder();
    private final Map<XnioIoThread, Deque<Idle>> idleByThread = new ConcurrentHashMap<>();
    private volatile long benchedUntilNanos = System.nanoTime();
    private volatile boolean retired;

    private record Idle(ClientConnection connection, long sinceNanos) {}

    Upstream(AppTarget target, UpstreamSettings settings) {
        this.target = target;
        this.settings = settings;
    }

    boolean isAt(AppTarget other) {
        return target.node().equals(other.node()) && target.address().equals(other.address());
    }

    String node() {
        return target.node();
    }

    URI uri() {
        return URI.create("http://" + target.address());
    }

    UpstreamSettings settings() {
        return settings;
    }

    int inFlight() {
        return inFlight.get();
    }

    void enter() {
        inFlight.incrementAndGet();
    }

    void leave() {
        inFlight.decrementAndGet();
    }

    boolean isBenched(long nowNanos) {
        return benchedUntilNanos - nowNanos > 0;
    }

    /** A new connection to it failed, or it did not answer in time. */
    void bench(long nowNanos) {
        benchedUntilNanos =
                nowNanos + TimeUnit.MILLISECONDS.toNanos(settings.limits().benchMillis());
    }

    void countFailure() {
        failures.increment();
        settings.counters().add(Tally.UPSTREAM_FAILURES);
    }

    /** An open connection that is in no use, if there is one. Called on {@code thread}. */
    @Nullable
    ClientConnection takeIdle(XnioIoThread thread, long nowNanos) {
        Deque<Idle> idle = idleOf(thread);
        for (Idle candidate = idle.pollLast(); candidate != null; candidate = idle.pollLast()) {
            if (candidate.connection.isOpen() && nowNanos - candidate.sinceNanos < MAX_IDLE_NANOS) {
                return candidate.connection;
            }
            IoUtils.safeClose(candidate.connection);
        }
        return null;
    }

    /** Takes back a connection whose answer was read to its end. Called on {@code thread}. */
    void giveBack(ClientConnection connection, XnioIoThread thread, long nowNanos) {
        Deque<Idle> idle = idleOf(thread);
        if (retired || !connection.isOpen() || idle.size() >= settings.limits().idleConnectionsPerApp()) {
            IoUtils.safeClose(connection);
        } else {
            idle.addLast(new Idle(connection, nowNanos));
        }
    }

    /** Drops the idle connections of {@code thread}: one of them was found dead. Called on {@code thread}. */
    void dropIdle(XnioIoThread thread) {
        Deque<Idle> idle = idleOf(thread);
        for (Idle candidate = idle.poll(); candidate != null; candidate = idle.poll()) {
            IoUtils.safeClose(candidate.connection);
        }
    }

    /** No configuration names it any more: requests on their way finish, then connections close. */
    void retire() {
        retired = true;
        for (XnioIoThread thread : idleByThread.keySet()) {
            try {
                thread.execute(() -> dropIdle(thread));
            } catch (RejectedExecutionException e) {
                dropIdle(thread); // the thread has ended, so nobody else touches its connections
            }
        }
    }

    NodeStatus.Upstream status(int weight, long nowNanos) {
        return new NodeStatus.Upstream(
                target.node(), target.address().toString(), weight, inFlight(), failures.sum(), isBenched(nowNanos));
    }

    private Deque<Idle> idleOf(XnioIoThread thread) {
        return idleByThread.computeIfAbsent(thread, any -> new ArrayDeque<>());
    }
}
