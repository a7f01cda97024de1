package dev.retier.iwarp.net;

import dev.retier.verbs.TlsKeys;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A listening socket. Its requests that wait for a decision are no more than its backlog, and one more for each
 * {@linkplain #expect expected} address; its connections that have sent no whole Request are bounded, too.
 */
public final class Listening implements Ready, Timed, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Listening.class);
    /** Connections taken per call at most. */
    private static final int ACCEPTS = 64;
    /** Backlog when the caller names none. */
    private static final int DEFAULT_BACKLOG = 128;
    /** Connections that come sooner after each other than this are taken together: many strangers cost few wake-ups. */
    private static final long TOGETHER_NANOS = 10_000_000;
    /** Connections from unexpected addresses that may have sent no whole Request. */
    private static final int MAX_HALF_OPEN = HalfOpenPlaces.most(SocketDescriptors.limit());
    /** Such connections from one address: as many as are accepted in one go. */
    private static final int MAX_HALF_OPEN_PER_ADDRESS = ACCEPTS;

    /** So many times fewer of them under TLS, as each has an engine once it has said something. */
    private static final int TLS_COSTS = 4;

    private final Device device;
    private final ServerSocketChannel channel;
    private final InetSocketAddress local;
    private final AcceptListener listener;
    private final int backlog;
    private final @Nullable TlsKeys keys;
    private final Acceptor acceptor;
    private final AtomicInteger undecided = new AtomicInteger();
    /** Replaced, never changed. */
    private volatile Set<InetAddress> expected = Set.of();
    // Owned by the loop's thread.
    private final HalfOpenPlaces<Responding> halfOpen;
    private final AcceptBackoff backoff = new AcceptBackoff();
    private boolean resting;
    private long restsUntilNanos;
    private long acceptedNanos = System.nanoTime();

    /**
     * How a socket listens.
     *
     * @param backlog requests that may wait for a decision; 0 for {@value #DEFAULT_BACKLOG}
     * @param keys for TLS under each connection; null to have none
     */
    public record Terms(int backlog, @Nullable TlsKeys keys) {
        /** Fills in the default. */
        public Terms {
            backlog = backlog > 0 ? backlog : DEFAULT_BACKLOG;
        }
    }

    /** Takes the next connection off a listening socket; null if there is none. */
    @FunctionalInterface
    interface Acceptor {
        @Nullable
        SocketChannel accept(ServerSocketChannel from) throws IOException;
    }

    private Listening(
            Device device, ServerSocketChannel channel, Terms terms, AcceptListener listener, Acceptor acceptor)
            throws IOException {
        this.acceptor = acceptor;
        this.device = device;
        this.channel = channel;
        this.local = (InetSocketAddress) channel.getLocalAddress();
        this.backlog = terms.backlog();
        this.keys = terms.keys();
        this.halfOpen = new HalfOpenPlaces<>(
                keys == null ? MAX_HALF_OPEN : Math.ceilDiv(MAX_HALF_OPEN, TLS_COSTS), MAX_HALF_OPEN_PER_ADDRESS);
        this.listener = listener;
    }

    /**
     * Listens on an address; port 0 takes a free one.
     *
     * @throws IwarpException if the address is taken or not ours, or the device's progress thread has ended
     */
    public static Listening open(Device device, InetSocketAddress address, Terms terms, AcceptListener listener)
            throws IwarpException {
        return open(device, address, terms, listener, ServerSocketChannel::accept);
    }

    /** As the other, with another way to accept. */
    static Listening open(
            Device device, InetSocketAddress address, Terms terms, AcceptListener listener, Acceptor acceptor)
            throws IwarpException {
        device.loop().requireRunning();
        try {
            ServerSocketChannel opened = ServerSocketChannel.open();
            try {
                opened.setOption(StandardSocketOptions.SO_REUSEADDR, true);
                opened.bind(address, terms.backlog());
                opened.configureBlocking(false);
                Listening listening = new Listening(device, opened, terms, listener, acceptor);
                device.loop().execute(listening::register);
                return listening;
            } catch (IOException | RuntimeException e) {
                opened.close();
                throw e;
            }
        } catch (IOException e) {
            throw new IwarpException(
                    "cannot listen on " + address + ": " + e.getMessage() + "; choose another port or address", e);
        }
    }

    /** The address, with the real port. */
    public InetSocketAddress local() {
        return local;
    }

    Device device() {
        return device;
    }

    @Nullable
    TlsKeys keys() {
        return keys;
    }

    private void register() {
        if (!channel.isOpen()) {
            return;
        }
        try {
            channel.register(device.loop().selector(), SelectionKey.OP_ACCEPT, this);
        } catch (IOException e) {
            LOG.error("cannot serve {}", local, e);
        }
    }

    @Override
    public void ready(SelectionKey key) {
        if (acceptsAll(key)) {
            long nowNanos = System.nanoTime();
            if (nowNanos - acceptedNanos < TOGETHER_NANOS) {
                key.interestOps(0);
                device.loop().later(this::expired);
            }
            acceptedNanos = nowNanos;
        }
    }

    /** Takes who waits; whether that went well. */
    private boolean acceptsAll(SelectionKey key) {
        device.loop().spareSocket().keepOne();
        for (int i = 0; i < ACCEPTS; i++) {
            SocketChannel accepted;
            try {
                accepted = acceptor.accept(channel);
            } catch (IOException | RuntimeException | OutOfMemoryError e) {
                if (!channel.isOpen()) {
                    return false;
                }
                if (i == 0) { // later ones fail before they look whether anybody waits
                    makeRoom(key, e);
                } else if (undecided.get() > 0) {
                    key.interestOps(0);
                    resting = true;
                    device.loop().later(this::expired);
                }
                return false;
            }
            if (accepted == null) {
                return true;
            }
            goOn();
            admit(accepted);
        }
        return true;
    }

    /**
     * Accepting failed, so it would fail again at once. Who has been silent for longest makes room, once the selector
     * has let go of its socket; if nobody is silent, the listener rests for a while, or until a request is decided.
     */
    private void makeRoom(SelectionKey key, Throwable why) {
        Responding silent = halfOpen.oldest();
        Duration rest = backoff.failed();
        if (backoff.tells(System.nanoTime())) {
            String remedy = silent == null
                    ? "trying again in " + rest.toMillis() + " ms, then more rarely"
                    : "hanging up on those who have said nothing";
            LOG.warn("accepting on {} failed: {}; {}", local, why.toString(), remedy);
        }
        if (silent != null) {
            silent.giveWay();
            return;
        }
        key.interestOps(0);
        resting = true;
        restsUntilNanos = System.nanoTime() + rest.toNanos();
        device.loop().watch(this);
    }

    private void goOn() {
        int failed = backoff.succeeded();
        if (failed > 0) {
            LOG.info("accepting on {} again, after {} tries that failed", local, failed);
        }
    }

    @Override
    public long deadlineNanos() {
        return restsUntilNanos;
    }

    @Override
    public void expired() {
        resting = false;
        SelectionKey key = channel.keyFor(device.loop().selector());
        if (key != null && key.isValid()) {
            key.interestOps(SelectionKey.OP_ACCEPT);
        }
    }

    private void admit(SocketChannel accepted) {
        boolean counted = false;
        try {
            InetSocketAddress remote = (InetSocketAddress) accepted.getRemoteAddress();
            counted = takePlace();
            if (!counted) {
                device.loop()
                        .refused(
                                remote,
                                "refused: the device has its "
                                        + device.config().limits().maxConnections() + " connections from others");
                accepted.close();
                return;
            }
            accepted.configureBlocking(false);
            accepted.setOption(StandardSocketOptions.TCP_NODELAY, true);
            boolean isExpected = expected.contains(remote.getAddress());
            Responding responding = new Responding(this, accepted, isExpected);
            device.loop().watch(responding);
            counted = false; // it gives the place back itself
            giveWay(halfOpen.enter(remote.getAddress(), responding, expected));
            responding.begin();
        } catch (IOException
                | RuntimeException
                | OutOfMemoryError e) { // this connection's own; the next may fare better
            LOG.debug("a connection on {} ended at once", local, e);
            if (counted) {
                device.returnConnection(false);
            }
            StreamSocket.closeQuietly(accepted);
        }
    }

    /** One of the device's connections, if need be that of who has been silent for longest. */
    private boolean takePlace() {
        if (device.takeInbound()) {
            return true;
        }
        Responding silent = halfOpen.oldest();
        giveWay(silent);
        return silent != null && device.takeInbound();
    }

    private static void giveWay(@Nullable Responding silent) {
        if (silent != null) {
            silent.giveWay();
        }
    }

    /** It sent a whole Request, or has gone: it takes no place of the silent ones any more. */
    void spoke(Responding responding) {
        halfOpen.leave(responding.remote().getAddress(), responding);
    }

    /**
     * Keeps places for connections from these source addresses, beside those that all others share. Replaces what was
     * said before. Safe for any thread.
     */
    public void expect(Set<InetAddress> peers) {
        expected = Set.copyOf(peers);
    }

    /** A good Request is there. */
    void requested(Responding request) {
        InetSocketAddress remote = request.remote();
        int room = expected.contains(remote.getAddress()) ? backlog + expected.size() : backlog;
        request.waitsForDecision();
        if (undecided.incrementAndGet() > room) {
            reject(request, room + " requests wait on " + local + " already");
        } else if (!listener.requested(request)) {
            reject(request, "nobody takes what happens on " + local);
        }
    }

    private void reject(Responding request, String why) {
        device.loop().refused(request.remote(), "refused: " + why);
        try {
            request.reject(new byte[0]);
        } catch (IwarpException e) {
            throw new IllegalStateException("a request that nobody has seen was decided", e);
        }
    }

    /** A request was accepted or rejected, or has gone: there may be a descriptor again. On the loop's thread. */
    void decided() {
        undecided.decrementAndGet();
        if (resting) {
            expired();
        }
    }

    /**
     * Stops listening; the port is free when this returns, if the caller is not the loop's thread. Connections that
     * were accepted live on.
     */
    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            LOG.debug("closing {} failed", local, e);
        }
        device.loop().awaitSelection();
    }

    /** Ends with the device only: a connection that could not be served is no reason to turn all others away. */
    @Override
    public void abort(String why) {
        if (!device.loop().isRunning()) {
            close();
        }
    }
}
