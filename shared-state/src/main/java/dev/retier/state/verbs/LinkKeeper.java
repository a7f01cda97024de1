package dev.retier.state.verbs;

import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaEventChannel;
import dev.retier.state.NodeId;
import dev.retier.state.StateMetric;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one node connected: one thread takes the connection manager's events, starts what is due and frees what is
 * over, for all connections both ways.
 *
 * <p>The links are safe for any thread; all else belongs to the keeper's thread.
 *
 * @param <S> what a connection to a peer is used for
 */
public final class LinkKeeper<S extends Connection> implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LinkKeeper.class);
    private static final int BACKLOG = 128;
    /** While somebody is missing: the shortest back-off. */
    private static final int TICK_MILLIS = 50;

    /** While all are connected; events wake the thread all the same. */
    private static final int CALM_TICK_MILLIS = 250;

    private static final int EVENTS_PER_TICK = 64;
    private static final long JOIN_MILLIS = 5000;

    /** Strangers that may be in the middle of a handshake; one more is turned away. */
    private static final int MAX_UNPROVEN = 64;

    /** Connections beside those of members and strangers. */
    private static final int MAX_VIEWERS = 64;

    private final LinkHost<S> local;
    private final RdmaEventChannel channel;
    private final RdmaCmId listener;
    private final Map<NodeId, OutgoingLink<S>> outgoing;
    private final Map<RdmaCmId, OutgoingLink<S>> outgoingById = new HashMap<>();
    private final Map<RdmaCmId, IncomingLink> incoming = new HashMap<>();
    private final Map<NodeId, IncomingLink> proven = new ConcurrentHashMap<>();
    private final Thread thread;
    private volatile boolean open = true;

    /**
     * Starts connecting.
     *
     * @param address where to take connections; none if there is nothing here to be seen
     */
    public LinkKeeper(LinkHost<S> local, Optional<InetSocketAddress> address) {
        this.local = local;
        Map<NodeId, OutgoingLink<S>> links = new TreeMap<>();
        long now = System.nanoTime();
        local.links().peers().forEach((node, there) -> links.put(node, new OutgoingLink<>(local, node, there, now)));
        this.outgoing = Map.copyOf(links);
        try {
            this.channel = RdmaEventChannel.createEventChannel();
            this.listener = channel.createId(RdmaCm.RDMA_PS_TCP);
            address.ifPresent(here -> listen(listener, here));
        } catch (IOException failed) {
            throw new StateException(StateException.Category.FATAL, "no RDMA device: " + failed.getMessage(), failed);
        }
        this.thread = Thread.ofPlatform()
                .name("state-cm-" + local.identity().node())
                .daemon()
                .start(this::run);
    }

    /** This node's way to each peer. */
    public Map<NodeId, OutgoingLink<S>> links() {
        return outgoing;
    }

    /** How many of them are connected. */
    public long connected() {
        return outgoing.values().stream()
                .filter(link -> link.session().isPresent())
                .count();
    }

    @Override
    public void close() {
        open = false;
        thread.interrupt();
        try {
            thread.join(JOIN_MILLIS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void listen(RdmaCmId id, InetSocketAddress address) {
        try {
            id.bindAddr(address);
            id.listen(BACKLOG);
        } catch (IOException taken) {
            throw new StateException(
                    StateException.Category.FATAL,
                    "cannot listen on " + address.getHostString() + ":" + address.getPort()
                            + ": stop what uses it or choose another listen address (" + taken.getMessage() + ")",
                    taken);
        }
    }

    private void run() {
        try {
            while (open) {
                tick(System.nanoTime());
                takeEvents();
            }
        } catch (IOException failed) {
            if (open) {
                LOG.error("the connection manager failed: this node makes no more connections; restart it", failed);
            }
        } finally {
            Thread.interrupted();
            free();
        }
    }

    private void tick(long nowNanos) {
        for (OutgoingLink<S> link : outgoing.values()) {
            Optional<RdmaCmId> started = link.tick(channel, nowNanos);
            started.ifPresent(id -> {
                outgoingById.values().removeIf(link::equals);
                outgoingById.put(id, link);
            });
        }
        List<RdmaCmId> over = new ArrayList<>();
        incoming.forEach((id, link) -> {
            if (link.isOver(nowNanos)) {
                over.add(id);
            }
        });
        over.forEach(this::drop);
        local.tidy();
    }

    private void takeEvents() throws IOException {
        RdmaCmEvent event = channel.getCmEvent(isCalm() ? CALM_TICK_MILLIS : TICK_MILLIS);
        for (int taken = 0; event != null && taken < EVENTS_PER_TICK; taken++) {
            take(event);
            event.ackEvent();
            event = channel.getCmEvent(0);
        }
        if (event != null) {
            take(event);
            event.ackEvent();
        }
    }

    private boolean isCalm() {
        return outgoing.values().stream().allMatch(link -> link.session().isPresent())
                && incoming.values().stream().allMatch(IncomingLink::isProven);
    }

    private void take(RdmaCmEvent event) {
        RdmaCmId id = event.getConnIdPriv();
        OutgoingLink<S> link = outgoingById.get(id);
        if (EventTypes.of(event) == RdmaCmEvent.EventType.RDMA_CM_EVENT_CONNECT_REQUEST) {
            request(id, PrivateData.of(event));
        } else if (link != null) {
            link.on(event, id);
        } else if (EventTypes.of(event) == RdmaCmEvent.EventType.RDMA_CM_EVENT_DISCONNECTED) {
            drop(id);
        }
    }

    private void request(RdmaCmId id, byte[] hello) {
        long unproven =
                incoming.values().stream().filter(link -> !link.isProven()).count();
        if (unproven >= MAX_UNPROVEN) {
            turnAway(id, unproven + " handshakes are open already");
            return;
        }
        if (incoming.size() >= outgoing.size() + MAX_UNPROVEN + MAX_VIEWERS) {
            turnAway(id, incoming.size() + " connections are open already");
            return;
        }
        try {
            incoming.put(id, new IncomingLink(local, id, hello, this::supersede));
        } catch (IOException refused) {
            LOG.debug("{} turns a connection away: {}", local.identity().node(), refused.getMessage());
            destroy(id);
        }
    }

    private void turnAway(RdmaCmId id, String reason) {
        local.counters().count(StateMetric.CONNECTIONS_TURNED_AWAY);
        if (local.counters().isNews("turns connections away")) {
            LOG.warn("{} turns connections away: {}", local.identity().node(), reason);
        }
        destroy(id);
    }

    /**
     * The newest connection of a peer is the one that counts: what an older one still has under way must never land
     * after the peer has read through the new one.
     */
    private void supersede(NodeId peer, IncomingLink newest) {
        IncomingLink older = proven.put(peer, newest);
        if (older != null) {
            older.close();
        }
    }

    private void drop(RdmaCmId id) {
        IncomingLink link = incoming.remove(id);
        if (link != null) {
            link.close();
            proven.values().remove(link);
        }
    }

    private void free() {
        incoming.values().forEach(IncomingLink::sayGoodbye);
        outgoing.values().forEach(OutgoingLink::close);
        incoming.values().forEach(IncomingLink::close);
        destroy(listener);
        try {
            channel.destroyEventChannel();
        } catch (IOException failed) {
            LOG.debug("could not destroy the event channel: {}", failed.toString());
        }
    }

    private static void destroy(RdmaCmId id) {
        try {
            id.destroyId();
        } catch (IOException failed) {
            LOG.debug("could not destroy an id: {}", failed.toString());
        }
    }
}
