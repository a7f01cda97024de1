package dev.retier.link;

import com.ibm.disni.verbs.RdmaCmId;
import dev.retier.link.auth.BadMessage;
import dev.retier.link.auth.Terms;
import dev.retier.link.auth.Versions;
import dev.retier.link.core.Complaints;
import dev.retier.link.core.Door;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Who is let in to one node, and what is told of those who are not: drives {@link Door}. Thread-safe. */
final class Reception {
    private static final Logger LOG = LoggerFactory.getLogger(Reception.class);

    private final LinkHost<?> local;
    /** Guarded by this: the connection that counts, of each node or guest that has one. */
    private final Map<Object, IncomingLink> proven = new HashMap<>();

    /** Guarded by this. */
    private final Door<RdmaCmId> door;

    /** Guarded by this: of strangers. */
    private final Complaints complaints = new Complaints();

    private volatile Map<NodeId, InetAddress> peers = Map.of();

    Reception(LinkHost<?> local) {
        this.local = local;
        this.door = new Door<>(local::nonce, local.admitsGuests(), local::impostor);
    }

    /** From now on these are the configured peers. */
    synchronized void peers(Map<NodeId, InetAddress> addresses) {
        peers = Map.copyOf(addresses);
        door.peers(peers);
    }

    /** Whether a node may be let in once it is proven. */
    boolean isPeer(NodeId node) {
        return peers.containsKey(node) || local.admitsGuests();
    }

    /** What {@code node} said in its connection that counts; empty if it has none. */
    synchronized Optional<Terms> said(NodeId node) {
        return Optional.ofNullable(proven.get(node)).flatMap(IncomingLink::terms);
    }

    /** Judges a connection request. */
    synchronized Door.LetIn<RdmaCmId> requested(RdmaCmId id, byte[] hello, InetAddress from) throws BadMessage {
        return door.requested(id, hello, from, local.offer(), local.nowNanos());
    }

    /** Nothing came of what was let in. */
    synchronized void forget(RdmaCmId id) {
        door.left(id);
    }

    /** A connection is over. */
    synchronized void left(IncomingLink link) {
        door.left(link.id());
        link.terms().map(Terms::peer).ifPresent(who -> {
            if (proven.remove(door.name(who), link)) {
                door.rivals().gone(who);
            }
        });
    }

    /**
     * The newest connection of a peer is the one that counts: what an older one still has under way must never land
     * after the peer has read through the new one. Called on the completion thread when a member is proven, and is
     * about to learn where memory is; why it is refused, empty if it is not.
     */
    String proven(Terms who, IncomingLink newest) {
        NodeId node = who.peer().node();
        IncomingLink older;
        synchronized (this) {
            boolean isGuest = door.isGuest(who.peer());
            if (!isGuest && door.rivals().isRefused(who.peer())) {
                return node + " runs twice, and the elder of both stands";
            }
            door.left(newest.id());
            if (!isGuest) {
                door.rivals()
                        .stands(who.peer(), newest.address())
                        .filter(_ -> local.isNews("twice " + node))
                        .ifPresent(LOG::error);
            }
            older = proven.put(door.name(who.peer()), newest);
            warnOf(who, newest.address());
        }
        if (older != null) {
            older.close();
        }
        return "";
    }

    private void warnOf(Terms who, String address) {
        NodeId node = who.peer().node();
        if (who.version() == Versions.FORMER && local.isNews("former " + node)) {
            LOG.warn(
                    "{} is seen by {} at {} through the former handshake: upgrade that node",
                    local.self(),
                    node,
                    address);
        }
        if (who.bySecondSecret() && local.isNews("secret " + node)) {
            LOG.warn(
                    "{} is seen by {} at {} under the second of this node's two secrets: as long as a node offers it,"
                            + " take it away nowhere",
                    local.self(),
                    node,
                    address);
        }
    }

    /**
     * A connection is over, {@code ofItself} or not, and has proven nothing. That a peer's ends by itself is no news:
     * it starts, or leaves, or has seen that this node speaks a better version than it has tried, as it does when this
     * node began to listen between two of its tries.
     */
    void unproven(String from, boolean ofItself) {
        if (ofItself
                && peers.values().stream()
                        .anyMatch(peer -> peer.getHostAddress().equals(from))) {
            local.counters().count(LinkMetric.HANDSHAKES_UNPROVEN);
            LOG.debug("{}: a connection from {} ended and has proven nothing", local.self(), from);
        } else {
            tell(LinkMetric.HANDSHAKES_UNPROVEN, from, "its connections end and have proven nothing");
        }
    }

    /** Somebody at {@code from} was refused, or did what is not done: {@code what}, for people. */
    void tell(LinkMetric metric, String from, String what) {
        local.counters().count(metric);
        if (isNews(metric + " " + from)) {
            LOG.warn("{} refuses {}: {}; not told again for an hour, but counted", local.self(), from, what);
        }
    }

    private synchronized boolean isNews(String subject) {
        return complaints.tells(subject, local.nowNanos());
    }
}
