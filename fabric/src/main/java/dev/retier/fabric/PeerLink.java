package dev.retier.fabric;

import dev.retier.fabric.calls.Kind;
import dev.retier.fabric.calls.Message;
import dev.retier.fabric.calls.Priority;
import dev.retier.fabric.calls.ProtocolError;
import dev.retier.link.Connection;
import dev.retier.link.LinkHost;
import dev.retier.link.NodeId;
import dev.retier.link.auth.Identity;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One connection of this node to a peer: calls go out on it, and one-sided operations. When it is lost it never comes
 * back; the {@link Fabric} makes another one, on which nothing of this one is good. Thread-safe.
 */
public final class PeerLink implements Connection {
    private final LinkHost.Ready ready;
    private final RingPort port;
    private final RemotePlace ring;
    private final CallPort calls;
    private final FabricHost.Shared shared;
    private final OneSidedPort operations;
    private final AtomicReference<String> over = new AtomicReference<>("");

    /**
     * A connection that both sides have proven.
     *
     * @param shared ends calls, does what may take its time, and holds back what is not urgent
     */
    PeerLink(LinkHost.Ready ready, FabricLimits limits, RemotePlace ring, FabricHost.Shared shared) throws IOException {
        this.ready = ready;
        this.shared = shared;
        this.operations = new OneSidedPort(ready, limits, shared);
        this.ring = ring;
        this.port = new RingPort(ready, limits, this::received);
        this.calls = new CallPort(limits, shared, port::send, ready.completions()::help);
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
    public Registration register(MemorySegment memory, Set<MemoryAccess> access) throws IOException {
        if (!isOpen()) {
            throw new IOException("the connection to " + node() + " is over: " + over.get());
        }
        return new Registration(ready.pair(), memory, ready.pair().register(memory, MemoryAccess.flags(access)));
    }

    /** As {@link #post(OneSided, Priority)}, with high priority. */
    public CompletableFuture<OpOutcome> post(OneSided what) {
        return operations.post(what, Priority.HIGH);
    }

    /**
     * Begins a write that ends when its bytes are in place: over iWARP a write itself ends when it was sent, so a read
     * goes with it that is answered behind it (RFC 5040 section 5.5). Ends as {@link #post} does.
     *
     * @param into 8 bytes for what is read, which means nothing; in use as long as the pieces are
     */
    public CompletableFuture<OpOutcome> place(OneSided.Write write, OneSided.Piece into) {
        return operations.place(write, new OneSided.Read(ring, List.of(into)));
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
        return operations.post(what, priority);
    }

    /**
     * As {@link Fabric#call(NodeId, int, byte[], Duration, Priority)}, but on this very connection or not at all: for
     * answers that are good on it alone.
     */
    public Call call(int function, byte[] body, Duration deadline) {
        return call(Kind.CALL, function, body, new CallOptions(deadline, Priority.HIGH));
    }

    Call call(Kind kind, int function, byte[] body, CallOptions manner) {
        return calls.begin(manner.request(kind, function, body));
    }

    CallPort calls() {
        return calls;
    }

    @Override
    public long oldestNanos(long nowNanos) {
        long signs = port.oldestNanos(nowNanos);
        long oldest = operations.oldestNanos(nowNanos);
        return signs - oldest < 0 ? signs : oldest;
    }

    /** Begins what was held back and need not be any more; when to ask again. */
    OptionalLong goOn(long nowNanos) {
        return operations.goOn(nowNanos);
    }

    @Override
    public void immediate(int value) {
        port.immediate(value);
    }

    @Override
    public void abort(String reason) {
        over.set(reason);
        operations.abort(reason);
        port.close();
        shared.timers().soon(calls.close(reason));
    }

    /** Only now can no late answer land in a piece any more. */
    @Override
    public void freed() {
        shared.timers().soon(operations::freed);
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
}
