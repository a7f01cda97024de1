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
import dev.retier.state.slot.SlotGrant;
import dev.retier.state.slot.SlotLayout;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
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

    /** Work requests of one operation at most: an announcement writes and reads. */
    static final int REQUESTS = 2;

    /** Bells rung and not known to be answered; one more is left out. */
    static final int BELLS = 4;

    private static final int WORD_OFFSET = SlotLayout.LENGTH_BYTES;
    private static final int BUFFER_BYTES = SlotLayout.LENGTH_BYTES + SlotLayout.ALIGNMENT_BYTES;

    private final Operations operations;
    private final SlotGrant grant;
    private final Consumer<String> onBroken;
    private final OneSidedQueue queue;
    private final IbvMr registration;
    private final Queue<MemorySegment> free = new ArrayBlockingQueue<>(DEPTH);
    private final Semaphore bells = new Semaphore(BELLS);
    private final AtomicLong answeredBells = new AtomicLong();

    Session(LinkHost.Ready ready, Operations operations, SlotGrant grant) throws IOException {
        this.operations = operations;
        this.grant = grant;
        this.onBroken = ready.onBroken();
        this.queue = new OneSidedQueue(ready, operations.completions(), operations::nowNanos, DEPTH * REQUESTS);
        MemorySegment memory = Arena.ofAuto().allocate((long) DEPTH * BUFFER_BYTES, SlotLayout.ALIGNMENT_BYTES);
        this.registration = ready.pair().register(memory, IbvMr.IBV_ACCESS_LOCAL_WRITE);
        for (int i = 0; i < DEPTH; i++) {
            free.add(memory.asSlice((long) i * BUFFER_BYTES, BUFFER_BYTES));
        }
    }

    /** Reads {@code length} bytes from {@code offset} of the slot to the start of the buffer. */
    <K> boolean read(int offset, int length, Gathering<K> gathering, K key) {
        return begin(
                gathering,
                key,
                buffer -> List.of(readRequest(buffer, grant.slotAddress() + offset, length, grant.readKey())));
    }

    /** Swaps the word at {@code offset} of the slot; {@link #word} then has what it was. */
    <K> boolean compareAndSwap(int offset, long expected, long next, Gathering<K> gathering, K key) {
        return begin(gathering, key, buffer -> List.of(swapRequest(buffer, offset, expected, next)));
    }

    /**
     * Writes this node's announcement word at the peer, rings its bell by an immediate behind it, and reads how many of
     * its bells the peer has answered, for {@link #answered}. The read behind the write ends only when the write is in
     * place (RFC 5040 section 5.5).
     */
    <K> boolean announce(long word, Gathering<K> gathering, K key) {
        return begin(gathering, key, buffer -> {
            MemorySegment source = wordOf(buffer);
            source.set(SlotLayout.WORD_LAYOUT, 0, word);
            int opcode = bells.tryAcquire() ? IbvSendWR.IBV_WR_RDMA_WRITE_WITH_IMM : IbvSendWR.IBV_WR_RDMA_WRITE;
            IbvSendWR write = QueuePair.request(opcode, source, registration);
            write.setSend_flags(0);
            write.getRdma().setRemote_addr(grant.announceAddress());
            write.getRdma().setRkey(grant.announceKey());
            long count = grant.announceAddress() + Announcements.BELLS_OFFSET;
            return List.of(write, readRequest(buffer, count, Long.BYTES, grant.bellKey()));
        });
    }

    /** A finished announcement tells how many bells the peer has answered: it listens as often again. */
    void answered(Work announced) {
        long count = announced.buffer().get(SlotLayout.WORD_LAYOUT, 0);
        long before = answeredBells.getAndAccumulate(count, Math::max);
        int more = (int) Math.min(BELLS, Math.max(0, count - before));
        bells.release(Math.min(more, BELLS - bells.availablePermits()));
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

    private <K> boolean begin(Gathering<K> gathering, K key, Function<MemorySegment, List<IbvSendWR>> requests) {
        MemorySegment buffer = free.poll();
        if (buffer == null) {
            return false;
        }
        List<IbvSendWR> posted = requests.apply(buffer);
        Work work = gathering.add(key, operations, buffer, free::add);
        if (queue.reserve(posted.size())) {
            queue.post(work, posted);
        } else {
            work.notDone("no room for its work requests");
        }
        if (work.ending() == Work.Ending.FAILED) {
            onBroken.accept("an operation failed");
        }
        return true;
    }

    private IbvSendWR readRequest(MemorySegment buffer, long address, int length, int key) {
        IbvSendWR request = QueuePair.request(IbvSendWR.IBV_WR_RDMA_READ, buffer.asSlice(0, length), registration);
        request.getRdma().setRemote_addr(address);
        request.getRdma().setRkey(key);
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
