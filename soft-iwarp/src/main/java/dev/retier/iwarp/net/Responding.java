package dev.retier.iwarp.net;

import static java.util.Objects.requireNonNull;

import dev.retier.iwarp.mpa.MpaFrame;
import dev.retier.iwarp.mpa.MpaResponder;
import dev.retier.iwarp.mpa.StartupResult;
import dev.retier.verbs.TlsKeys;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A responder's way to full operation: Request, decision, Reply. Owned by the loop's thread, but for the decision. */
public final class Responding implements Ready, Timed {
    private static final Logger LOG = LoggerFactory.getLogger(Responding.class);
    /** One byte more than any Request, to notice an initiator that does not wait for the Reply. */
    private static final int BUFFER_BYTES = MpaFrame.HEADER_LENGTH + MpaFrame.MAX_PRIVATE_DATA + 1;

    private final Listening listening;
    private final SocketChannel channel;
    private final InetSocketAddress local;
    private final InetSocketAddress remote;
    private final MpaResponder responder;
    private final ByteBuffer received = ByteBuffer.allocate(BUFFER_BYTES);
    private final long deadlineNanos;
    private final AtomicBoolean decided = new AtomicBoolean();
    private final @Nullable TlsKeys keys;
    private final boolean isExpected;
    private volatile @Nullable StartupIo bytes;
    private @Nullable MpaFrame request;
    /** Whether it counts among the requests of the listener that wait for a decision. */
    private boolean waiting;

    private boolean over;

    /**
     * Of a fresh connection.
     *
     * @param isExpected whether its address is one of the listener's expected ones
     */
    Responding(Listening listening, SocketChannel channel, boolean isExpected) throws IOException {
        this.keys = listening.keys();
        this.isExpected = isExpected;
        DeviceConfig config = listening.device().config();
        this.listening = listening;
        this.channel = channel;
        this.local = (InetSocketAddress) channel.getLocalAddress();
        this.remote = (InetSocketAddress) channel.getRemoteAddress();
        this.responder = new MpaResponder(config.startup());
        this.deadlineNanos = System.nanoTime() + config.startupTimeout().toNanos();
    }

    /** The private data of the Request. */
    public byte[] privateData() {
        return request().privateData().clone();
    }

    /** What the initiator has shown under TLS, its own certificate first; empty without TLS. */
    public List<X509Certificate> certificates() {
        StartupIo current = bytes;
        return current == null ? List.of() : current.certificates();
    }

    /** It takes one of the places of those that wait for a decision. */
    void waitsForDecision() {
        waiting = true;
    }

    /** Our address. */
    public InetSocketAddress local() {
        return local;
    }

    /** The initiator's address. */
    public InetSocketAddress remote() {
        return remote;
    }

    /**
     * Accepts: the pair's listener is told when the stream is established, or that it never was.
     *
     * @throws IllegalArgumentException if the private data does not fit
     * @throws IwarpException if the request was decided already
     */
    public void accept(SocketQueuePair pair, byte[] privateData) throws IwarpException {
        MpaResponder.Acceptance acceptance = responder.accept(request(), privateData);
        decide();
        listening.device().loop().execute(() -> operate(pair, acceptance));
    }

    /**
     * Rejects, and closes the connection.
     *
     * @throws IllegalArgumentException if the private data does not fit
     * @throws IwarpException if the request was decided already
     */
    public void reject(byte[] privateData) throws IwarpException {
        byte[] reply = responder.reject(request(), privateData);
        decide();
        listening.device().loop().execute(() -> refuse(reply));
    }

    /** Whether it was accepted or rejected. */
    public boolean isDecided() {
        return decided.get();
    }

    private void decide() throws IwarpException {
        if (!decided.compareAndSet(false, true)) {
            throw new IwarpException("the connection request from " + remote + " was accepted or rejected before");
        }
    }

    private MpaFrame request() {
        return requireNonNull(request, "no Request yet");
    }

