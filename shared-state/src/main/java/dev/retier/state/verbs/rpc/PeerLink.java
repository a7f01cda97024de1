package dev.retier.state.verbs.rpc;

import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvSge;
import dev.retier.state.NodeId;
import dev.retier.state.auth.Identity;
import dev.retier.state.rpc.Calls;
import dev.retier.state.rpc.Kind;
import dev.retier.state.rpc.Message;
import dev.retier.state.rpc.ProtocolError;
import dev.retier.state.verbs.Connection;
import dev.retier.state.verbs.LinkHost;
import dev.retier.state.verbs.QueuePair;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * One connection of this node to a peer: calls go out on it, and one-sided operations. When it is lost it never comes
 * back; the {@link Fabric} makes another one, on which nothing of this one is good. Thread-safe.
 */
public final class PeerLink implements Connection {
    private final LinkHost.Ready ready;
    private final RingPort port;
    private final CallPort calls;
    private final Consumer<Runnable> later;
    private final int maxElements;
    private final Semaphore free;
    private final Map<Long, Op> operations = new ConcurrentHashMap<>();
    private final AtomicReference<String> over = new AtomicReference<>("");

    private record Op(long startedNanos, CompletableFuture<OpOutcome> outcome, OneSided what) {}

    /**
     * A connection that both sides have proven.
     *
     * @param later runs what may take its time, on a thread that may wait
     */
    PeerLink(LinkHost.Ready ready, FabricLimits limits, RemotePlace ring, Consumer<Runnable> later) throws IOException {
        this.ready = ready;
        this.later = later;
        this.maxElements = limits.elements();
        this.free = new Semaphore(limits.oneSided());
        this.port = new RingPort(ready, limits, this::received);
        this.calls = new CallPort(limits, port::send);
        port.send(Message.open(RingGrant.encodePlace(port.place())));
        port.connect(ring);
    }

    /** Who is at the other end, and in which of its lives. */
    public Identity peer() {
        return ready.peer();
    }

    /** The node at the other end. */
    public NodeId node() {
        return ready.peer().node();
    }

    /** Whether the connection still stands. */
    public boolean isOpen() {
        return over.get().isEmpty();
    }

    /**
     * Registers this node's memory for operations on this connection.
     *
     * @throws IOException if the device has no room for one more, or the connection is over
     */
    public Registration register(MemorySegment memory, Set<Access> access) throws IOException {
        if (!isOpen()) {
            throw new IOException("the connection to " + node() + " is over: " + over.get());
        }
        return new Registration(ready.pair(), memory, ready.pair().register(memory, Access.flags(access)));
    }

    /**
     * Begins a one-sided operation. Its pieces are in use until the returned future completes, which it does within
     * {@link FabricLimits#stallBound} and the time to drop the connection, about a second more; whoever has less
     * patience waits with a deadline, and leaves the pieces alone until then. Never completes exceptionally.
     *
     * @throws IllegalArgumentException if the operation has more pieces than are allowed, or an atomic's is not 8
     * bytes
     */
    public CompletableFuture<OpOutcome> post(OneSided what) {
        IbvSendWR request = request(what);
        if (!free.tryAcquire()) {
            return CompletableFuture.completedFuture(
                    new OpOutcome.NotDone("too many operations on " + node() + " are under way"));
        }
        Op operation = new Op(System.nanoTime(), new CompletableFuture<>(), what);
        long id = ready.completions().nextId();
        request.setWr_id(id);
        operations.put(id, operation);
        ready.completions().expect(id, (success, _) -> ended(id, success));
        String why = over.get();
        try {
            if (why.isEmpty()) {
                ready.pair().post(List.of(request));
                return operation.outcome();
            }
        } catch (IOException failed) {
            why = String.valueOf(failed.getMessage());
        }
        ready.completions().forget(id);
        finish(id, new OpOutcome.NotDone(why));
        return operation.outcome();
    }

    Call call(Calls.Request request) {
        return calls.begin(request);
    }

    CallPort calls() {
        return calls;
    }

    @Override
    public long oldestNanos(long nowNanos) {
        long oldest = port.oldestNanos(nowNanos);
        for (Op operation : operations.values()) {
            oldest = operation.startedNanos() - oldest < 0 ? operation.startedNanos() : oldest;
        }
        return oldest;
    }

    @Override
    public void immediate(int value) {
        port.immediate(value);
    }

    @Override
    public void abort(String reason) {
        over.set(reason);
        port.close();
        later.accept(calls.close(reason));
    }

    /** Only now can no late answer land in a piece any more. */
    @Override
    public void freed() {
        String reason = over.get();
        operations.keySet().forEach(id -> {
            ready.completions().forget(id);
            later.accept(() -> finish(id, new OpOutcome.Unknown(reason)));
        });
    }

    private void received(Message message) {
        if (message.kind() != Kind.ANSWER) {
            ready.onBroken().accept("it sends " + message.kind() + " where answers are due");
            return;
        }
        try {
            calls.answered(message);
        } catch (ProtocolError error) {
            ready.onBroken().accept("it breaks the protocol: " + error.getMessage());
        }
    }

    private void ended(long id, boolean success) {
        if (!success) {
            ready.onBroken().accept("a one-sided operation failed");
            return;
        }
        Op operation = operations.get(id);
        if (operation != null) {
            finish(id, new OpOutcome.Done(found(operation.what())));
        }
    }

    private void finish(long id, OpOutcome how) {
        Op operation = operations.remove(id);
        if (operation != null) {
            free.release();
            operation.outcome().complete(how);
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
        if (pieces.isEmpty() || pieces.size() > maxElements) {
            throw new IllegalArgumentException(pieces.size() + " pieces; 1 to " + maxElements + " are allowed");
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
