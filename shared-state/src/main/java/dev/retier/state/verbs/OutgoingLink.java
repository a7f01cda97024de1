package dev.retier.state.verbs;

import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaEventChannel;
import dev.retier.state.NodeId;
import dev.retier.state.StateMetric;
import dev.retier.state.auth.Handshake;
import dev.retier.state.auth.Initiator;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This node's way to one peer: connects, proves the secret, and connects anew with back-off whenever the
 * connection is lost. Each node has its own connection to each other, so that who reconnects is never in doubt and
 * what a peer may do is a property of one connection.
 *
 * <p>Thread-safe. Driven by the keeper's thread ({@link #tick}, {@link #on}); messages come on the completion thread.
 *
 * @param <S> what the connection is used for
 */
public final class OutgoingLink<S extends Connection> {
    private static final Logger LOG = LoggerFactory.getLogger(OutgoingLink.class);
    private static final int RESOLVE_MILLIS = 2000;
    private static final long CONNECT_NANOS = TimeUnit.SECONDS.toNanos(3);
    /**
     * A goodbye and the end that follows it come on different threads, in any order, but the goodbye comes before the
     * queue pair says that there is no more to hear. That is waited for so long at most: a provider may not say it.
     */
    private static final long LAST_WORDS_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final LinkHost<S> local;
    private final NodeId peer;
    private final InetSocketAddress address;
    private final Backoff backoff;
    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by lock: the present try or connection; null while waiting for the next try. */
    private @Nullable Attempt attempt;
    /** Guarded by lock. */
    private long nextTryNanos;

    /** Guarded by lock: why the last try failed; the same reason again is not news. */
    private String lastComplaint = "";

    private volatile @Nullable S session;

    /** One try to connect, and the connection that came of it. Guarded by the link's lock. */
    private static final class Attempt {
        final RdmaCmId id;
        final Initiator initiator;
        final byte[] hello;
        final long deadlineNanos;

        @Nullable
        QueuePair pair;

        boolean challenged;

        /** What used the connection until it failed. */
        @Nullable
        Connection ended;

        /** Why it is over; null while it is not. */
        @Nullable
        String failure;

        long failedNanos;
        boolean wasUp;
        boolean hasLeft;
        boolean isHeardOut;

        Attempt(RdmaCmId id, Initiator initiator, byte[] hello, long deadlineNanos) {
            this.id = id;
            this.initiator = initiator;
            this.hello = hello;
            this.deadlineNanos = deadlineNanos;
        }

        boolean mayStillSpeak(long nowNanos) {
            return wasUp && !hasLeft && !isHeardOut && nowNanos - failedNanos < LAST_WORDS_NANOS;
        }

        QueuePair pair() {
            if (pair == null) {
                throw new IllegalStateException("no queue pair yet");
            }
            return pair;
        }
    }

    OutgoingLink(LinkHost<S> local, NodeId peer, InetSocketAddress address, long nowNanos) {
        this.local = local;
        this.peer = peer;
        this.address = address;
        this.backoff = new Backoff(new SplittableRandom(local.identity().incarnation() + peer.value()));
        this.nextTryNanos = nowNanos;
    }

    NodeId peer() {
        return peer;
    }

    /** The connection, if it is up and the peer has proven the secret. */
    public Optional<S> session() {
        return Optional.ofNullable(session);
    }

