package dev.retier.undertow.upstream;

import dev.retier.undertow.role.AppTarget;
import dev.retier.undertow.status.NodeStatus;
import dev.retier.undertow.status.Tally;
import io.undertow.client.ClientCallback;
import io.undertow.client.ClientConnection;
import io.undertow.client.UndertowClient;
import io.undertow.connector.ByteBufferPool;
import java.io.IOException;
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
import org.xnio.OptionMap;
import org.xnio.Options;
import org.xnio.XnioIoThread;

/**
 * One app node as a proxy sees it. It outlives the configuration that named it, for as long as a newer one names the
 * same node at the same address. Thread-safe: counters are atomic, and idle connections stay with the I/O thread that
 * made them.
 */
public final class Upstream {
    /** Below the 60 s after which Undertow closes an idle connection by default, so that few are found closed. */
    private static final long MAX_IDLE_NANOS = TimeUnit.SECONDS.toNanos(30);

    private static final OptionMap SOCKET = OptionMap.create(Options.TCP_NODELAY, true);

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

    /** A connection to it. */
    public interface Opened {
        /** It is open; {@code reused} when it was used before. */
        void opened(ClientConnection connection, boolean reused);

        /** It could not be made. */
        void failed(String reason);
    }

    boolean isAt(AppTarget other) {
        return target.node().equals(other.node()) && target.address().equals(other.address());
    }

    /** Its name. */
    public String node() {
        return target.node();
    }

    /** The limits that count for it. */
    public UpstreamLimits limits() {
        return settings.limits();
    }

    int inFlight() {
        return inFlight.get();
    }

    /** A request is sent there; {@link #leave} follows once. */
    public void enter() {
        inFlight.incrementAndGet();
    }

    /** That request is over there. */
    public void leave() {
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

    /**
     * Tells {@code whenOpen} of a connection, exactly once.
     *
     * @param thread the calling I/O thread, on which {@code whenOpen} is called
     * @param buffers where a new connection takes its buffers
     * @param freshOnly whether one that was used before will not do
     */
    public void open(XnioIoThread thread, ByteBufferPool buffers, boolean freshOnly, Opened whenOpen) {
        ClientConnection idle = freshOnly ? null : takeIdle(thread, System.nanoTime());
        if (idle != null) {
            whenOpen.opened(idle, true);
        } else {
            connect(thread, buffers, whenOpen);
        }
    }

    private void connect(XnioIoThread thread, ByteBufferPool buffers, Opened whenOpen) {
        ClientCallback<ClientConnection> callback = new ClientCallback<>() {
            @Override
            public void completed(ClientConnection connection) {
                whenOpen.opened(connection, false);
            }

            @Override
            public void failed(IOException reason) {
                whenOpen.failed(reason.toString());
            }
        };
        try {
            URI uri = URI.create("http://" + target.address());
            UndertowClient.getInstance().connect(callback, uri, thread, buffers, SOCKET);
        } catch (RuntimeException e) { // an unknown host name surfaces as UnresolvedAddressException
            whenOpen.failed(e.toString());
        }
    }

    /** An open connection that is in no use, if there is one. Called on {@code thread}. */
    private @Nullable ClientConnection takeIdle(XnioIoThread thread, long nowNanos) {
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
    public void giveBack(ClientConnection connection, XnioIoThread thread, long nowNanos) {
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
