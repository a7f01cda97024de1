package dev.retier.iwarp.net;

import static java.util.Objects.requireNonNull;

import dev.retier.iwarp.mpa.MpaFrame;
import dev.retier.iwarp.mpa.MpaInitiator;
import dev.retier.iwarp.mpa.StartupPolicy;
import dev.retier.iwarp.mpa.StartupResult;
import dev.retier.verbs.TlsKeys;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An initiator's way to full operation: TCP connect, Request, Reply. Owned by the loop's thread. */
public final class Initiating implements Ready, Timed {
    private static final Logger LOG = LoggerFactory.getLogger(Initiating.class);

    private final SocketQueuePair pair;
    private final InetSocketAddress peer;
    private final byte[] privateData;
    private final ConnectListener listener;
    private final ByteBuffer received = ByteBuffer.allocate(MpaFrame.HEADER_LENGTH + MpaFrame.MAX_PRIVATE_DATA);
    private final long deadlineNanos;
    private final @Nullable TlsKeys keys;
    private @Nullable SocketChannel channel;
    private volatile @Nullable StartupIo bytes;
    private volatile @Nullable InetSocketAddress local;
    private StartupPolicy policy;
    private MpaInitiator initiator;
    private byte[] request;
    private boolean asked;
    private boolean over;

    /**
     * Whom to connect to.
     *
     * @param isKnown whether the program knows that the peer is of our kind
     * @param keys for TLS; null to have none
     */
    public record Target(
            InetSocketAddress peer,
            boolean isKnown,
            @Nullable TlsKeys keys) {}

    private Initiating(SocketQueuePair pair, Target target, byte[] privateData, ConnectListener listener) {
        DeviceConfig config = pair.device().config();
        this.pair = pair;
        this.peer = target.peer();
        this.keys = target.keys();
        this.listener = listener;
        this.privateData = privateData;
        this.policy = config.startup().towards(target.isKnown());
        this.initiator = new MpaInitiator(policy);
        this.request = initiator.request(privateData);
        this.deadlineNanos = System.nanoTime() + config.startupTimeout().toNanos();
    }

    /**
     * Starts to connect; the listener is told how it ends.
     *
     * @throws IllegalArgumentException if the private data does not fit
     * @throws IwarpException if the device has all its connections already, or its progress thread has ended
     */
    public static Initiating start(SocketQueuePair pair, Target target, byte[] privateData, ConnectListener listener)
            throws IwarpException {
        Initiating initiating = new Initiating(pair, target, privateData, listener);
        pair.device().loop().requireRunning();
        if (!pair.device().takeOutbound()) {
            throw new IwarpException(
                    "the device has its " + pair.device().config().limits().maxConnections()
                            + " connections to others; close some or raise the limit");
        }
        pair.device().loop().execute(initiating::open);
        return initiating;
    }

    /** Our own address, once TCP is connected, or null. */
    public @Nullable InetSocketAddress local() {
        return local;
    }

    /** What the peer has shown under TLS, its own certificate first; believed once it has accepted. Any thread. */
    public List<X509Certificate> certificates() {
        StartupIo current = bytes;
        return current == null ? List.of() : current.certificates();
    }

    private void open() {
        if (over) {
            return;
        }
        try {
            pair.device().loop().requireRunning();
            SocketChannel opened = pair.device().loop().spareSocket().open();
            channel = opened;
            opened.configureBlocking(false);
            opened.setOption(StandardSocketOptions.TCP_NODELAY, true);
            boolean connected = opened.connect(peer);
            opened.register(pair.device().loop().selector(), SelectionKey.OP_CONNECT, this);
            pair.device().loop().watch(this);
            if (connected) {
                connected(opened);
            }
        } catch (IOException | RuntimeException | OutOfMemoryError | LinkageError e) {
            fail(kind(e), "cannot connect to " + peer + ": " + e.getMessage());
        }
    }

    private static ConnectListener.Failure kind(Throwable e) {
        return e instanceof ConnectException ? ConnectListener.Failure.REFUSED : ConnectListener.Failure.UNREACHABLE;
    }

    @Override
    public void ready(SelectionKey key) {
        SocketChannel connecting = channel;
        if (connecting == null || over) {
            return;
        }
        try {
            StartupIo current = bytes;
            if (current == null) {
                connecting.finishConnect();
                connected(connecting);
            } else if (asked) {
                read(current, key);
            } else {
                goOn(current, key);
            }
        } catch (TlsException e) {
            fail(ConnectListener.Failure.PROTOCOL, peer + ": " + e.getMessage());
        } catch (IOException e) {
            hungUp(kind(e), "cannot connect to " + peer + ": " + e.getMessage());
        }
    }

