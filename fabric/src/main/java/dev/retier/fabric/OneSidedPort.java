package dev.retier.fabric;

import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvSge;
import dev.retier.fabric.calls.Priority;
import dev.retier.fabric.calls.PriorityGate;
import dev.retier.link.LinkHost;
import dev.retier.link.QueuePair;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;

/** The one-sided operations of one connection. Thread-safe. */
final class OneSidedPort {
    private final LinkHost.Ready ready;
    private final FabricHost.Shared shared;
    private final FabricLimits limits;
    private final Semaphore free;
    private final Map<Long, Op> underWay = new ConcurrentHashMap<>();
    private final ReentrantLock lock = new ReentrantLock();
    /** Guarded by lock: operations of low priority that wait until fewer others are under way. */
    private final Queue<Op> heldBack = new ArrayDeque<>();

    /** Why nothing can be posted any more; empty while it can. */
    private volatile String over = "";

    private static final class Op {
        final OneSided what;
        final Priority priority;
        /** Posted together; the end of the last one is the end of all. */
        final List<IbvSendWR> requests;

        final CompletableFuture<OpOutcome> outcome = new CompletableFuture<>();
        volatile long startedNanos;

        Op(OneSided what, Priority priority, List<IbvSendWR> requests) {
            this.what = what;
            this.priority = priority;
            this.requests = requests;
        }
    }

    OneSidedPort(LinkHost.Ready ready, FabricLimits limits, FabricHost.Shared shared) {
        this.ready = ready;
        this.limits = limits;
        this.shared = shared;
        this.free = new Semaphore(limits.oneSided());
    }

    CompletableFuture<OpOutcome> post(OneSided what, Priority priority) {
        return begin(new Op(what, priority, List.of(request(what))));
    }

    /** Both at once, with high priority; ends with the second, and there is one event and one way to the socket. */
    CompletableFuture<OpOutcome> place(OneSided.Write write, OneSided.Read behind) {
        IbvSendWR unsignalled = request(write);
        unsignalled.setSend_flags(0);
        return begin(new Op(behind, Priority.HIGH, List.of(unsignalled, request(behind))));
    }

    private CompletableFuture<OpOutcome> begin(Op operation) {
        if (!over.isEmpty()) {
            return CompletableFuture.completedFuture(new OpOutcome.NotDone(over));
        }
        if (operation.priority == Priority.LOW) {
            hold(operation);
            goOn(System.nanoTime()).ifPresent(shared.clock()::at);
            if (!over.isEmpty()) {
                dropHeldBack();
            }
        } else if (free.tryAcquire(operation.requests.size())) {
            shared.gate().tryBegin(Priority.HIGH, System.nanoTime());
            start(operation);
        } else {
            operation.outcome.complete(tooMany());
        }
        return operation.outcome;
    }

    OptionalLong goOn(long nowNanos) {
        while (true) {
            Op operation;
            lock.lock();
            try {
                if (heldBack.isEmpty()) {
                    return OptionalLong.empty();
                }
                int requests = heldBack.element().requests.size();
                if (!free.tryAcquire(requests)) {
                    return OptionalLong.of(nowNanos + PriorityGate.BUSY_NANOS);
                }
                if (!shared.gate().tryBegin(Priority.LOW, nowNanos)) {
                    free.release(requests);
                    return OptionalLong.of(nowNanos + PriorityGate.BUSY_NANOS);
                }
                operation = heldBack.remove();
            } finally {
                lock.unlock();
            }
            start(operation);
        }
    }

    long oldestNanos(long nowNanos) {
        long oldest = nowNanos;
        for (Op operation : underWay.values()) {
            oldest = operation.startedNanos - oldest < 0 ? operation.startedNanos : oldest;
        }
        return oldest;
    }

    void abort(String reason) {
        over = reason;
    }

    /** Only now can no late answer land in a piece any more. */
    void freed() {
        dropHeldBack();
        underWay.keySet().forEach(id -> {
            ready.completions().forget(id);
            finish(id, new OpOutcome.Unknown(over));
        });
    }

