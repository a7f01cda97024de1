package dev.retier.fabric;

import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvSge;
import dev.retier.fabric.calls.Priority;
import dev.retier.fabric.calls.PriorityGate;
import dev.retier.link.LinkHost;
import dev.retier.link.OneSidedQueue;
import dev.retier.link.QueuePair;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The one-sided operations of one connection, by priority: what is urgent is begun at once or not at all, the rest is
 * held back while the node is busy. Thread-safe.
 */
final class OneSidedPort {
    private final LinkHost.Ready ready;
    private final FabricHost.Shared shared;
    private final FabricLimits limits;
    private final OneSidedQueue queue;
    private final ReentrantLock lock = new ReentrantLock();
    /** Guarded by lock: operations of low priority that wait until fewer others are under way. */
    private final Queue<Op> heldBack = new ArrayDeque<>();

    private final class Op implements OneSidedQueue.Operation {
        final OneSided what;
        final Priority priority;
        final List<IbvSendWR> requests;
        final CompletableFuture<OpOutcome> outcome = new CompletableFuture<>();

        Op(OneSided what, Priority priority, List<IbvSendWR> requests) {
            this.what = what;
            this.priority = priority;
            this.requests = requests;
        }

        @Override
        public void done() {
            ended(new OpOutcome.Done(found(what)));
        }

        @Override
        public void notDone(String reason) {
            ended(new OpOutcome.NotDone(reason));
        }

        @Override
        public void unknown(String reason) {
            ended(new OpOutcome.Unknown(reason));
        }

        private void ended(OpOutcome how) {
            shared.gate().end(priority, System.nanoTime());
            outcome.complete(how);
            if (priority == Priority.LOW) {
                goOn(System.nanoTime());
            }
        }
    }

    OneSidedPort(LinkHost.Ready ready, FabricLimits limits, FabricHost.Shared shared) {
        this.ready = ready;
        this.limits = limits;
        this.shared = shared;
        this.queue = new OneSidedQueue(ready, ready.completions(), System::nanoTime, limits.oneSided());
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
        if (!queue.over().isEmpty()) {
            return CompletableFuture.completedFuture(new OpOutcome.NotDone(queue.over()));
        }
        if (operation.priority == Priority.LOW) {
            hold(operation);
            goOn(System.nanoTime()).ifPresent(shared.clock()::at);
            if (!queue.over().isEmpty()) {
                dropHeldBack();
            }
        } else if (queue.reserve(operation.requests.size())) {
            shared.gate().tryBegin(Priority.HIGH, System.nanoTime());
            queue.post(operation, operation.requests);
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
                if (!queue.reserve(requests)) {
                    return OptionalLong.of(nowNanos + PriorityGate.BUSY_NANOS);
                }
                if (!shared.gate().tryBegin(Priority.LOW, nowNanos)) {
                    queue.giveBack(requests);
                    return OptionalLong.of(nowNanos + PriorityGate.BUSY_NANOS);
                }
                operation = heldBack.remove();
            } finally {
                lock.unlock();
            }
            queue.post(operation, operation.requests);
        }
    }

    long oldestNanos(long nowNanos) {
        return queue.oldestNanos(nowNanos);
    }

    void abort(String reason) {
        queue.close(reason);
    }

    /** Only now can no late answer land in a piece any more. */
    void freed() {
        dropHeldBack();
        queue.end();
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
        never.forEach(operation -> operation.outcome.complete(new OpOutcome.NotDone(queue.over())));
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
