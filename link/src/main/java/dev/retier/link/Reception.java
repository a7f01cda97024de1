package dev.retier.link;

import com.ibm.disni.verbs.RdmaCmId;
import dev.retier.link.auth.Terms;
import dev.retier.link.auth.Versions;
import dev.retier.link.core.Complaints;
import dev.retier.link.core.Door;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Who is let in to one node, and what is told of those who are not: drives {@link Door}. Thread-safe. */
final class Reception implements IncomingLink.Guard {
    private static final Logger LOG = LoggerFactory.getLogger(Reception.class);

    private final LinkHost<?> local;
    private final ReentrantLock lock = new ReentrantLock();
    /** Guarded by lock: the connection that counts, of each node that has one. */
    private final Map<NodeId, IncomingLink> proven = new HashMap<>();

    /** Guarded by lock. */
    private final Door<RdmaCmId> door;

    /** Guarded by lock. */
    private final Complaints complaints = new Complaints();

    private volatile Map<NodeId, InetAddress> peers = Map.of();

    Reception(LinkHost<?> local) {
        this.local = local;
        this.door = new Door<>(local::nonce);
    }

    /** From now on these are the configured peers. */
    void peers(Map<NodeId, InetAddress> addresses) {
        peers = Map.copyOf(addresses);
        lock.lock();
        try {
            door.peers(peers);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean isPeer(NodeId node) {
        return peers.containsKey(node);
    }

    /** Judges a connection request. */
    Door.Verdict<RdmaCmId> requested(RdmaCmId id, byte[] hello, InetAddress from) {
        lock.lock();
        try {
            return door.requested(id, hello, from, local.offer());
        } finally {
            lock.unlock();
        }
    }

    /** Nothing came of what was let in. */
    void forget(RdmaCmId id) {
        lock.lock();
        try {
            door.left(id);
        } finally {
            lock.unlock();
        }
    }

    /** A connection is over. */
    void left(RdmaCmId id, IncomingLink link) {
        lock.lock();
        try {
            door.left(id);
            link.terms().map(Terms::peer).ifPresent(who -> {
                if (proven.remove(who.node(), link)) {
                    door.rivals().gone(who);
                }
            });
        } finally {
            lock.unlock();
        }
    }

    /**
     * The newest connection of a peer is the one that counts: what an older one still has under way must never land
     * after the peer has read through the new one. Called on the completion thread.
     */
    @Override
    public String proven(Terms who, IncomingLink newest) {
        NodeId node = who.peer().node();
        IncomingLink older;
        lock.lock();
        try {
            if (door.rivals().isRefused(who.peer())) {
                return node + " runs twice, and the elder of both stands";
            }
            door.left(newest.id());
            door.rivals().stands(who.peer(), newest.address(), local.nowNanos()).ifPresent(LOG::error);
            older = proven.put(node, newest);
            warnOf(who, newest.address());
        } finally {
            lock.unlock();
        }
        if (older != null) {
            older.close();
        }
        return "";
    }

    private void warnOf(Terms who, String address) {
        NodeId node = who.peer().node();
        if (who.version() == Versions.FORMER && complaints.tells("former " + node, local.nowNanos())) {
            LOG.warn("{} is seen by {} at {} through the former handshake: upgrade that node", self(), node, address);
        }
        if (who.byFormerSecret() && complaints.tells("secret " + node, local.nowNanos())) {
            LOG.warn(
                    "{} is seen by {} at {} under the former secret: give that node the new one",
                    self(),
                    node,
                    address);
        }
    }

    @Override
    public void tell(LinkMetric metric, String from, String what) {
        local.counters().count(metric);
        boolean tells;
        lock.lock();
        try {
            tells = complaints.tells(metric + " " + from, local.nowNanos());
        } finally {
            lock.unlock();
        }
        if (tells) {
            LOG.warn("{} refuses {}: {}; not told again for an hour, but counted", self(), from, what);
        }
    }

    private NodeId self() {
        return local.identity().node();
    }
}
