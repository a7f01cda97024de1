package dev.retier.state.verbs;

import com.ibm.disni.verbs.RdmaCmId;
import dev.retier.state.NodeId;
import dev.retier.state.StateMetric;
import dev.retier.state.auth.Handshake;
import dev.retier.state.auth.Identity;
import dev.retier.state.auth.Responder;
import dev.retier.state.auth.Rights;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A peer's way to this node. After the handshake the provider serves reads and atomics without this node's threads;
 * what else is to be done is the host's business.
 *
 * <p>Thread-safe. Made and freed by the keeper's thread; messages come on the completion thread.
 */
final class IncomingLink implements QueuePair.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(IncomingLink.class);
    private static final long PROVE_NANOS = TimeUnit.SECONDS.toNanos(3);

    private final LinkHost<?> local;
    private final Completions completions;
    private final QueuePair pair;
    private final Responder responder;
    private final BiConsumer<NodeId, IncomingLink> onProven;
    private final long deadlineNanos;
    private final ReentrantLock lock = new ReentrantLock();
    /** Guarded by lock. */
    private boolean greeted;

    /** Guarded by lock. */
    private Connection use = Connection.PASSIVE;

    /** Whether it was refused, or has been counted as ended without a proof. */
    private final AtomicBoolean isRefused = new AtomicBoolean();

    /** Whether it has been counted as one whose peer used a key that it does not have. */
    private final AtomicBoolean isForger = new AtomicBoolean();

    private volatile @Nullable Identity peer;
    private volatile boolean broken;

    /**
     * Accepts the connection request {@code id}, or refuses it.
     *
     * @param hello what came with the request; nothing if the provider hides it
     * @param onProven called before a member learns where the slot is
     */
    IncomingLink(LinkHost<?> local, RdmaCmId id, byte[] hello, BiConsumer<NodeId, IncomingLink> onProven)
            throws IOException {
        this.local = local;
        this.onProven = onProven;
        this.deadlineNanos = System.nanoTime() + PROVE_NANOS;
        this.responder = new Responder(local.links().secret(), local.identity());
        byte[] challenge = hello.length == 0 ? hello : greet(hello);
        this.completions = local.completions(id.getVerbs());
        this.pair = new QueuePair(id, new QueuePair.Queues(completions, completions), local.sizes(), this);
        try {
            PrivateData.pass(challenge, id::accept);
        } catch (IOException failed) {
            pair.destroy();
            throw failed;
        }
    }

    /** Whether it is of no use any more: broken, or not proven in time. */
    boolean isOver(long nowNanos) {
        return broken || (peer == null ? expired(nowNanos) : stalled(nowNanos));
    }

    private boolean expired(long nowNanos) {
        if (nowNanos - deadlineNanos <= 0) {
            return false;
        }
        broken = true;
        countUnproven();
        return true;
    }

    /** A stranger is gone before it has proven anything. Told at most once per connection. */
    private void countUnproven() {
        if (peer == null && isRefused.compareAndSet(false, true)) {
            local.counters().count(StateMetric.HANDSHAKES_UNPROVEN);
            if (local.counters().isNews("unproven")) {
                LOG.warn(
                        "{} sees connections end that have proven nothing",
                        local.identity().node());
            }
        }
    }

    boolean isProven() {
        return peer != null;
    }

    /** Tells the peer, if it is proven, that this node closes in good order. */
    void sayGoodbye() {
        lock.lock();
        try {
            if (peer != null && !broken && local.saysGoodbye()) {
                pair.send(Goodbye.message(), this);
            }
        } catch (IOException failed) {
            LOG.debug("{} could not say goodbye to {}: {}", local.identity().node(), peer, failed.toString());
        } finally {
            lock.unlock();
        }
    }

    /** Frees everything; after it returns the peer can reach nothing through this connection. */
    void close() {
        broken = true;
        countUnproven();
        pair.destroy();
        Connection ended;
        lock.lock();
        try {
            ended = use;
            use = Connection.PASSIVE;
        } finally {
            lock.unlock();
        }
        ended.abort("the connection is closed");
        ended.freed();
    }

    @Override
    public void received(byte[] message) {
        lock.lock();
        try {
            if (!broken && peer == null) {
                answer(message);
            } else if (!broken) {
                broken("it says more than a handshake");
            }
        } catch (IOException failed) {
            broken(String.valueOf(failed.getMessage()));
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void immediate(int value) {
        use().immediate(value);
    }

    @Override
    public void broken(String reason) {
        if (!broken) {
            broken = true;
            LOG.debug("{} is no longer seen by {}: {}", local.identity().node(), peer, reason);
        }
    }

    @Override
    public void heardOut(int terminateWord) {
        if (!TerminateWord.isProtectionError(terminateWord) || !isForger.compareAndSet(false, true)) {
            return;
        }
        Identity known = peer;
        String who =
                known == null ? "somebody who has proven nothing" : known.node().toString();
        local.counters().count(StateMetric.KEYS_REFUSED);
        if (local.counters().isNews("key of " + who)) {
            LOG.warn(
                    "{} ends a connection: {} used a key or an address that it may not use; not logged again",
                    local.identity().node(),
                    who);
        }
    }

    private boolean stalled(long nowNanos) {
        boolean stalled = nowNanos - use().oldestNanos(nowNanos)
                > local.links().stallBound().toNanos();
        if (stalled) {
            broken("an operation was not answered in time");
        }
        return stalled;
    }

    private Connection use() {
        lock.lock();
        try {
            return use;
        } finally {
            lock.unlock();
        }
    }

    private void answer(byte[] message) throws IOException {
        if (!greeted) {
            pair.send(ByteBuffer.wrap(greet(message)), this);
            return;
        }
        switch (responder.proven(message)) {
            case Handshake.Proven(Identity proven, Rights rights) -> admit(proven, rights);
            case Handshake.Refused(String reason) -> refuse(reason);
            case Handshake.Send _, Handshake.Welcomed _ ->
                throw new IllegalStateException("a proof is followed by a welcome");
        }
    }

    private byte[] greet(byte[] hello) throws IOException {
        greeted = true;
        return switch (responder.greeted(hello, local.nonce())) {
            case Handshake.Send(ByteBuffer challenge) -> {
                byte[] message = new byte[challenge.remaining()];
                challenge.get(message);
                yield message;
            }
            case Handshake.Refused(String reason) -> {
                refuse(reason);
                throw new IOException("refused: " + reason);
            }
            case Handshake.Proven _, Handshake.Welcomed _ ->
                throw new IllegalStateException("a greeting is followed by a challenge");
        };
    }

    private void admit(Identity proven, Rights rights) throws IOException {
        if (!local.serves(rights)) {
            refuse(proven.node() + " asks for " + rights + ", which is not served here: check its peer list");
            return;
        }
        if (rights != Rights.VIEWER) {
            if (!local.links().peers().containsKey(proven.node())) {
                refuse(proven.node() + " is not among this cell's peers");
                return;
            }
            onProven.accept(proven.node(), this);
        }
        LinkHost.Admission admission = local.admit(new LinkHost.Ready(pair, completions, proven, this::broken), rights);
        use = admission.use();
        peer = proven;
        byte[] welcome = responder.welcome(admission.grant());
        pair.send(ByteBuffer.wrap(welcome), this);
        LOG.debug("{} is seen by {} as {}", local.identity().node(), proven, rights);
    }

    private void refuse(String reason) {
        broken = true;
        isRefused.set(true);
        local.counters().count(StateMetric.HANDSHAKES_REFUSED);
        if (local.counters().isNews(reason)) {
            LOG.warn("{} refuses connections: {}", local.identity().node(), reason);
        } else {
            LOG.debug("{} refuses a connection: {}", local.identity().node(), reason);
        }
    }
}
