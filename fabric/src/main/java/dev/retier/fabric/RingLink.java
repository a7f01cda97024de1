package dev.retier.fabric;

import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvSge;
import dev.retier.fabric.calls.Message;
import dev.retier.fabric.calls.ProtocolError;
import dev.retier.fabric.calls.RingEnd;
import dev.retier.fabric.calls.RingLimits;
import dev.retier.link.Connection;
import dev.retier.link.Keepalive;
import dev.retier.link.LinkHost;
import dev.retier.link.NodeId;
import dev.retier.link.Posts;
import dev.retier.link.QueuePair;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A connection to a peer: drives its {@link RingEnd} on its queue pair, and asks the peer for a keepalive when it is
 * silent. Its memory lives as long as the object is reachable.
 *
 * <p>Thread-safe. Messages come on the completion thread. What is broken may be told with the lock held, as nobody
 * acts on it at once.
 */
abstract class RingLink implements Connection, Outlet {
    private static final int ALIGNMENT = 64;
    final LinkHost.Ready ready;
    private final Registration ring;
    private final Registration staging;
    private final Keepalive keepalive;
    private final long writeId;
    /** Guarded by this. */
    private final RingEnd end;

    /** Guarded by this: where the peer's ring is; null until it has said so. */
    private @Nullable RemotePlace peerRing;

    /** Guarded by this: when the oldest write that has not left was posted. */
    private long writingSinceNanos;
    /** Guarded by this. */
    private int writing;

    private final Posts posts;

    /** Why the connection is over; empty while it stands. */
    private volatile String over = "";

    /** Registers the ring; its immediates come on the connection's own receives. */
    RingLink(LinkHost.Ready ready, FabricLimits limits) throws IOException {
        RingLimits rings = limits.rings();
        this.ready = ready;
        this.posts = new Posts(ready, this::next);
        this.ring = register(rings.ringBytes(), Set.of(MemoryAccess.REMOTE_WRITE, MemoryAccess.REMOTE_READ));
        this.staging = register(rings.ringBytes(), Set.of());
        this.keepalive = new Keepalive(ready, limits.stallBound());
        this.end = new RingEnd(rings, staging.memory(), ring.memory());
        this.writeId = ready.completions().nextId();
        ready.completions().expectEach(writeId, (success, _) -> written(success));
    }

    /** Work requests that a queue pair must have room for. */
    static int sends(FabricLimits limits) {
        return RingEnd.sends(limits.rings()) + 1;
    }

    /** The node at the other end. */
    public final NodeId node() {
        return ready.peer().node();
    }

    /** Whether the connection still stands. */
    public final boolean isOpen() {
        return over.isEmpty();
    }

    /**
     * Registers this node's memory for operations on this connection.
     *
     * @throws IOException if the device has no room for one more, or the connection is over
     */
    public final Registration register(MemorySegment memory, Set<MemoryAccess> access) throws IOException {
        if (!isOpen()) {
            throw new IOException("the connection with " + node() + " is over: " + over);
        }
        return new Registration(ready.pair(), memory, access);
    }

    /** Takes what the peer sends. */
    abstract void received(Message message) throws ProtocolError;

    /** Where the peer may write. */
    final RemotePlace ring() {
        return ring.place();
    }

    /** The peer has said where its ring is: sends what waits. */
    final void connect(RemotePlace there) {
        synchronized (this) {
            peerRing = there;
        }
        keepalive.aim(there.address(), there.key());
        flush();
    }

    /** Sends {@code message} as soon as the peer has room. */
    final void send(Message message) {
        offer(message);
        flush();
    }

    /** Takes {@code message}, to be sent by the next {@link #flush}. */
    @Override
    public final synchronized void offer(Message message) {
        end.offer(message);
    }

    /**
     * Writes what may be written: what several threads have offered meanwhile, or what follows from several messages
     * of the peer that were found together, in one post.
     */
    @Override
    public final void flush() {
        posts.flush();
    }

    /** The peer announces a write. */
    @Override
    public final void immediate(int value) {
        try {
            keepalive.heard();
            Optional<Message> message;
            synchronized (this) {
                message = end.take(value);
            }
            flush();
            if (message.isPresent()) {
                received(message.get());
            }
        } catch (ProtocolError error) {
            ready.onBroken().accept("it breaks the protocol: " + error.getMessage());
        }
    }

    /** When the oldest thing that the peer's provider has to do was begun. Asks for a keepalive when it is due. */
    @Override
    public synchronized long oldestNanos(long nowNanos) {
        long asked = keepalive.oldestNanos(nowNanos);
        return writing > 0 && writingSinceNanos - asked < 0 ? writingSinceNanos : asked;
    }

    @Override
    public void abort(String reason) {
        over = reason;
        ready.completions().forget(writeId);
        keepalive.close();
    }

    private Registration register(int bytes, Set<MemoryAccess> access) throws IOException {
        return register(Arena.ofAuto().allocate(bytes, ALIGNMENT), access);
    }

    private void written(boolean success) {
        if (!success) {
            ready.onBroken().accept("a message could not be written");
            return;
        }
        synchronized (this) {
            end.sent();
            writing--;
            writingSinceNanos = System.nanoTime();
        }
        flush();
    }

    /** All that may be written now, in its order. */
    private synchronized List<IbvSendWR> next() {
        RemotePlace there = peerRing;
        List<IbvSendWR> requests = new ArrayList<>();
        if (there == null || !isOpen()) {
            return requests;
        }
        for (Optional<RingEnd.Write> next = end.next(); next.isPresent(); next = end.next()) {
            RingEnd.Write write = next.get();
            List<IbvSge> from = List.of(staging.element(write.offset(), write.lengthBytes()));
            IbvSendWR request = QueuePair.request(IbvSendWR.IBV_WR_RDMA_WRITE_WITH_IMM, from);
            request.setImm_data(write.immediate());
            writingSinceNanos = writing == 0 ? System.nanoTime() : writingSinceNanos;
            writing++;
            requests.add(aimed(request, writeId, there.plus(write.offset())));
        }
        return requests;
    }

    private static IbvSendWR aimed(IbvSendWR request, long id, RemotePlace there) {
        request.setWr_id(id);
        request.getRdma().setRemote_addr(there.address());
        request.getRdma().setRkey(there.key());
        return request;
    }
}
