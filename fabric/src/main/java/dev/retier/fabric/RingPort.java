package dev.retier.fabric;

import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvSge;
import dev.retier.fabric.calls.Message;
import dev.retier.fabric.calls.ProtocolError;
import dev.retier.fabric.calls.RingEnd;
import dev.retier.fabric.calls.RingLimits;
import dev.retier.link.Completions;
import dev.retier.link.LinkHost;
import dev.retier.link.QueuePair;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Drives one {@link RingEnd} on a queue pair, and asks the peer for a keepalive when it is silent. Its memory lives
 * as long as the object is reachable.
 *
 * <p>Thread-safe. Messages come on the completion thread. What is broken is told with the lock held, as nobody acts on
 * it at once.
 */
final class RingPort {
    private static final int ALIGNMENT = 64;
    private static final int KEEPALIVES_PER_STALL = 4;

    private final QueuePair pair;
    private final Completions completions;
    private final Consumer<String> onBroken;
    private final Consumer<Message> onMessage;
    private final Registration ring;
    private final MemorySegment staging;
    private final IbvMr stagingRegion;
    private final Registration keepalive;
    private final long writeId;
    private final long keepaliveId;
    private final long quietNanos;
    /** Guarded by this. */
    private final RingEnd end;

    /** Guarded by this: where the peer's ring is; null until it has said so. */
    private @Nullable RemotePlace peerRing;

    /** Guarded by this: when the oldest write that has not left was posted. */
    private long writingSinceNanos;
    /** Guarded by this. */
    private int writing;

    /** Guarded by this: whether a keepalive is awaited, and since when; else when the last one came. */
    private boolean asking;

    private long keepaliveNanos = System.nanoTime();

    /** Registers the ring; its immediates come on the connection's own receives. */
    RingPort(LinkHost.Ready ready, FabricLimits limits, Consumer<Message> onMessage) throws IOException {
        RingLimits rings = limits.rings();
        this.pair = ready.pair();
        this.completions = ready.completions();
        this.onBroken = ready.onBroken();
        this.onMessage = onMessage;
        this.quietNanos = limits.stallBound().toNanos() / KEEPALIVES_PER_STALL;
        this.ring = register(rings.ringBytes(), Set.of(MemoryAccess.REMOTE_WRITE, MemoryAccess.REMOTE_READ));
        this.staging = Arena.ofAuto().allocate(rings.ringBytes(), ALIGNMENT);
        this.stagingRegion = pair.register(staging, 0);
        this.keepalive = register(Long.BYTES, Set.of(MemoryAccess.LOCAL_WRITE));
        this.end = new RingEnd(rings, staging, ring.memory());
        this.writeId = completions.nextId();
        this.keepaliveId = completions.nextId();
        completions.expectEach(writeId, (success, _) -> written(success));
        completions.expectEach(keepaliveId, (success, _) -> keptAlive(success));
    }

    /** Work requests that a queue pair must have room for. */
    static int sends(FabricLimits limits) {
        return RingEnd.sends(limits.rings()) + 1;
    }

    /** Where the peer may write. */
    RemotePlace place() {
        return ring.place();
    }

    /** The peer has said where its ring is: sends what waits. */
    synchronized void connect(RemotePlace there) {
        peerRing = there;
        pump();
    }

    /** Sends {@code message} as soon as the peer has room. */
    synchronized void send(Message message) {
        end.offer(message);
        pump();
    }

    /** The peer announces a write. */
    void immediate(int value) {
        Optional<Message> message;
        synchronized (this) {
            keepaliveNanos = asking ? keepaliveNanos : System.nanoTime();
            try {
                message = end.take(value);
            } catch (ProtocolError error) {
                onBroken.accept("it breaks the protocol: " + error.getMessage());
                return;
            }
            pump();
        }
        message.ifPresent(onMessage);
    }

    /** When the oldest thing that the peer's provider has to do was begun. Asks for a keepalive when it is due. */
    synchronized long oldestNanos(long nowNanos) {
        RemotePlace there = peerRing;
        if (there != null && !asking && nowNanos - keepaliveNanos > quietNanos) {
            asking = true;
            keepaliveNanos = nowNanos;
            List<IbvSge> into = List.of(keepalive.element(0, Long.BYTES));
            boolean _ = post(QueuePair.request(IbvSendWR.IBV_WR_RDMA_READ, into), keepaliveId, there);
        }
        long oldest = writing > 0 ? writingSinceNanos : nowNanos;
        return asking && keepaliveNanos - oldest < 0 ? keepaliveNanos : oldest;
    }

    /** The connection is over. */
    void close() {
        completions.forget(writeId);
        completions.forget(keepaliveId);
    }

    private Registration register(int bytes, Set<MemoryAccess> access) throws IOException {
        MemorySegment memory = Arena.ofAuto().allocate(bytes, ALIGNMENT);
        return new Registration(pair, memory, pair.register(memory, MemoryAccess.flags(access)));
    }

    private synchronized void written(boolean success) {
        if (!success) {
            onBroken.accept("a message could not be written");
            return;
        }
        end.sent();
        writing--;
        writingSinceNanos = System.nanoTime();
        pump();
    }

    private synchronized void keptAlive(boolean success) {
        if (!success) {
            onBroken.accept("it gave no keepalive");
            return;
        }
        asking = false;
        keepaliveNanos = System.nanoTime();
    }

    /** Writes what may be written. Posting does not block, and the order of records is that of their posting. */
    private void pump() {
        RemotePlace there = peerRing;
        Optional<RingEnd.Write> next = there == null ? Optional.empty() : end.next();
        while (there != null && next.isPresent()) {
            RingEnd.Write write = next.get();
            IbvSendWR request = QueuePair.request(
                    IbvSendWR.IBV_WR_RDMA_WRITE_WITH_IMM,
                    staging.asSlice(write.offset(), write.lengthBytes()),
                    stagingRegion);
            request.setImm_data(write.immediate());
            writingSinceNanos = writing == 0 ? System.nanoTime() : writingSinceNanos;
            writing++;
            boolean isPosted = post(request, writeId, there.plus(write.offset()));
            next = isPosted ? end.next() : Optional.empty();
        }
    }

    private boolean post(IbvSendWR request, long id, RemotePlace there) {
        request.setWr_id(id);
        request.getRdma().setRemote_addr(there.address());
        request.getRdma().setRkey(there.key());
        try {
            pair.post(List.of(request));
            return true;
        } catch (IOException failed) {
            onBroken.accept(String.valueOf(failed.getMessage()));
            return false;
        }
    }
}
