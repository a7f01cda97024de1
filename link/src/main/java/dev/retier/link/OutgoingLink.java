package dev.retier.link;

import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaEventChannel;
import dev.retier.link.auth.Terms;
import dev.retier.link.core.Outgoing;
import dev.retier.link.core.Outgoing.Effect;
import dev.retier.link.core.Outgoing.Event;
import dev.retier.verbs.EventDetail;
import dev.retier.verbs.KnownPeer;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This node's way to one peer: does what {@link Outgoing} decides. Each node has its own connection to each other, so
 * that who reconnects is never in doubt and what a peer may do is a property of one connection.
 *
 * <p>Thread-safe. Driven by the keeper's thread ({@link #tick}, {@link #on}); messages come on the completion thread.
 *
 * @param <S> what the connection is used for
 */
public final class OutgoingLink<S extends Connection> {
    private static final Logger LOG = LoggerFactory.getLogger(OutgoingLink.class);
    private static final int RESOLVE_MILLIS = 2000;

    private final LinkHost<S> local;
    /** What both are called in the log. */
    private final String me;

    private final String them;
    private final NodeId peer;
    private final Optional<InetSocketAddress> from;
    private final InetSocketAddress address;
    private final RdmaEventChannel channel;
    /** Guarded by this. */
    private final Outgoing life;
    /** Guarded by this: the present try or connection; null between tries. */
    private @Nullable Attempt attempt;

    private volatile @Nullable S session;

    /** What the peer said in the present connection, or the last one. */
    private volatile @Nullable Terms terms;

    /** One try to connect, and the connection that came of it. Guarded by the link's lock. */
    private final class Attempt implements QueuePair.Listener {
        final RdmaCmId id;
        final byte[] hello;

        @Nullable
        QueuePair pair;

        /** What used the connection until it failed. */
        @Nullable
        Connection ended;

        Attempt(RdmaCmId id, byte[] hello) {
            this.id = id;
            this.hello = hello;
        }

        @Override
        public void received(byte[] message) {
            take(this, new Event.Received(message));
        }

        @Override
        public void broken(String reason) {
            take(this, new Event.Broken(reason));
        }

        @Override
        public void heardOut(int terminateWord) {
            take(this, new Event.HeardOut());
        }

        @Override
        public void immediate(int value) {
            S up = session;
            if (up != null && this.equals(attempt)) {
                up.immediate(value);
            }
        }
    }

    /**
     * A way that is tried from the next tick on.
     *
     * @param from this node's own address, whose device is used; none, or one of another kind of IP, leaves it to the
     *     routing table
     */
    OutgoingLink(
            LinkHost<S> local,
            NodeId peer,
            Optional<InetSocketAddress> from,
            InetSocketAddress address,
            RdmaEventChannel channel) {
        this.local = local;
        this.me = local.called(local.self());
        this.them = local.called(peer);
        this.peer = peer;
        this.from = from.filter(
                own -> own.getAddress() instanceof Inet4Address == address.getAddress() instanceof Inet4Address);
        this.address = address;
        this.channel = channel;
        Outgoing.Setup setup = new Outgoing.Setup(
                peer, local::offer, local.links().stallBound().toNanos());
        this.life = new Outgoing(
                setup,
                new SplittableRandom(local.identity().incarnation() + peer.value()),
                local::nonce,
                local.nowNanos());
    }

    /** Where it leads. */
    InetSocketAddress address() {
        return address;
    }

    /** The connection, if it is up and the peer has proven the secret. */
    public Optional<S> session() {
        return Optional.ofNullable(session);
    }

    /** What the peer said when the connection was made; empty while there is none. */
    Optional<Terms> terms() {
        return session().isPresent() ? Optional.ofNullable(terms) : Optional.empty();
    }

    /** When a tick is due at the latest, but for stalls. */
    synchronized long dueNanos() {
        return session == null ? life.dueNanos() : Long.MAX_VALUE;
    }

    /** Does what is due. */
    synchronized void tick() {
        long nowNanos = local.nowNanos();
        S up = session;
        perform(new Event.Tick(up == null ? nowNanos : up.oldestNanos(nowNanos)));
    }

    /** Takes an event of the connection manager for {@code id}, if that is the present try's. */
    synchronized void on(RdmaCmEvent event, RdmaCmId id) {
        if (attempt == null || !attempt.id.equals(id)) {
            return;
        }
        try {
            switch (EventTypes.of(event)) {
                case RDMA_CM_EVENT_ADDR_RESOLVED -> id.resolveRoute(RESOLVE_MILLIS);
                case RDMA_CM_EVENT_ROUTE_RESOLVED -> {
                    attempt.pair = new QueuePair(id, local.queues(id.getVerbs(), true), local.sizes(), attempt);
                    PrivateData.pass(attempt.hello, id::connect);
                }
                case RDMA_CM_EVENT_ESTABLISHED -> established(event, id);
                case RDMA_CM_EVENT_REJECTED -> perform(new Event.Refused("it refuses the connection: does it run?"));
                case RDMA_CM_EVENT_DISCONNECTED -> perform(new Event.Refused("it closed the connection"));
                case RDMA_CM_EVENT_ADDR_ERROR, RDMA_CM_EVENT_ROUTE_ERROR, RDMA_CM_EVENT_UNREACHABLE ->
                    perform(new Event.Failed("it cannot be reached"));
                case RDMA_CM_EVENT_CONNECT_ERROR -> perform(notSetUp(event));
                default -> LOG.debug("{} ignores event {}", peer, event.getEvent());
            }
        } catch (IOException failed) {
            perform(new Event.Failed(String.valueOf(failed.getMessage())));
        }
    }