    private void dropHeldBack() {
        List<Op> never;
        lock.lock();
        try {
            never = new ArrayList<>(heldBack);
            heldBack.clear();
        } finally {
            lock.unlock();
        }
        never.forEach(operation -> operation.outcome.complete(new OpOutcome.NotDone(over)));
    }

    private void hold(Op operation) {
        lock.lock();
        try {
            if (heldBack.size() < limits.waitingCalls()) {
                heldBack.add(operation);
                return;
            }
        } finally {
            lock.unlock();
        }
        operation.outcome.complete(tooMany());
    }

    private OpOutcome tooMany() {
        return new OpOutcome.NotDone("too many operations on " + ready.peer().node() + " are under way");
    }

    private void start(Op operation) {
        long id = ready.completions().nextId();
        operation.startedNanos = System.nanoTime();
        operation.requests.getLast().setWr_id(id);
        underWay.put(id, operation);
        ready.completions().expect(id, (success, _) -> ended(id, success));
        String why = over;
        try {
            if (why.isEmpty()) {
                ready.pair().post(operation.requests);
                return;
            }
        } catch (IOException failed) {
            why = String.valueOf(failed.getMessage());
        }
        ready.completions().forget(id);
        finish(id, new OpOutcome.NotDone(why));
    }

    private void ended(long id, boolean success) {
        if (!success) {
            ready.onBroken().accept("a one-sided operation failed");
            return;
        }
        Op operation = underWay.get(id);
        if (operation != null) {
            finish(id, new OpOutcome.Done(found(operation.what)));
        }
    }

    private void finish(long id, OpOutcome how) {
        Op operation = underWay.remove(id);
        if (operation != null) {
            free.release(operation.requests.size());
            shared.gate().end(operation.priority, System.nanoTime());
            operation.outcome.complete(how);
            if (operation.priority == Priority.LOW) {
                goOn(System.nanoTime());
            }
        }
    }

    private static long found(OneSided what) {
        return switch (what) {
            case OneSided.Read _, OneSided.Write _ -> 0;
            case OneSided.CompareAndSwap swap -> swap.found().word();
            case OneSided.FetchAndAdd add -> add.found().word();
        };
    }

    private IbvSendWR request(OneSided what) {
        return switch (what) {
            case OneSided.Read(RemotePlace from, List<OneSided.Piece> into) ->
                transfer(IbvSendWR.IBV_WR_RDMA_READ, into, from);
            case OneSided.Write(List<OneSided.Piece> from, RemotePlace to) ->
                transfer(IbvSendWR.IBV_WR_RDMA_WRITE, from, to);
            case OneSided.CompareAndSwap swap -> {
                IbvSendWR request = atomic(IbvSendWR.IBV_WR_ATOMIC_CMP_AND_SWP, swap.found(), swap.word());
                request.getAtomic().setCompare_add(swap.expected());
                request.getAtomic().setSwap(swap.next());
                yield request;
            }
            case OneSided.FetchAndAdd add -> {
                IbvSendWR request = atomic(IbvSendWR.IBV_WR_ATOMIC_FETCH_AND_ADD, add.found(), add.word());
                request.getAtomic().setCompare_add(add.addend());
                yield request;
            }
        };
    }

    private IbvSendWR transfer(int opcode, List<OneSided.Piece> pieces, RemotePlace there) {
        if (pieces.isEmpty() || pieces.size() > limits.elements()) {
            throw new IllegalArgumentException(pieces.size() + " pieces; 1 to " + limits.elements() + " are allowed");
        }
        List<IbvSge> elements = pieces.stream().map(OneSided.Piece::element).toList();
        IbvSendWR request = QueuePair.request(opcode, elements);
        request.getRdma().setRemote_addr(there.address());
        request.getRdma().setRkey(there.key());
        return request;
    }

    private static IbvSendWR atomic(int opcode, OneSided.Piece found, RemotePlace word) {
        if (found.lengthBytes() != Long.BYTES) {
            throw new IllegalArgumentException("an atomic finds 8 bytes, not " + found.lengthBytes());
        }
        IbvSendWR request = QueuePair.request(opcode, List.of(found.element()));
        request.getAtomic().setRemote_addr(word.address());
        request.getAtomic().setRkey(word.key());
        return request;
    }
}
