package dev.retier.fabric;

import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.SVCPostRecv;
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
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Drives one {@link RingEnd} on a queue pair, and asks the peer for a keepalive when it is silent. Its memory lives
 * as long as the object is reachable.
 *
 * <p>Thread-safe. Messages come on the completion thread.
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
    private final SVCPostRecv receive;
    private final long receiveId;
    private final long writeId;
    private final long keepaliveId;
    private final long quietNanos;
    private final ReentrantLock lock = new ReentrantLock();
    /** Guarded by lock. */
    private final RingEnd end;

    /** Guarded by lock: where the peer's ring is; null until it has said so. */
    private @Nullable RemotePlace peerRing;

    /** Guarded by lock: when the oldest write that has not left was posted. */
    private long writingSinceNanos;
    /** Guarded by lock. */
    private int writing;

    /** Guarded by lock: whether a keepalive is awaited, and since when; else when the last one came. */
    private boolean asking;

    private long keepaliveNanos = System.nanoTime();

    /** Posts the receives of the ring's immediates. */
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
        this.receiveId = completions.nextId();
        this.writeId = completions.nextId();
        this.keepaliveId = completions.nextId();
        completions.expect(receiveId, staying(this::arrived));
        completions.expect(writeId, staying((success, _) -> written(success)));
        completions.expect(keepaliveId, staying((success, _) -> keptAlive(success)));
        this.receive = pair.immediateReceive(receiveId);
        for (int i = 0; i < rings.receives(); i++) {
            receive.execute();
        }
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
    void connect(RemotePlace there) {
        lock.lock();
        try {
            peerRing = there;
        } finally {
            lock.unlock();
        }
        pump();
    }

    /** Sends {@code message} as soon as the peer has room. */
    void send(Message message) {
        lock.lock();
        try {
            end.offer(message);
        } finally {
            lock.unlock();
        }
        pump();
    }

    /** The peer announces a write, on a receive that was not of this object. */
    void immediate(int value) {
        String broken = "";
        Optional<Message> message = Optional.empty();
        lock.lock();
        try {
            keepaliveNanos = asking ? keepaliveNanos : System.nanoTime();
            message = end.take(value);
        } catch (ProtocolError error) {
            broken = "it breaks the protocol: " + error.getMessage();
        } finally {
            lock.unlock();
        }
        if (!broken.isEmpty()) {
            onBroken.accept(broken);
            return;
        }
        pump();
        message.ifPresent(onMessage);
    }

    /** When the oldest thing that the peer's provider has to do was begun. Asks for a keepalive when it is due. */
    long oldestNanos(long nowNanos) {
        String broken = "";
        long oldest = nowNanos;
        lock.lock();
        try {
            RemotePlace there = peerRing;
            if (there != null && !asking && nowNanos - keepaliveNanos > quietNanos) {
                asking = true;
                keepaliveNanos = nowNanos;
                IbvSendWR read =
                        QueuePair.request(IbvSendWR.IBV_WR_RDMA_READ, List.of(keepalive.element(0, Long.BYTES)));
                read.setWr_id(keepaliveId);
                read.getRdma().setRemote_addr(there.address());
                read.getRdma().setRkey(there.key());
                pair.post(List.of(read));
            }
            oldest = writing > 0 ? writingSinceNanos : oldest;
            oldest = asking && keepaliveNanos - oldest < 0 ? keepaliveNanos : oldest;
        } catch (IOException failed) {
            broken = String.valueOf(failed.getMessage());
        } finally {
            lock.unlock();
        }
        if (!broken.isEmpty()) {
            onBroken.accept(broken);
        }
        return oldest;
    }

    /** The connection is over. */
    void close() {
        pair.forgetReceives(receiveId);
        completions.forget(writeId);
        completions.forget(keepaliveId);
    }

    private Registration register(int bytes, Set<MemoryAccess> access) throws IOException {
        MemorySegment memory = Arena.ofAuto().allocate(bytes, ALIGNMENT);
        return new Registration(pair, memory, pair.register(memory, MemoryAccess.flags(access)));
    }

    private interface Ended {
        void ended(boolean success, IbvWC work);
    }

    private static Completions.Handler staying(Ended what) {
        return new Completions.Handler() {
            @Override
            public void ended(boolean success, IbvWC work) {
                what.ended(success, work);
            }

            @Override
            public boolean stays() {
                return true;
            }
        };
    }

    private void arrived(boolean success, IbvWC work) {
        if (!success) {
            pair.heardOut(work);
            onBroken.accept("the connection broke");
            return;
        }
        try {
            receive.execute();
        } catch (IOException failed) {
            onBroken.accept(String.valueOf(failed.getMessage()));
            return;
        }
        immediate(work.getImm_data());
    }

    private void written(boolean success) {
        if (!success) {
            onBroken.accept("a message could not be written");
            return;
        }
        lock.lock();
        try {
            end.sent();
            writing--;
            writingSinceNanos = System.nanoTime();
        } finally {
            lock.unlock();
        }
        pump();
    }

    private void keptAlive(boolean success) {
        if (!success) {
            onBroken.accept("it gave no keepalive");
            return;
        }
        lock.lock();
        try {
            asking = false;
            keepaliveNanos = System.nanoTime();
        } finally {
            lock.unlock();
        }
    }

    /** Writes what may be written. Posting does not block, and the order of records is that of their posting. */
    private void pump() {
        String broken = "";
        lock.lock();
        try {
            RemotePlace there = peerRing;
            Optional<RingEnd.Write> next = there == null ? Optional.empty() : end.next();
            while (there != null && next.isPresent()) {
                post(next.get(), there);
                next = end.next();
            }
        } catch (IOException failed) {
            broken = String.valueOf(failed.getMessage());
        } finally {
            lock.unlock();
        }
        if (!broken.isEmpty()) {
            onBroken.accept(broken);
        }
    }

    private void post(RingEnd.Write write, RemotePlace there) throws IOException {
        IbvSendWR request = QueuePair.request(
                IbvSendWR.IBV_WR_RDMA_WRITE_WITH_IMM,
                staging.asSlice(write.offset(), write.lengthBytes()),
                stagingRegion);
        request.setWr_id(writeId);
        request.setImm_data(write.immediate());
        request.getRdma().setRemote_addr(there.address() + write.offset());
        request.getRdma().setRkey(there.key());
        if (writing == 0) {
            writingSinceNanos = System.nanoTime();
        }
        writing++;
        pair.post(List.of(request));
    }
}