    /** Who answers must be the node that was called, before anything is proven to it. */
    private void established(RdmaCmEvent event, RdmaCmId id) {
        perform(local.impostor(id, peer)
                .<Event>map(Event.Failed::new)
                .orElseGet(() -> new Event.Established(PrivateData.of(event))));
    }

    /** Under TLS nothing else is worth a try: a peer of the version before has none. */
    private Event notSetUp(RdmaCmEvent event) {
        String why = event instanceof EventDetail told ? told.detail() : "the connection could not be set up";
        return local.links().tls().isPresent() ? new Event.Failed(why) : new Event.Refused(why);
    }

    /** Ends the present try or connection at the next tick. */
    synchronized void failed(String reason) {
        perform(new Event.Failed(reason));
    }

    synchronized void close() {
        perform(new Event.Closed());
    }

    /** Events of a connection that has been replaced must not touch its successor. */
    private synchronized void take(Attempt of, Event event) {
        if (of.equals(attempt)) {
            perform(event);
        }
    }

    private void perform(Event event) {
        for (Effect effect : life.on(event, local.nowNanos())) {
            try {
                perform(effect);
            } catch (IOException failed) {
                ended(effect, String.valueOf(failed.getMessage()));
            } catch (RuntimeException fault) {
                if (local.isNews("fault " + peer)) {
                    LOG.error("{} ends a connection to {} that cannot be handled", me, them, fault);
                }
                ended(effect, "it could not be handled here: " + fault.getMessage());
            }
        }
    }

    /** What could not be done ends the connection, and nothing that has to be done for its end is left out. */
    private void ended(Effect undone, String reason) {
        perform(undone instanceof Effect.Up ? new Event.Unusable(reason) : new Event.Failed(reason));
    }

    private void perform(Effect effect) throws IOException {
        switch (effect) {
            case Effect.Connect(byte[] hello) -> {
                attempt = new Attempt(channel.createId(RdmaCm.RDMA_PS_TCP), hello);
                if (attempt.id instanceof KnownPeer known) {
                    known.peerIsKnown();
                }
                local.secure(attempt.id);
                attempt.id.resolveAddr(from.orElse(null), address, RESOLVE_MILLIS);
            }
            case Effect.Send(ByteBuffer message) ->
                Objects.requireNonNull(Objects.requireNonNull(attempt).pair).send(message);
            case Effect.Up(Terms agreed, ByteBuffer grant) -> {
                Attempt current = Objects.requireNonNull(attempt);
                QueuePair pair = Objects.requireNonNull(current.pair);
                terms = agreed;
                session = local.connected(new LinkHost.Ready(pair, pair.receives(), agreed, current::broken), grant);
                LOG.info("{} sees {} at {} (version {})", me, them, address, agreed.version());
            }
            case Effect.Abort(String reason) -> abort(reason);
            case Effect.TellFailure(String reason) ->
                LOG.info("{} cannot see {} at {} yet: {}", me, them, address, reason);
            case Effect.TellStall _ -> local.counters().count(LinkMetric.CONNECTIONS_STALLED);
            case Effect.TellEnd(boolean hasLeft, String reason) -> tellEnd(hasLeft, reason);
            case Effect.Drop _ -> drop();
        }
    }

    private void abort(String reason) {
        S up = session;
        session = null;
        if (up != null) {
            Objects.requireNonNull(attempt).ended = up;
            up.abort(reason);
        }
    }

    /** Says what became of a connection that was up, once a goodbye has had time to be read. */
    private void tellEnd(boolean hasLeft, String reason) {
        if (hasLeft) {
            local.counters().count(LinkMetric.CONNECTIONS_LEFT);
            LOG.info("{} no longer sees {} at {}: it has left", me, them, address);
        } else {
            local.counters().count(LinkMetric.CONNECTIONS_LOST);
            LOG.warn("{} lost {} at {}: {}", me, them, address, reason);
        }
    }

    private void drop() {
        Attempt over = attempt;
        attempt = null;
        if (over == null) {
            return;
        }
        if (over.pair == null) {
            QueuePair.destroy(over.id);
        } else {
            over.pair.destroy();
        }
        if (over.ended != null) {
            over.ended.freed();
        }
    }
}
