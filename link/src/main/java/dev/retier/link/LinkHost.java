package dev.retier.link;

import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.RdmaCmId;
import dev.retier.link.auth.Identity;
import dev.retier.link.auth.Offer;
import dev.retier.link.auth.Right;
import dev.retier.link.auth.Terms;
import dev.retier.link.auth.Versions;
import dev.retier.link.core.Complaints;
import dev.retier.verbs.TlsControl;
import dev.retier.verbs.TlsKeys;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What all connections of one node share, and what they are for: whoever extends this decides what a peer is granted
 * and what is done with a connection. Thread-safe.
 *
 * @param <S> what a connection to a peer is used for
 */
public abstract class LinkHost<S extends Connection> implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LinkHost.class);
    private static final int NONCE_BYTES = 16;

    private static final long SECRETS_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Connections whose work may end in one queue; for more there are more queues, or none. */
    private static final int CONNECTIONS_PER_QUEUE = 256 + 32;

    private final LinkConfig links;
    private final QueuePair.Sizes sizes;
    private final SecureRandom random = new SecureRandom();
    private final Identity identity;
    private final Counters counters;
    private volatile ByteBuffer digest;
    private volatile String loss = "";
    /** When the secrets were looked at; owned by the keeper's thread. */
    private long secretsNanos;

    /** Guarded by itself. */
    private final Complaints complaints = new Complaints();
    /** Guarded by this. */
    private final List<Served> served = new ArrayList<>();
    /** Guarded by this. */
    private @Nullable Operations operations;

    /** The device of all queues, and so of all connections; null before the first. Guarded by this. */
    private @Nullable IbvContext device;

    /** A completion queue, and the one thread that serves it: it sleeps until the queue notifies it. */
    private record Served(Completions queue, Loop loop) {}

    /**
     * A connection that is ready, as its user gets it.
     *
     * @param completions where the peer's messages arrive and, unless {@link LinkHost#waitsItself}, what is posted
     *     completes
     * @param terms who the peer is, what it may do, and in which version both speak
     */
    public record Ready(QueuePair pair, Completions completions, Terms terms, Consumer<String> onBroken) {
        /** Who is at the other end. */
        public Identity peer() {
            return terms.peer();
        }
    }

    /**
     * What a proven peer gets.
     *
     * @param grant places and keys, as the peer's end of this connection reads them: 32 bytes, or in version 3 of the
     *     handshake up to 128
     * @param use what this end does with the connection
     */
    @SuppressWarnings("ArrayRecordComponent") // compared by nobody
    public record Admission(byte[] grant, Connection use) {}

    /**
     * A node in a new life.
     *
     * @param metrics what it counts beside {@link LinkMetric}
     */
    protected LinkHost(LinkConfig links, QueuePair.Sizes sizes, Collection<? extends Metric> metrics) {
        this.counters = new Counters(Stream.concat(Arrays.stream(LinkMetric.values()), metrics.stream())
                .toList());
        this.links = links;
        this.sizes = sizes;
        this.digest = links.digest();
        this.secretsNanos = links.pace().nanos().getAsLong();
        this.identity = new Identity(links.self(), random.nextLong(1, Long.MAX_VALUE));
    }

    /** What that peer, or this one, is called in the log: among nodes of a cluster by its number. */
    protected String called(NodeId who) {
        return who.toString();
    }

    /** What peers may ask for here; the first is what this node asks for. */
    protected abstract List<Right> rights();

    /**
     * This node has connected to a peer, and both have proven the secret.
     *
     * @param grant what the peer's {@link #admit} returned
     */
    protected abstract S connected(Ready ready, ByteBuffer grant) throws IOException;

    /** A peer has connected and proven the secret; registers for it what it may use. */
    protected abstract Admission admit(Ready ready) throws IOException;

    /**
     * Whether those who post operations also take the answers, so that none is handed from thread to thread. Then what
     * is posted on a connection to a peer completes in {@link #operations}.
     */
    protected boolean waitsItself() {
        return false;
    }

    /**
     * Whether nodes that are not among the peers may connect, once they have proven the secret: guests, each of which
     * is who its life says. Several may have one id.
     */
    protected boolean admitsGuests() {
        return false;
    }

    /** Who this node is, and the life it is in. */
    public final Identity identity() {
        return identity;
    }

    /** Which node this is. */
    final NodeId self() {
        return links.self();
    }

    /** What the links know. */
    public final LinkConfig links() {
        return links;
    }

    /** What this node brings to each handshake. */
    final Offer offer() {
        Versions spoken = Versions.spoken(links.formerHandshake());
        return new Offer(identity, links.secrets().secrets(), spoken, rights(), digest);
    }

    /** Looks at the secrets again, once a second, for new connections. For one thread. */
    final void lookAtSecrets(long nowNanos) {
        if (nowNanos - secretsNanos < SECRETS_NANOS) {
            return;
        }
        secretsNanos = nowNanos;
        links.secrets().look().ifPresent(news -> {
            if (news.isGood()) {
                LOG.info("{}: {}", called(self()), news.text());
            } else {
                LOG.warn("{}: {}", called(self()), news.text());
            }
        });
    }

    /**
     * Puts TLS under what {@code id} will listen for or connect to, if this node has it.
     *
     * @throws TransportException if the transport has none
     */
    final void secure(RdmaCmId id) {
        links.tls().ifPresent(tls -> {
            if (!(id instanceof TlsControl control)) {
                throw new TransportException("this transport has no TLS, and rdma.tls asks for it: RDMA hardware speaks"
                        + " none; use transport: iwarp, or a network that you trust, without rdma.tls");
            }
            control.secure(new TlsKeys(tls.own(), tls.trusted()));
        });
    }

    /** Why the other end of {@code id} is not the node that it claims to be; empty if it may be, or there is no TLS. */
    final Optional<String> impostor(RdmaCmId id, NodeId claimed) {
        if (links.tls().isEmpty()) {
            return Optional.empty();
        }
        List<X509Certificate> shown = id instanceof TlsControl control ? control.peerCertificates() : List.of();
        return shown.isEmpty()
                ? Optional.of("it has shown no certificate")
                : links.tls().get().names().refusal(claimed, shown.getFirst());
    }

    /** Of this node's configuration, as new connections tell it. */
    final ByteBuffer digest() {
        return digest;
    }

    final void digest(ByteBuffer next) {
        digest = next;
    }

    final QueuePair.Sizes sizes() {
        return sizes;
    }

    /** By the clock of this node. */
    public final long nowNanos() {
        return links.pace().nanos().getAsLong();
    }

    final byte[] nonce() {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        return nonce;
    }

    /** Whether to write a line about {@code subject}, which concerns a member: strangers have lines of their own. */
    public final boolean isNews(String subject) {
        synchronized (complaints) {
            return complaints.tells(subject, nowNanos());
        }
    }

    /** What this node counts. */
    public final Counters counters() {
        return counters;
    }

    /**
     * Where a connection completes; {@code toPeer} if this node made it. Give back what it took by its close. Refuses a
     * second device: queues and queue pairs must be on one (rdma_create_qp(3)), and who waits for several peers waits
     * for one queue.
     */
    final synchronized QueuePair.Queues queues(IbvContext on, boolean toPeer) throws IOException {
        IbvContext first = device;
        if (first == null) {
            device = on;
        } else if (!first.equals(on)) {
            throw new IOException("the way there is over " + name(on) + ", while this node's connections are over "
                    + name(first) + ": give it the address of one device, not one of all");
        }
        Completions receives = served(on);
        Completions sends = toPeer && waitsItself() ? operations(on).completions() : receives;
        if (!sends.hasRoom(sizes.completions())) {
            throw new IOException("the completion queue has no room for one more connection");
        }
        return new QueuePair.Queues(sends, receives);
    }

    private static String name(IbvContext device) {
        String told = Abilities.of(device).device();
        return told.isEmpty() ? "another device" : told;
    }

    /** One with room for one more connection. */
    private Completions served(IbvContext device) throws IOException {
        for (Served one : served) {
            if (one.queue().hasRoom(sizes.completions())) {
                return one.queue();
            }
        }
        Completions made = completions(device);
        Loop loop = new Loop(
                "state-cq-" + self() + "-" + served.size(),
                links.pace(),
                made::serve,
                made::destroy,
                why -> lost("the completion queue failed: this node is seen by nobody any more", why));
        served.add(new Served(made, loop));
        return made;
    }

    private Completions completions(IbvContext device) throws IOException {
        return new Completions(device, CONNECTIONS_PER_QUEUE * sizes.completions(), sizes.completions());
    }

    /** The queue that those who wait serve, made on the device of the first connection that asks. */
    public final synchronized Operations operations(IbvContext device) throws IOException {
        Operations made = operations;
        if (made == null) {
            made = new Operations(completions(device), links.pace());
            operations = made;
        }
        return made;
    }

    /** What cannot be mended while this process lives, and why; the first of all. */
    final void lost(String what, Throwable why) {
        LOG.error("{}; restart it", what, why);
        if (loss.isEmpty()) {
            loss = what + " (" + why.getMessage() + "); restart it";
        }
    }

    /** What has failed here so that nothing but another process helps; empty if nothing has. Any thread. */
    public final Optional<String> loss() {
        return loss.isEmpty() ? Optional.empty() : Optional.of(loss);
    }

    /** Takes answers for which nobody waits any more; everything, if there are no threads. */
    final void tidy() {
        Operations made;
        List<Served> all;
        synchronized (this) {
            made = operations;
            all = links.pace().byHand() ? List.copyOf(served) : List.of();
        }
        // Not under the lock: what an answer sets off may need a link's lock, whose holder may need this one.
        if (made != null) {
            made.tidy();
        }
        all.forEach(one -> one.queue().tidy());
    }

    @Override
    public synchronized void close() {
        served.forEach(one -> one.loop().close());
        if (operations != null) {
            operations.destroy();
        }
    }
}
