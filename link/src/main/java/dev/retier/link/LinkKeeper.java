package dev.retier.link;

import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmEvent.EventType;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaEventChannel;
import dev.retier.link.auth.BadMessage;
import dev.retier.link.auth.Handshake;
import dev.retier.link.core.Door;
import dev.retier.verbs.AdmissionControl;
import dev.retier.verbs.DeviceAttributes;
import dev.retier.verbs.NoDeviceException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one node connected: one thread takes the connection manager's events, starts what is due and frees what is
 * over, for all connections both ways. A fault in one connection ends that one alone.
 *
 * <p>The links are safe for any thread; all else belongs to the keeper's thread, or to whoever calls {@link #step}.
 *
 * @param <S> what a connection to a peer is used for
 */
public final class LinkKeeper<S extends Connection> implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LinkKeeper.class);
    private static final String FAILED = "the connection manager failed: this node makes no more connections";
    private static final int BACKLOG = 128;

    /** How often stalls are looked for, and late answers taken. */
    private static final int CALM_TICK_MILLIS = 250;

    /** The thread that finds a link broken cannot wake the keeper: while somebody is missing it looks more often. */
    private static final int TICK_MILLIS = 50;

    private static final int EVENTS_PER_TICK = 64;

    private final LinkHost<S> local;
    private final RdmaEventChannel channel;
    private final RdmaCmId listener;
    private final Abilities abilities;
    /** Of which address connections are made; none if any will do. */
    private final Optional<InetSocketAddress> from;

    private final Map<NodeId, OutgoingLink<S>> outgoing = new ConcurrentSkipListMap<>();
    private final Map<RdmaCmId, IncomingLink> incoming = new HashMap<>();
    private final Reception reception;
    private volatile Map<NodeId, InetSocketAddress> peers;
    private final Loop loop;

    /** Owned by the keeper's thread: what it has carried out of {@link #peers}. */
    private Map<NodeId, InetSocketAddress> followed = Map.of();

    /** Owned by the keeper's thread: what the links tell. */
    private ByteBuffer told;

    /**
     * Starts connecting.
     *
     * @param address where to take connections, on the device that has it; connections to peers are made from it.
     *     None if there is nothing here to be seen
     * @throws TransportException if there is no driver, no right to use it, or too little of something on its device
     * @throws StateException if the address cannot be listened on, as when no device has it
     */
    public LinkKeeper(LinkHost<S> local, Optional<InetSocketAddress> address) {
        this.local = local;
        this.peers = local.links().peers();
        this.told = local.digest();
        this.reception = new Reception(local);
        try {
            this.channel = RdmaEventChannel.createEventChannel();
            this.listener = QueuePair.identifier(channel);
        } catch (NoDeviceException missing) {
            throw new TransportException("no RDMA device: " + missing.getMessage(), missing);
        } catch (IOException failed) {
            throw new StateException("no RDMA device: " + failed.getMessage(), failed);
        }
        try {
            local.secure(listener);
            address.ifPresent(here -> listen(listener, here));
            this.abilities = abilities(listener, local.sizes());
        } catch (StateException taken) {
            destroy(listener, channel);
            throw taken;
        }
        this.from = address.filter(here -> !here.getAddress().isAnyLocalAddress())
                .map(here -> new InetSocketAddress(here.getAddress(), 0));
        follow();
        LOG.info(
                "{} begins: incarnation {}{}",
                local.self(),
                Long.toHexString(local.identity().incarnation()),
                abilities.device().isEmpty() ? "" : ", on device " + abilities.device());
        this.loop = new Loop(
                "state-cm-" + local.self(),
                local.links().pace(),
                this::turn,
                this::free,
                why -> local.lost(FAILED, why));
    }

    /** This node's way to each peer; follows {@link #peers(Map)}. */
    public Map<NodeId, OutgoingLink<S>> links() {
        return Collections.unmodifiableMap(outgoing);
    }

    /** Of the device on which this node listens; nothing is known of it if that is every one. Any thread. */
    public Abilities abilities() {
        return abilities;
    }

    /** How many of them are connected. */
    public long connected() {
        return outgoing.values().stream()
                .filter(link -> link.session().isPresent())
                .count();
    }

    /**
     * From now on these are the peers, within the time of a tick: one that is new is connected to, one that is gone or
     * has another address loses its connections. Refuses hosts that do not resolve with {@link
     * IllegalArgumentException}. Any thread.
     */
    public void peers(Map<NodeId, InetSocketAddress> addresses) {
        addresses.forEach((node, address) -> {
            if (address.isUnresolved()) {
                throw new IllegalArgumentException(node + ": host " + address.getHostString() + " does not resolve");
            }
        });
        peers = Map.copyOf(addresses);
    }

    /**
     * From now on this is the digest of this node's configuration. Peers hear it within the time of a tick: for that,
     * this node's connections to them are made anew, while theirs to it stand. Refuses another length than {@value
     * Handshake#DIGEST_BYTES} bytes with {@link IllegalArgumentException}. Any thread.
     */
    public void digest(ByteBuffer digest) {
        if (digest.remaining() != Handshake.DIGEST_BYTES) {
            throw new IllegalArgumentException("a digest of " + digest.remaining() + " bytes");
        }
        local.digest(digest.asReadOnlyBuffer());
    }

    /** Of this node's configuration, as new connections tell it. Any thread. */
    public ByteBuffer digest() {
        return local.digest().duplicate();
    }

    /**
     * The newest digest that each connected peer has told, as its upper layer gave it; zeroes if there is none. Any
     * thread.
     */
    public Map<NodeId, ByteBuffer> digests() {
        Map<NodeId, ByteBuffer> digests = new HashMap<>();
        // A peer whose digest changes connects anew, and so tells it in its own connection.
        outgoing.forEach((node, link) -> link.terms()
                .map(terms -> reception.said(node).orElse(terms))
                .ifPresent(terms -> digests.put(node, terms.digest().duplicate())));
        return digests;
    }

    /** Does once what the thread does again and again, without waiting; for {@link LinkConfig.Pace#byHand}. */
    public void step() {
        try {
            tick(local.nowNanos());
            takeEvents(0);
            local.tidy();
        } catch (IOException failed) {
            local.lost(FAILED, failed);
            throw new StateException("the connection manager failed", failed);
        }
    }

    @Override
    public void close() {
        loop.close();
    }

    private static void listen(RdmaCmId id, InetSocketAddress address) {
        try {
            id.bindAddr(address);
            id.listen(BACKLOG);
        } catch (NoDeviceException none) {
            throw new TransportException(
                    "cannot listen on " + address.getHostString() + ":" + address.getPort() + ": " + none.getMessage(),
                    none);
        } catch (IOException taken) {
            throw new StateException(
                    "cannot listen on " + address.getHostString() + ":" + address.getPort()
                            + ": stop what uses it or choose another listen address ("
                            + (taken.getCause() == null ? taken : taken.getCause()).getMessage() + ")",
                    taken);
        }
    }

    /** Of the device on which it listens, which must have enough for each connection. */
    private static Abilities abilities(RdmaCmId listener, QueuePair.Sizes sizes) {
        try {
            if (listener.getVerbs() instanceof DeviceAttributes device) {
                sizes.lacking(device).ifPresent(little -> {
                    throw new TransportException(little + ": use another device, or lower limits");
                });
            }
            return Abilities.of(listener.getVerbs());
        } catch (IOException destroyed) {
            throw new IllegalStateException("it was made just now", destroyed);
        }
    }

    private void turn() throws IOException {
        long nowNanos = local.nowNanos();
        tick(nowNanos);
        takeEvents(waitMillis(nowNanos));
    }

    private void tick(long nowNanos) {
        if (!followed.equals(peers) || !told.equals(local.digest())) {
            follow();
        }
        outgoing.values().forEach(link -> guarded(link, link::tick));
        dropAll(link -> isOver(link, nowNanos));
        local.tidy();
        local.lookAtSecrets(nowNanos);
    }

    private boolean isOver(IncomingLink link, long nowNanos) {
        try {
            return link.tick(nowNanos);
        } catch (RuntimeException | OutOfMemoryError fault) {
            LOG.error("{} drops a connection that cannot be handled", local.self(), fault);
            return true;
        }
    }

    /** A fault of one link ends its try or connection, and no other's. */
    private void guarded(OutgoingLink<S> link, Runnable action) {
        try {
            action.run();
        } catch (RuntimeException | OutOfMemoryError fault) {
            LOG.error("{} ends a connection that cannot be handled", local.self(), fault);
            link.failed("it could not be handled here: " + fault);
        }
    }

    /** When something is due by itself, as long as no event comes. */
    private int waitMillis(long nowNanos) {
        long dueNanos = nowNanos
                + TimeUnit.MILLISECONDS.toNanos(connected() == outgoing.size() ? CALM_TICK_MILLIS : TICK_MILLIS);
        for (OutgoingLink<S> link : outgoing.values()) {
            dueNanos = earlier(dueNanos, link.dueNanos());
        }
        for (IncomingLink link : incoming.values()) {
            dueNanos = earlier(dueNanos, link.dueNanos());
        }
        return (int) Math.max(1, TimeUnit.NANOSECONDS.toMillis(dueNanos - nowNanos));
    }

    private static long earlier(long one, long other) {
        return other != Long.MAX_VALUE && other - one < 0 ? other : one;
    }

    private void takeEvents(int waitMillis) throws IOException {
        RdmaCmEvent event = channel.getCmEvent(waitMillis);
        for (int taken = 1; event != null; taken++) {
            try {
                take(event);
            } catch (RuntimeException | OutOfMemoryError fault) {
                LOG.error("{} cannot handle {}", local.self(), event.getEvent(), fault);
            }
            event.ackEvent();
            event = taken < EVENTS_PER_TICK ? channel.getCmEvent(0) : null;
        }
    }

    private void take(RdmaCmEvent event) throws IOException {
        RdmaCmId id = event.getConnIdPriv();
        IncomingLink served = incoming.get(id);
        if (EventTypes.of(event) == EventType.RDMA_CM_EVENT_CONNECT_REQUEST) {
            request(id, PrivateData.of(event));
        } else if (listener.equals(id) && EventTypes.of(event) == EventType.RDMA_CM_EVENT_DEVICE_REMOVAL) {
            throw new IOException("the device on which it listens was taken away");
        } else if (served == null) {
            outgoing.values().forEach(link -> guarded(link, () -> link.on(event, id)));
        } else if (EventTypes.of(event) == EventType.RDMA_CM_EVENT_DISCONNECTED) {
            served.disconnected();
        }
    }

    /** Judges a request before anything is made for it. */
    private void request(RdmaCmId id, byte[] hello) {
        InetAddress from = addressOf(id);
        String address = from.getHostAddress();
        try {
            Door.LetIn<RdmaCmId> in = reception.requested(id, hello, from);
            in.out().forEach(this::putOut);
            incoming.put(id, new IncomingLink(local, id, in, reception, address));
        } catch (BadMessage refusal) {
            QueuePair.destroy(id);
            reception.tell(LinkMetric.HANDSHAKES_REFUSED, address, refusal.reason());
        } catch (IOException | RuntimeException | OutOfMemoryError failed) {
            LOG.debug("{} cannot take a connection: {}", local.self(), failed.toString());
            reception.forget(id);
            QueuePair.destroy(id);
            reception.tell(LinkMetric.CONNECTIONS_TURNED_AWAY, address, "its connection could not be taken: " + failed);
        }
    }

    private void putOut(RdmaCmId id) {
        IncomingLink link = incoming.get(id);
        if (link != null && link.terms().isEmpty()) {
            reception.tell(
                    LinkMetric.CONNECTIONS_TURNED_AWAY, link.address(), "too many of its connections prove nothing");
            drop(link);
        }
    }

    /** The peer's address; that of no interface if the provider does not tell. */
    private static InetAddress addressOf(RdmaCmId id) {
        try {
            SocketAddress there = id.getDestination();
            if (there instanceof InetSocketAddress known && known.getAddress() != null) {
                return known.getAddress();
            }
        } catch (IOException unknown) {
            LOG.debug("a connection request without an address: {}", unknown.toString());
        }
        return new InetSocketAddress(0).getAddress();
    }

    private void dropAll(Predicate<IncomingLink> which) {
        incoming.values().stream().filter(which).toList().forEach(this::drop);
    }

    private void drop(IncomingLink link) {
        incoming.remove(link.id());
        try {
            link.close();
        } catch (RuntimeException fault) {
            LOG.error("{} cannot end a connection in good order", local.self(), fault);
        }
        reception.left(link);
    }

    /** Makes the links follow the peers. */
    private void follow() {
        Map<NodeId, InetSocketAddress> now = peers;
        ByteBuffer digest = local.digest();
        boolean isNews = !told.equals(digest);
        outgoing.entrySet().removeIf(entry -> {
            NodeId node = entry.getKey();
            boolean gone = !entry.getValue().address().equals(now.get(node)) || (isNews && !node.equals(local.self()));
            if (gone) {
                entry.getValue().close();
            }
            return gone;
        });
        now.forEach((node, there) ->
                outgoing.computeIfAbsent(node, _ -> new OutgoingLink<>(local, node, from, there, channel)));
        Map<NodeId, InetAddress> addresses = new HashMap<>();
        now.forEach((node, there) -> addresses.put(node, there.getAddress()));
        reception.peers(addresses);
        dropAll(link ->
                link.terms().filter(who -> !reception.isPeer(who.peer().node())).isPresent());
        if (listener instanceof AdmissionControl control) {
            control.expected(new HashSet<>(addresses.values()));
        }
        followed = now;
        told = digest;
    }

    private void free() {
        incoming.values().forEach(IncomingLink::sayGoodbye);
        outgoing.values().forEach(OutgoingLink::close);
        dropAll(_ -> true);
        destroy(listener, channel);
    }

    private static void destroy(RdmaCmId listener, RdmaEventChannel channel) {
        QueuePair.destroy(listener);
        QueuePair.quietly("destroy the event channel", channel::destroyEventChannel);
    }
}
