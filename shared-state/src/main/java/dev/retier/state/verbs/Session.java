package dev.retier.state.verbs;

import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvSendWR;
import dev.retier.link.Connection;
import dev.retier.link.Gathering;
import dev.retier.link.LinkHost;
import dev.retier.link.OneSidedQueue;
import dev.retier.link.Operations;
import dev.retier.link.QueuePair;
import dev.retier.link.Work;
import dev.retier.link.auth.Versions;
import dev.retier.state.slot.SlotGrant;
import dev.retier.state.slot.SlotLayout;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * An authenticated connection to another node's slot, and the one-sided operations on it. At most {@value #DEPTH}
 * are in flight; one more is refused, never queued.
 *
 * <p>Thread-safe. Each operation returns at once whether it was begun; await its {@link Gathering}, which names it by
 * the given key, for the {@link Work}.
 */
final class Session implements Connection {
    /** Operations in flight on one connection. */
    static final int DEPTH = 16;

    private static final int WORD_OFFSET = SlotLayout.LENGTH_BYTES;
    private static final int BUFFER_BYTES = SlotLayout.LENGTH_BYTES + SlotLayout.ALIGNMENT_BYTES;

    private final Operations operations;
    private final SlotGrant grant;
    private final Consumer<String> onBroken;
    private final OneSidedQueue queue;
    private final IbvMr registration;
    private final Queue<MemorySegment> free = new ArrayBlockingQueue<>(DEPTH);
    private final boolean hears;
    private final Optional<String> whyNoAtomics;

    Session(LinkHost.Ready ready, Operations operations, SlotGrant grant) throws IOException {
        this.operations = operations;
        this.grant = grant;
        this.onBroken = ready.onBroken();
        this.whyNoAtomics = ready.pair().abilities().whyNoAtomics();
        this.hears = ready.terms().version() != Versions.FORMER;
        this.queue = new OneSidedQueue(ready, operations.completions(), operations::nowNanos, DEPTH);
        MemorySegment memory = Arena.ofAuto().allocate((long) DEPTH * BUFFER_BYTES, SlotLayout.ALIGNMENT_BYTES);
        this.registration = ready.pair().register(memory, IbvMr.IBV_ACCESS_LOCAL_WRITE);
        for (int i = 0; i < DEPTH; i++) {
            free.add(memory.asSlice((long) i * BUFFER_BYTES, BUFFER_BYTES));
        }
    }

    /** Reads {@code length} bytes from {@code offset} of the slot to the start of the buffer. */
    <K> boolean read(int offset, int length, Gathering<K> gathering, K key) {
        return begin(gathering, key, buffer -> readRequest(buffer, grant.slotAddress() + offset, length));
    }

    /** Why nothing can be swapped here: the device has no atomics. Empty if it has. */
    Optional<String> whyNoAtomics() {
        return whyNoAtomics;
    }

    /**
     * Swaps the word at {@code offset} of the slot; {@link #word} then has what it was. Begins nothing where there are
     * no atomics.
     */
    <K> boolean compareAndSwap(int offset, long expected, long next, Gathering<K> gathering, K key) {
        return whyNoAtomics.isEmpty() && begin(gathering, key, buffer -> swapRequest(buffer, offset, expected, next));
    }

    /** Whether the peer takes announcements: agents of version 2 do so in another way, and look every S anyhow. */
    boolean hears() {
        return hears;
    }

    /** Sends the peer nothing but a reason to look; ends when the message is on its way. */
    <K> boolean announce(Gathering<K> gathering, K key) {
        return begin(gathering, key, _ -> QueuePair.request(IbvSendWR.IBV_WR_SEND, List.of()));
    }

    /** The word that a finished compare-and-swap found. */
    static long word(Work work) {
        return wordOf(work.buffer()).get(SlotLayout.WORD_LAYOUT, 0);
    }

    @Override
    public long oldestNanos(long nowNanos) {
        return queue.oldestNanos(nowNanos);
    }

    @Override
    public void immediate(int value) {
        onBroken.accept("it sent what nobody asked for");
    }

    /** Ends all operations in flight as failed: their buffers are of no further use to anybody. */
    @Override
    public void abort(String reason) {
        queue.close(reason);
        queue.end();
    }

    private <K> boolean begin(Gathering<K> gathering, K key, Function<MemorySegment, IbvSendWR> request) {
        MemorySegment buffer = free.poll();
        if (buffer == null) {
            return false;
        }
        Work work = gathering.add(key, operations, buffer, free::add);
        boolean _ = queue.reserve(1); // there is room: an operation that is over gives back its place before its buffer
        queue.post(work, List.of(request.apply(buffer)));
        if (work.ending() == Work.Ending.FAILED) {
            onBroken.accept("an operation failed");
        }
        return true;
    }

    private IbvSendWR readRequest(MemorySegment buffer, long address, int length) {
        IbvSendWR request = QueuePair.request(IbvSendWR.IBV_WR_RDMA_READ, buffer.asSlice(0, length), registration);
        request.getRdma().setRemote_addr(address);
        request.getRdma().setRkey(grant.readKey());
        return request;
    }

    private IbvSendWR swapRequest(MemorySegment buffer, int offset, long expected, long next) {
        IbvSendWR request = QueuePair.request(IbvSendWR.IBV_WR_ATOMIC_CMP_AND_SWP, wordOf(buffer), registration);
        request.getAtomic().setRemote_addr(grant.slotAddress() + offset);
        request.getAtomic().setRkey(grant.atomicKey());
        request.getAtomic().setCompare_add(expected);
        request.getAtomic().setSwap(next);
        return request;
    }

    private static MemorySegment wordOf(MemorySegment buffer) {
        return buffer.asSlice(WORD_OFFSET, Long.BYTES);
    }
}
