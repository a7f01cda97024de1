package dev.retier.state.verbs;

import com.ibm.disni.verbs.IbvContext;
import dev.retier.state.StateMetric;
import dev.retier.state.auth.ClusterSecret;
import dev.retier.state.auth.Identity;
import dev.retier.state.auth.Rights;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What all connections of one node share, and what they are for: whoever extends this decides what a peer is granted
 * and what is done with a connection. Thread-safe.
 *
 * @param <S> what a connection to a peer is used for
 */
public abstract class LinkHost<S extends Connection> implements AutoCloseable {
    private static final int NONCE_BYTES = 16;

    /** Strangers and viewers. */
    private static final int SPARE_CONNECTIONS = 128;

    private final LinkConfig links;
    private final QueuePair.Sizes sizes;
    private final SecureRandom random = new SecureRandom();
    private final Identity identity;
    private final ReentrantLock lock = new ReentrantLock();
    private final Counters counters;
    /** Guarded by lock. */
    private @Nullable CompletionThread messages;
    /** Guarded by lock. */
    private @Nullable Operations operations;

    /**
     * A connection that is ready, as its user gets it.
     *
     * @param completions where the peer's messages arrive and, unless {@link LinkHost#waitsItself}, what is posted
     *     completes
     */
    public record Ready(QueuePair pair, Completions completions, Identity peer, Consumer<String> onBroken) {}

    /**
     * What a proven peer gets.
     *
     * @param grant places and keys, as the peer's end of this connection reads them
     * @param use what this end does with the connection
     */
    @SuppressWarnings("ArrayRecordComponent") // compared by nobody
    public record Admission(byte[] grant, Connection use) {}

    /**
     * A node in a new life.
     *
     * @param metrics what it counts, those of connections included
     */
    protected LinkHost(LinkConfig links, QueuePair.Sizes sizes, Set<StateMetric> metrics) {
        this.counters = new Counters(metrics);
        this.links = links;
        this.sizes = sizes;
        this.identity = new Identity(links.self(), random.nextLong(1, Long.MAX_VALUE));
    }

    /** What this node proves when it connects. */
    protected abstract ClusterSecret asking();

    /** Whether a peer may ask for {@code rights} here. */
    protected abstract boolean serves(Rights rights);

    /**
     * This node has connected to a peer, and both have proven the secret.
     *
     * @param grant what the peer's {@link #admit} returned
     */
    protected abstract S connected(Ready ready, ByteBuffer grant) throws IOException;

    /** A peer has connected and proven the secret; registers for it what it may use. */
    protected abstract Admission admit(Ready ready, Rights rights) throws IOException;

    /**
     * Whether those who post operations also take the answers, so that none is handed from thread to thread. Then what
     * is posted on a connection to a peer completes in {@link #operations}.
     */
    protected boolean waitsItself() {
        return false;
    }

    /** Whether peers are told when this node closes in good order. */
    protected boolean saysGoodbye() {
        return false;
    }

    /** Who this node is, and the life it is in. */
    public final Identity identity() {
        return identity;
    }

    /** What the links know. */
    public final LinkConfig links() {
        return links;
    }

    final QueuePair.Sizes sizes() {
        return sizes;
    }

    final byte[] nonce() {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        return nonce;
    }

    /** What this node counts. */
    public final Counters counters() {
        return counters;
    }

    /** The queue of the one thread, made on the device of the first connection that asks. */
    final Completions completions(IbvContext device) throws IOException {
        lock.lock();
        try {
            CompletionThread made = messages;
            if (made == null) {
                made = new CompletionThread(device, capacity(), identity.node().toString());
                messages = made;
            }
            return made.completions();
        } finally {
            lock.unlock();
        }
    }

    /** Where a connection to a peer completes what is posted on it, and what it receives. */
    final QueuePair.Queues outgoing(IbvContext device) throws IOException {
        Completions receives = completions(device);
        return new QueuePair.Queues(waitsItself() ? operations(device).completions() : receives, receives);
    }

    /** The queue that those who wait serve, made on the device of the first connection that asks. */
    final Operations operations(IbvContext device) throws IOException {
        lock.lock();
        try {
            Operations made = operations;
            if (made == null) {
                made = new Operations(device, capacity());
                operations = made;
            }
            return made;
        } finally {
            lock.unlock();
        }
    }

    /** Takes answers for which nobody waits any more. */
    final void tidy() {
        Operations made;
        lock.lock();
        try {
            made = operations;
        } finally {
            lock.unlock();
        }
        // Not under the lock: what an answer sets off may need a link's lock, whose holder may need this one.
        if (made != null) {
            made.tidy();
        }
    }

    private int capacity() {
        return (2 * links.peers().size() + SPARE_CONNECTIONS) * sizes.completions();
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (messages != null) {
                messages.close();
            }
            if (operations != null) {
                operations.destroy();
            }
        } finally {
            lock.unlock();
        }
    }
}