    /**
     * Starts a try that is due, gives up one that takes too long or has broken.
     *
     * @return the identifier of a try that was just started, so that its events find their way here
     */
    Optional<RdmaCmId> tick(RdmaEventChannel channel, long nowNanos) {
        lock.lock();
        try {
            Attempt current = attempt;
            if (current == null) {
                return nowNanos - nextTryNanos >= 0 ? start(channel, nowNanos) : Optional.empty();
            }
            if (session == null && nowNanos - current.deadlineNanos > 0) {
                fail(current, "no answer in " + TimeUnit.NANOSECONDS.toSeconds(CONNECT_NANOS) + " s");
            }
            if (stalled(nowNanos)) {
                local.counters().count(StateMetric.CONNECTIONS_STALLED);
                fail(current, "an operation was not answered in time");
            }
            if (current.failure != null && !(local.saysGoodbye() && current.mayStillSpeak(nowNanos))) {
                tellLoss(current);
                drop(current, nowNanos);
            }
            return Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    /** Takes an event of the connection manager for {@code id}. */
    void on(RdmaCmEvent event, RdmaCmId id) {
        lock.lock();
        try {
            Attempt current = attempt;
            if (current == null || !current.id.equals(id) || current.failure != null) {
                return;
            }
            try {
                step(current, event);
            } catch (IOException failed) {
                fail(current, String.valueOf(failed.getMessage()));
            }
        } finally {
            lock.unlock();
        }
    }

    private void received(byte[] message) {
        lock.lock();
        try {
            Attempt current = attempt;
            if (current == null) {
                return;
            }
            if (session == null && !current.wasUp && current.failure == null) {
                answer(current, message);
            } else if (Goodbye.isSaidBy(message)) {
                current.hasLeft = true;
                fail(current, "it has left");
            }
        } catch (IOException failed) {
            broken(String.valueOf(failed.getMessage()));
        } finally {
            lock.unlock();
        }
    }

    private void broken(String reason) {
        lock.lock();
        try {
            if (attempt != null) {
                fail(attempt, reason);
            }
        } finally {
            lock.unlock();
        }
    }

    void close() {
        lock.lock();
        try {
            Attempt current = attempt;
            if (current != null) {
                current.failure = "closed";
                abortSession(current, "this node closed the connection");
                drop(current, System.nanoTime());
            }
        } finally {
            lock.unlock();
        }
    }

    private Optional<RdmaCmId> start(RdmaEventChannel channel, long nowNanos) {
        try {
            RdmaCmId id = channel.createId(RdmaCm.RDMA_PS_TCP);
            Initiator initiator = new Initiator(local.asking(), local.identity(), peer);
            attempt = new Attempt(id, initiator, initiator.hello(local.nonce()), nowNanos + CONNECT_NANOS);
            id.resolveAddr(null, address, RESOLVE_MILLIS);
            return Optional.of(id);
        } catch (IOException failed) {
            LOG.debug("{} cannot try {}: {}", local.identity().node(), peer, failed.toString());
            if (attempt == null) {
                nextTryNanos = nowNanos + backoff.afterFailureNanos();
            } else {
                drop(attempt, nowNanos);
            }
            return Optional.empty();
        }
    }

    private void step(Attempt current, RdmaCmEvent event) throws IOException {
        switch (EventTypes.of(event)) {
            case RDMA_CM_EVENT_ADDR_RESOLVED -> current.id.resolveRoute(RESOLVE_MILLIS);
            case RDMA_CM_EVENT_ROUTE_RESOLVED -> {
                current.pair = new QueuePair(
                        current.id, local.outgoing(current.id.getVerbs()), local.sizes(), listenerOf(current));
                PrivateData.pass(current.hello, current.id::connect);
            }
            case RDMA_CM_EVENT_ESTABLISHED -> established(current, PrivateData.of(event));
            case RDMA_CM_EVENT_REJECTED -> fail(current, "it refuses the connection");
            case RDMA_CM_EVENT_DISCONNECTED -> fail(current, "it closed the connection");
            case RDMA_CM_EVENT_ADDR_ERROR, RDMA_CM_EVENT_ROUTE_ERROR, RDMA_CM_EVENT_UNREACHABLE ->
                fail(current, "it cannot be reached");
            case RDMA_CM_EVENT_CONNECT_ERROR -> fail(current, "the connection could not be set up");
            default -> LOG.debug("{} ignores event {}", peer, event.getEvent());
        }
    }

    private void established(Attempt current, byte[] challenge) throws IOException {
        if (challenge.length == 0) {
            current.pair().send(ByteBuffer.wrap(current.hello), listenerOf(current));
        } else {
            answer(current, challenge);
        }
    }

    private void answer(Attempt current, byte[] message) throws IOException {
        Handshake next =
                current.challenged ? current.initiator.welcomed(message) : current.initiator.challenged(message);
        current.challenged = true;
        switch (next) {
            case Handshake.Send(ByteBuffer proof) -> current.pair().send(proof, listenerOf(current));
            case Handshake.Welcomed welcomed -> up(current, welcomed);
            case Handshake.Refused(String reason) -> fail(current, reason);
            case Handshake.Proven _ -> throw new IllegalStateException("only a responder judges a proof");
        }
    }

    private void up(Attempt current, Handshake.Welcomed welcomed) throws IOException {
        session = local.connected(
                new LinkHost.Ready(
                        current.pair(),
                        local.completions(current.id.getVerbs()),
                        welcomed.peer(),
                        listenerOf(current)::broken),
                welcomed.grant());
        backoff.succeeded();
        lastComplaint = "";
        LOG.info("{} sees {} at {}", local.identity().node(), peer, address);
    }

    /** Events of a connection that has been replaced must not touch its successor. */
    private QueuePair.Listener listenerOf(Attempt current) {
        return new QueuePair.Listener() {
            @Override
            public void received(byte[] message) {
                ifPresent(() -> OutgoingLink.this.received(message));
            }

            @Override
            public void broken(String reason) {
                ifPresent(() -> OutgoingLink.this.broken(reason));
            }

            @Override
            public void heardOut(int terminateWord) {
                ifPresent(() -> current.isHeardOut = true);
            }

            @Override
            public void immediate(int value) {
                S up = ifMine();
                if (up != null) {
                    up.immediate(value);
                }
            }

            private @Nullable S ifMine() {
                lock.lock();
                try {
                    return current.equals(attempt) ? session : null;
                } finally {
                    lock.unlock();
                }
            }

            private void ifPresent(Runnable action) {
                lock.lock();
                try {
                    if (current.equals(attempt)) {
                        action.run();
                    }
                } finally {
                    lock.unlock();
                }
            }
        };
    }

    private boolean stalled(long nowNanos) {
        S up = session;
        return up != null
                && nowNanos - up.oldestNanos(nowNanos)
                        > local.links().stallBound().toNanos();
    }

    /** Marks the attempt; the keeper's next tick frees it, since a completion must not free its own queue pair. */
    private void fail(Attempt current, String reason) {
        if (current.failure == null) {
            current.failure = reason;
            current.failedNanos = System.nanoTime();
            current.wasUp = abortSession(current, reason);
            if (!current.wasUp && !reason.equals(lastComplaint)) {
                LOG.info("{} cannot see {} at {} yet: {}", local.identity().node(), peer, address, reason);
                lastComplaint = reason;
            }
        }
    }

    /** Says what became of a connection that was up, once a goodbye has had time to be read. */
    private void tellLoss(Attempt over) {
        if (!over.wasUp) {
            return;
        }
        NodeId self = local.identity().node();
        if (over.hasLeft) {
            local.counters().count(StateMetric.CONNECTIONS_LEFT);
            LOG.info("{} no longer sees {} at {}: it has left", self, peer, address);
        } else {
            local.counters().count(StateMetric.CONNECTIONS_LOST);
            LOG.warn("{} lost {} at {}: {}", self, peer, address, over.failure);
        }
    }

    private boolean abortSession(Attempt current, String reason) {
        S up = session;
        session = null;
        if (up != null) {
            current.ended = up;
            up.abort(reason);
        }
        return up != null;
    }

    private void drop(Attempt current, long nowNanos) {
        if (current.pair != null) {
            current.pair.destroy();
            if (current.ended != null) {
                current.ended.freed();
            }
        } else {
            destroyId(current.id);
        }
        attempt = null;
        nextTryNanos = nowNanos + backoff.afterFailureNanos();
    }

    private static void destroyId(RdmaCmId id) {
        try {
            id.destroyId();
        } catch (IOException failed) {
            LOG.debug("could not destroy an id: {}", failed.toString());
        }
    }
}