    private void connected(SocketChannel fresh) throws IOException {
        local = (InetSocketAddress) fresh.getLocalAddress();
        StartupIo made = new StartupIo(fresh, keys, true);
        bytes = made;
        goOn(made, requireNonNull(fresh.keyFor(pair.device().loop().selector())));
    }

    /** Asks, once the bytes of MPA can go. */
    private void goOn(StartupIo current, SelectionKey key) throws IOException {
        var owner = new StartupIo.Owner(pair.device().loop(), true, () -> ready(key));
        if (current.advance(key, owner)) {
            ask(current, key);
        }
    }

    /**
     * The connection ended before the Reply. A peer that answers an enhanced Request by hanging up may know MPA
     * revision 1 only: it is asked once more, so (RFC 6581 section 9).
     */
    private void hungUp(ConnectListener.Failure failure, String why) {
        boolean unanswered = asked && received.position() == 0;
        if (!unanswered
                || keys != null
                || policy.revision() < 2
                || !pair.device().config().retryRevision1()) {
            fail(failure, why);
            return;
        }
        LOG.debug("{} hung up on an enhanced Request; asking once more with MPA revision 1", peer);
        SocketChannel old = channel;
        if (old != null) {
            StreamSocket.closeQuietly(old);
        }
        asked = false;
        bytes = null;
        policy = policy.unenhanced();
        initiator = new MpaInitiator(policy);
        request = initiator.request(privateData);
        open();
    }

    private void ask(StartupIo current, SelectionKey key) throws IOException {
        if (!current.write(request)) {
            throw new IOException("a fresh connection did not take the Request whole");
        }
        asked = true;
        received.limit(MpaFrame.HEADER_LENGTH);
        key.interestOps(SelectionKey.OP_READ);
    }

    /** Reads the Reply and not a byte more: what follows is full operation. */
    private void read(StartupIo current, SelectionKey key) throws IOException {
        if (current.read(received) < 0) {
            hungUp(ConnectListener.Failure.PROTOCOL, peer + " closed the connection instead of a Reply");
            return;
        }
        if (current.isForeign(received)) {
            throw new TlsException("it speaks TLS, and this side does not: it has rdma.tls in its configuration");
        }
        ByteBuffer sofar = received.duplicate().flip();
        int length = MpaFrame.lengthOf(sofar);
        if (length > received.limit() && length <= received.capacity()) {
            received.limit(length);
            if (received.hasRemaining()) {
                read(current, key);
                return;
            }
        }
        conclude(current, key, initiator.receive(sofar));
    }

    private Startup startup() {
        return new Startup.Initiated(request, received.duplicate().flip());
    }

    private void conclude(StartupIo current, SelectionKey key, StartupResult result) throws IOException {
        switch (result) {
            case StartupResult.NeedMore _ -> {}
            case StartupResult.Requested _ -> throw new IllegalStateException("an initiator is not asked");
            case StartupResult.Accepted accepted -> {
                listener.accepted(accepted.reply().privateData());
                pair.operate(key, current.operating(), accepted.agreement(), startup());
                finish();
            }
            case StartupResult.Rejected rejected -> {
                close();
                pair.neverConnected(null);
                listener.rejected(rejected.reply().privateData());
            }
            case StartupResult.Failed failed -> {
                if (failed.agreement() != null) {
                    pair.operate(key, current.operating(), failed.agreement(), startup());
                    finish();
                    pair.fail(failed.reason());
                } else {
                    fail(ConnectListener.Failure.PROTOCOL, peer + ": " + failed.detail());
                }
            }
        }
    }

    private void fail(ConnectListener.Failure failure, String why) {
        if (!over) {
            close();
            pair.neverConnected(null);
            listener.failed(failure, why);
        }
    }

    private void finish() {
        over = true;
        pair.device().loop().unwatch(this);
    }

    private void close() {
        finish();
        StartupIo current = bytes;
        if (current != null) {
            current.giveUp();
        }
        SocketChannel opened = channel;
        if (opened != null) {
            StreamSocket.closeQuietly(opened);
        }
        pair.device().returnConnection(true);
    }

    @Override
    public long deadlineNanos() {
        return deadlineNanos;
    }

    @Override
    public void expired() {
        fail(ConnectListener.Failure.UNREACHABLE, "no answer from " + peer + " in time");
    }

    @Override
    public void abort(String why) {
        fail(ConnectListener.Failure.UNREACHABLE, why);
    }
}
