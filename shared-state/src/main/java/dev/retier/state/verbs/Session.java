package dev.retier.state.verbs;

import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvSendWR;
import dev.retier.link.Connection;
import dev.retier.link.Gathering;
import dev.retier.link.LinkHost;
import dev.retier.link.Operations;
import dev.retier.link.QueuePair;
import dev.retier.link.Work;
import dev.retier.state.slot.SlotGrant;
import dev.retier.state.slot.SlotLayout;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * An authenticated connection to another node's slot, and the one-sided operations on it. At most {@value #DEPTH}
 * are in flight; one more is refused, never queued.
 *
 * <p>Thread-safe. Each operation returns at once; await its {@link Gathering}, then ask the {@link Work}.
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

    private final QueuePair pair;
    private final Operations operations;
    private final SlotGrant grant;
    private final Consumer<String> onBroken;
    private final IbvMr registration;
    private final Queue<MemorySegment> free = new ArrayBlockingQueue<>(DEPTH);
    private final Map<Long, Work> inFlight = new ConcurrentHashMap<>();
    private final Semaphore bells = new Semaphore(BELLS);
    private final AtomicLong answeredBells = new AtomicLong();

    Session(LinkHost.Ready ready, Operations operations, SlotGrant grant) throws IOException {
        this.pair = ready.pair();
        this.operations = operations;
        this.grant = grant;
        this.onBroken = ready.onBroken();
        MemorySegment memory = Arena.ofAuto().allocate((long) DEPTH * BUFFER_BYTES, SlotLayout.ALIGNMENT_BYTES);
        this.registration = pair.register(memory, IbvMr.IBV_ACCESS_LOCAL_WRITE);
        for (int i = 0; i < DEPTH; i++) {
            free.add(memory.asSlice((long) i * BUFFER_BYTES, BUFFER_BYTES));
        }
    }

    /** Reads {@code length} bytes from {@code offset} of the slot to the start of the buffer. Empty if too busy. */
    Optional<Work> read(int offset, int length, Gathering gathering) {
        return begin(gathering).map(work -> start(work, List.of(slotRequest(work, offset, length))));
    }

    /** Swaps the word at {@code offset} of the slot; {@link #word} then has what it was. Empty if too busy. */
    Optional<Work> compareAndSwap(int offset, long expected, long next, Gathering gathering) {
        return begin(gathering).map(work -> start(work, List.of(swapRequest(work, offset, expected, next))));
    }

    /**
     * Writes this node's announcement word at the peer, rings its bell by an immediate behind it, and reads how many of
     * its bells the peer has answered. The read behind the write ends only when the write is in place (RFC 5040
     * section 5.5). Empty if too busy.
     */
    Optional<Work> announce(long word, Gathering gathering) {
        return begin(gathering).map(work -> {
            MemorySegment source = wordOf(work);
            source.set(SlotLayout.WORD_LAYOUT, 0, word);
            int opcode = bells.tryAcquire() ? IbvSendWR.IBV_WR_RDMA_WRITE_WITH_IMM : IbvSendWR.IBV_WR_RDMA_WRITE;
            IbvSendWR write = QueuePair.request(opcode, source, registration);
            write.setSend_flags(0);
            write.getRdma().setRemote_addr(grant.announceAddress());
            write.getRdma().setRkey(grant.announceKey());
            long count = grant.announceAddress() + Announcements.BELLS_OFFSET;
            List<IbvSendWR> requests = List.of(write, readRequest(work, count, Long.BYTES, grant.bellKey()));
            return start(work, requests, () -> answered(work.buffer().get(SlotLayout.WORD_LAYOUT, 0)));
        });
    }

    /** The peer listens again as often as it has answered more bells. */
    private void answered(long count) {
        long before = answeredBells.getAndAccumulate(count, Math::max);
        int more = (int) Math.min(BELLS, Math.max(0, count - before));
        bells.release(Math.min(more, BELLS - bells.availablePermits()));
    }

    /** The word that a finished compare-and-swap found. */
    static long word(Work work) {
        return wordOf(work).get(SlotLayout.WORD_LAYOUT, 0);
    }

    @Override
    public long oldestNanos(long nowNanos) {
        long oldest = nowNanos;
        for (Work work : inFlight.values()) {
            oldest = work.startedNanos() - oldest < 0 ? work.startedNanos() : oldest;
        }
        return oldest;
    }

    @Override
    public void immediate(int value) {
        onBroken.accept("it sent what nobody asked for");
    }

    /** Ends all operations in flight as failed. */
    @Override
    public void abort(String reason) {
        inFlight.forEach((id, _) -> {
            operations.completions().forget(id);
            end(id, false);
        });
    }

    private Optional<Work> begin(Gathering gathering) {
        MemorySegment buffer = free.poll();
        return Optional.ofNullable(buffer)
                .map(claimed -> new Work(claimed, gathering, operations, () -> free.add(claimed)));
    }

    private Work start(Work work, List<IbvSendWR> requests) {
        return start(work, requests, () -> {});
    }

    private Work start(Work work, List<IbvSendWR> requests, Runnable onSuccess) {
        long id = operations.completions().nextId();
        inFlight.put(id, work);
        operations.completions().expect(id, (success, _) -> {
            if (success) {
                onSuccess.run();
            }
            end(id, success);
        });
        requests.forEach(request -> request.setWr_id(id));
        try {
            pair.post(requests);
        } catch (IOException failed) {
            operations.completions().forget(id);
            end(id, false);
        }
        return work;
    }

    private void end(long id, boolean success) {
        Work work = inFlight.remove(id);
        if (work != null) {
            work.ended(success);
            if (!success) {
                onBroken.accept("an operation failed");
            }
        }
    }

    private IbvSendWR slotRequest(Work work, int offset, int length) {
        return readRequest(work, grant.slotAddress() + offset, length, grant.readKey());
    }

    private IbvSendWR readRequest(Work work, long address, int length, int key) {
        IbvSendWR request =
                QueuePair.request(IbvSendWR.IBV_WR_RDMA_READ, work.buffer().asSlice(0, length), registration);
        request.getRdma().setRemote_addr(address);
        request.getRdma().setRkey(key);
        return request;
    }

    private IbvSendWR swapRequest(Work work, int offset, long expected, long next) {
        IbvSendWR request = QueuePair.request(IbvSendWR.IBV_WR_ATOMIC_CMP_AND_SWP, wordOf(work), registration);
        request.getAtomic().setRemote_addr(grant.slotAddress() + offset);
        request.getAtomic().setRkey(grant.atomicKey());
        request.getAtomic().setCompare_add(expected);
        request.getAtomic().setSwap(next);
        return request;
    }

    private static MemorySegment wordOf(Work work) {
        return work.buffer().asSlice(WORD_OFFSET, Long.BYTES);
    }
}
