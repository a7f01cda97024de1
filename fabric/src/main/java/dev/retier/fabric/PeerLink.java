package dev.retier.fabric;

import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvSge;
import dev.retier.fabric.calls.Kind;
import dev.retier.fabric.calls.Message;
import dev.retier.fabric.calls.Priority;
import dev.retier.fabric.calls.PriorityGate;
import dev.retier.fabric.calls.ProtocolError;
import dev.retier.link.LinkHost;
import dev.retier.link.OneSidedQueue;
import dev.retier.link.QueuePair;
import dev.retier.link.auth.Identity;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One connection of this node to a peer: calls go out on it, and one-sided operations, of which the urgent ones are
 * begun at once or not at all, and the rest is held back while the node is busy. When it is lost it never comes back;
 * the {@link Fabric} makes another one, on which nothing of this one is good. Thread-safe.
 */
public final class PeerLink extends RingLink {
    private final RemotePlace there;
    final CallPort calls;
    private final FabricHost.Shared shared;
    private final FabricLimits limits;
    private final OneSidedQueue queue;
    /** Guarded by this: operations of low priority that wait until fewer others are under way. */
    private final Queue<Op> heldBack = new ArrayDeque<>();
    /** Guarded by this: whether a thread is in {@link #goOn}. */
    private boolean goingOn;

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
                goOn();
            }
        }
    }

    /**
     * A connection that both sides have proven.
     *
     * @param shared ends calls, does what may take its time, and holds back what is not urgent
     */
    PeerLink(LinkHost.Ready ready, FabricLimits limits, RemotePlace there, FabricHost.Shared shared)
            throws IOException {
        super(ready, limits);
        this.shared = shared;
        this.limits = limits;
        this.queue = new OneSidedQueue(ready, ready.completions(), System::nanoTime, limits.oneSided());
        this.there = there;
        this.calls = new CallPort(limits, shared, this, ready.completions()::help);
        send(Message.open(ring().emit()));
        connect(there);
    }

    /** Who is at the other end, and in which of its lives. */
    public Identity peer() {
        return ready.peer();
    }

    /**
     * Why compare-and-swap and fetch-and-add cannot be done on it: the device has none. They are refused, as {@link
     * OpOutcome.NotDone}. Empty if they can.
     */
    public Optional<String> whyNoAtomics() {
        return ready.pair().abilities().whyNoAtomics();
    }

    /** As {@link #post(OneSided, Priority)}, with high priority. */
    public CompletableFuture<OpOutcome> post(OneSided what) {
        return post(what, Priority.HIGH);
    }

    /**
     * Begins a write that ends when its bytes are in place: over iWARP a write itself ends when it was sent, so a read
     * goes with it that is answered behind it (RFC 5040 section 5.5). Ends as {@link #post} does.
     *
     * @param into 8 bytes for what is read, which means nothing; in use as long as the pieces are
     */
    public CompletableFuture<OpOutcome> place(OneSided.Write write, OneSided.Piece into) {
        IbvSendWR unsignalled = request(write);
        unsignalled.setSend_flags(0);
        OneSided behind = new OneSided.Read(there, List.of(into));
        return begin(new Op(behind, Priority.HIGH, List.of(unsignalled, request(behind))));
    }

    /**
     * Begins a one-sided operation. Its pieces are in use until the returned future completes, which it does within
     * {@link FabricLimits#stallBound} of its beginning and the time to drop the connection, about a second more;
     * whoever has less patience waits with a deadline, and leaves the pieces alone until then. Never completes
     * exceptionally. What depends on it without an executor of its own runs on the node's completion thread, and must
     * not block. Operations of one priority begin in the order of their posting.
     *
     * @throws IllegalArgumentException if the operation has more pieces than are allowed, or an atomic's is not 8
     * bytes
     */
    public CompletableFuture<OpOutcome> post(OneSided what, Priority priority) {
        return begin(new Op(what, priority, List.of(request(what))));
    }

    /**
     * As {@link Fabric#call(NodeId, int, byte[], Duration, Priority)}, but on this very connection or not at all: for
     * answers that are good on it alone.
     */
    public Call call(int function, byte[] body, Duration deadline) {
        return calls.begin(CallPort.request(Kind.CALL, function, body, deadline, Priority.HIGH));
    }

    @Override
    public synchronized long oldestNanos(long nowNanos) {
        return queue.oldestNanos(super.oldestNanos(nowNanos));
    }

    @Override
    public void abort(String reason) {
        super.abort(reason);
        queue.close(reason);
        shared.timers().soon(calls.close(reason));
    }

    /** Only now can no late answer land in a piece any more. */
    @Override
    public void freed() {
        shared.timers().soon(() -> {
            dropHeldBack();
            queue.end();
        });
    }

    @Override
    void received(Message message) throws ProtocolError {
        if (message.kind() != Kind.ANSWER) {
            ready.onBroken().accept("it sends " + message.kind() + " where answers are due");
            return;
        }
        calls.answered(message);
    }

    private CompletableFuture<OpOutcome> begin(Op operation) {
        if (!queue.over().isEmpty()) {
            return CompletableFuture.completedFuture(new OpOutcome.NotDone(queue.over()));
        }
        if (operation.priority == Priority.LOW) {
            hold(operation);
            goOn();
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

    /**
     * Begins what was held back and need not be any more. An operation that ends when it is begun comes here again: it
     * is left to the first one here, so that however many end, none ends within the other.
     */
    void goOn() {
        synchronized (this) {
            if (goingOn) {
                return;
            }
            goingOn = true;
        }
        for (Op next = takeHeldBack(); next != null; next = takeHeldBack()) {
            queue.post(next, next.requests);
        }
    }

    /** The next one that may begin; if it has to wait, its turn is asked for again later. */
    private synchronized @Nullable Op takeHeldBack() {
        goingOn = false;
        if (heldBack.isEmpty()) {
            return null;
        }
        int requests = heldBack.element().requests.size();
        long nowNanos = System.nanoTime();
        if (queue.reserve(requests)) {
            if (shared.gate().tryBegin(Priority.LOW, nowNanos)) {
                goingOn = true;
                return heldBack.remove();
            }
            queue.giveBack(requests);
        }
        shared.clock().at(nowNanos + PriorityGate.BUSY_NANOS);
        return null;
    }

    private void dropHeldBack() {
        List<Op> never;
        synchronized (this) {
            never = List.copyOf(heldBack);
            heldBack.clear();
        }
        never.forEach(operation -> operation.outcome.complete(new OpOutcome.NotDone(queue.over())));
    }

    private void hold(Op operation) {
        synchronized (this) {
            if (heldBack.size() < limits.waitingCalls()) {
                heldBack.add(operation);
                return;
            }
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
            case OneSided.CompareAndSwap(RemotePlace word, long expected, long next, OneSided.Piece found) ->
                atomic(IbvSendWR.IBV_WR_ATOMIC_CMP_AND_SWP, found, word, expected, next);
            case OneSided.FetchAndAdd(RemotePlace word, long addend, OneSided.Piece found) ->
                atomic(IbvSendWR.IBV_WR_ATOMIC_FETCH_AND_ADD, found, word, addend, 0);
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

    private static IbvSendWR atomic(int opcode, OneSided.Piece found, RemotePlace word, long compareAdd, long swap) {
        if (found.lengthBytes() != Long.BYTES) {
            throw new IllegalArgumentException("an atomic finds 8 bytes, not " + found.lengthBytes());
        }
        IbvSendWR request = QueuePair.request(opcode, List.of(found.element()));
        request.getAtomic().setRemote_addr(word.address());
        request.getAtomic().setRkey(word.key());
        request.getAtomic().setCompare_add(compareAdd);
        request.getAtomic().setSwap(swap);
        return request;
    }
}
