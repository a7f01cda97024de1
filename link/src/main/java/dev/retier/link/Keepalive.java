package dev.retier.link;

import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvSendWR;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;

/**
 * Asks a peer that is silent for a sign of life: by a read of eight bytes of its memory, which its provider answers
 * whatever its program does. Thread-safe. What is broken may be told by the caller's thread.
 */
public final class Keepalive {
    private static final int PER_STALL = 4;

    private final LinkHost.Ready ready;
    private final long quietNanos;
    private final long id;
    private final MemorySegment memory = Arena.ofAuto().allocate(Long.BYTES, Long.BYTES);
    private final IbvMr registration;
    /** Guarded by this: where the peer can be read. */
    private long address;

    private int key;
    private boolean isAimed;
    /** Guarded by this: whether a sign is awaited, and since when; else when the last one came. */
    private boolean isAsking;

    private long sinceNanos = System.nanoTime();

    /**
     * Of a connection that is ready; asks for nothing until it is {@linkplain #aim aimed}.
     *
     * @param stallBound a peer that is silent for a quarter of it is asked
     */
    public Keepalive(LinkHost.Ready ready, Duration stallBound) throws IOException {
        this.ready = ready;
        this.quietNanos = stallBound.toNanos() / PER_STALL;
        this.registration = ready.pair().register(memory, IbvMr.IBV_ACCESS_LOCAL_WRITE);
        this.id = ready.completions().nextId();
        ready.completions().expectEach(id, (success, _) -> answered(success));
    }

    /** From now on it reads there: eight bytes that the peer lets this node read. */
    public synchronized void aim(long toAddress, int withKey) {
        address = toAddress;
        key = withKey;
        isAimed = true;
    }

    /** Something has come from the peer. */
    public synchronized void heard() {
        sinceNanos = isAsking ? sinceNanos : System.nanoTime();
    }

    /** Since when a sign is awaited; {@code nowNanos} if none is. Asks for one when it is due. */
    public synchronized long oldestNanos(long nowNanos) {
        if (isAimed && !isAsking && nowNanos - sinceNanos > quietNanos) {
            isAsking = true;
            sinceNanos = nowNanos;
            ask();
        }
        return isAsking ? sinceNanos : nowNanos;
    }

    /** The connection is over. */
    public void close() {
        ready.completions().forget(id);
    }

    private void ask() {
        IbvSendWR request = QueuePair.request(IbvSendWR.IBV_WR_RDMA_READ, memory, registration);
        request.setWr_id(id);
        request.getRdma().setRemote_addr(address);
        request.getRdma().setRkey(key);
        try {
            ready.pair().post(List.of(request));
        } catch (IOException failed) {
            ready.onBroken().accept(String.valueOf(failed.getMessage()));
        }
    }

    private void answered(boolean success) {
        if (!success) {
            ready.onBroken().accept("it gave no keepalive");
            return;
        }
        synchronized (this) {
            isAsking = false;
            sinceNanos = System.nanoTime();
        }
    }
}