    private void operate(SocketQueuePair pair, MpaResponder.Acceptance acceptance) {
        leaveBacklog();
        try {
            if (over) {
                throw new IOException("the initiator has gone");
            }
            var startup = new Startup.Responded(received.duplicate().flip(), acceptance.bytes());
            pair.operate(await(0), requireNonNull(bytes).operating(), acceptance.agreement(), startup);
            over = true;
        } catch (IOException
                | RuntimeException
                | OutOfMemoryError
                | LinkageError e) { // direct buffers: this connection alone ends
            listening.device().loop().refused(remote, "accepting it failed: " + e.getMessage());
            close();
            pair.neverConnected("accepting " + remote + " failed: " + e.getMessage());
        }
    }

    private void leaveBacklog() {
        if (waiting) {
            waiting = false;
            listening.decided();
        }
    }

    private void refuse(byte[] reply) {
        leaveBacklog();
        try {
            if (!requireNonNull(bytes).write(reply)) {
                LOG.debug("{} does not take the Reply that rejects it", remote);
            }
        } catch (IOException e) {
            LOG.debug("rejecting {} failed", remote, e);
        }
        close();
    }

    /** Takes what has come already, which is often all; waits for the rest. A silent one costs no engine of TLS. */
    void begin() {
        try {
            if (keys != null) {
                await(SelectionKey.OP_READ);
            } else {
                receive();
            }
        } catch (IOException e) {
            ended(e);
        } catch (RuntimeException | OutOfMemoryError | LinkageError e) { // as for what the selector finds ready
            listening.device().loop().failed(this, e);
        }
    }

    @Override
    public void ready(SelectionKey key) {
        receive();
    }

    private void receive() {
        try {
            if (over) {
                return;
            }
            StartupIo current = bytes;
            if (current == null) {
                current = new StartupIo(channel, keys, false);
                bytes = current;
            }
            if (keys == null || current.advance(await(0), owner())) {
                read(current);
            }
        } catch (TlsException e) {
            refused("is refused: " + e.getMessage());
            close();
        } catch (IOException e) {
            ended(e);
        }
    }

    private StartupIo.Owner owner() {
        return new StartupIo.Owner(listening.device().loop(), isExpected, this::receive);
    }

    private void ended(IOException why) {
        LOG.debug("start-up with {} failed", remote, why);
        close();
    }

    private void read(StartupIo current) throws IOException {
        if (current.read(received) < 0) {
            close();
        } else if (current.isForeign(received)) {
            current.write(MpaResponder.refusal());
            throw new TlsException("it speaks TLS, and this side does not: there is no rdma.tls in its configuration");
        } else {
            conclude(responder.receive(received.duplicate().flip()));
        }
    }

    /** Which of the selector's events it waits for. */
    private SelectionKey await(int operations) throws IOException {
        SelectionKey key = channel.keyFor(listening.device().loop().selector());
        return key == null
                ? channel.register(listening.device().loop().selector(), operations, this)
                : key.interestOps(operations);
    }

    private void conclude(StartupResult result) throws IOException {
        switch (result) {
            case StartupResult.NeedMore _ -> await(SelectionKey.OP_READ);
            case StartupResult.Requested requested -> {
                request = requested.request();
                if (channel.isRegistered()) {
                    await(0);
                }
                listening.device().loop().unwatch(this);
                listening.spoke(this);
                listening.requested(this);
            }
            case StartupResult.Failed failed -> {
                refused("does not speak MPA as it should: " + failed.detail());
                close();
            }
            case StartupResult.Accepted _, StartupResult.Rejected _ ->
                throw new IllegalStateException("a responder gets no Reply");
        }
    }

    /** Others need its place more. */
    void giveWay() {
        refused("had sent no whole Request when others needed its place");
        close();
    }

    private void refused(String why) {
        listening.device().loop().refused(remote, why);
    }

    /** Gives the connection up. */
    void close() {
        if (!over) {
            over = true;
            StartupIo current = bytes;
            if (current != null) {
                current.giveUp();
            }
            leaveBacklog();
            listening.spoke(this);
            listening.device().loop().unwatch(this);
            listening.device().returnConnection(false); // first: a peer that sees the end may connect again at once
            StreamSocket.closeQuietly(channel);
        }
    }

    @Override
    public long deadlineNanos() {
        return deadlineNanos;
    }

    @Override
    public void expired() {
        refused("sent no whole Request in time");
        close();
    }

    @Override
    public void abort(String why) {
        close();
    }
}
