package dev.retier.iwarp.net;

import dev.retier.iwarp.mpa.Responder;
import dev.retier.iwarp.mpa.StartupResult;
import dev.retier.iwarp.wire.MpaFrame;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Objects;
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
    private final Responder responder;
    private final ByteBuffer received = ByteBuffer.allocate(BUFFER_BYTES);
    private final long deadlineNanos;
    private final AtomicBoolean decided = new AtomicBoolean();
    private @Nullable MpaFrame request;
    private boolean over;

    Responding(Listening listening, SocketChannel channel) throws IOException {
        DeviceConfig config = listening.device().config();
        this.listening = listening;
        this.channel = channel;
        this.local = (InetSocketAddress) channel.getLocalAddress();
        this.remote = (InetSocketAddress) channel.getRemoteAddress();
        this.responder = new Responder(config.startup());
        this.deadlineNanos = System.nanoTime() + config.startupTimeout().toNanos();
    }

    /** The private data of the Request. */
    public byte[] privateData() {
        return request().privateData().clone();
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
    public void accept(QueuePair pair, byte[] privateData) throws IwarpException {
        Responder.Acceptance acceptance = responder.accept(request(), privateData);
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
        return Objects.requireNonNull(request, "no Request yet");
    }

    private void operate(QueuePair pair, Responder.Acceptance acceptance) {
        try {
            listening.decided();
            SelectionKey key = channel.keyFor(listening.device().loop().selector());
            if (over || key == null) {
                throw new IOException("the initiator has gone");
            }
            var startup = new Startup.Responded(received.duplicate().flip(), acceptance.bytes());
            pair.operate(key, acceptance.agreement(), startup);
            over = true;
        } catch (IOException e) {
            LOG.info("accepting {} failed: {}", remote, e.getMessage());
            close();
            pair.neverConnected("accepting " + remote + " failed: " + e.getMessage());
        }
    }

    private void refuse(byte[] reply) {
        listening.decided();
        try {
            channel.write(ByteBuffer.wrap(reply));
            channel.shutdownOutput();
        } catch (IOException e) {
            LOG.debug("rejecting {} failed", remote, e);
        }
        close();
    }

    @Override
    public void ready(SelectionKey key) {
        try {
            if (channel.read(received) < 0) {
                close();
                return;
            }
            conclude(key, responder.receive(received.duplicate().flip()));
        } catch (IOException e) {
            LOG.debug("start-up with {} failed", remote, e);
            close();
        }
    }

    private void conclude(SelectionKey key, StartupResult result) {
        switch (result) {
            case StartupResult.NeedMore _ -> {}
            case StartupResult.Requested requested -> {
                request = requested.request();
                key.interestOps(0);
                listening.device().loop().unwatch(this);
                listening.requested(this);
            }
            case StartupResult.Failed failed -> {
                LOG.warn("{} does not speak MPA as it should: {}", remote, failed.detail());
                close();
            }
            case StartupResult.Accepted _, StartupResult.Rejected _ ->
                throw new IllegalStateException("a responder gets no Reply");
        }
    }

    /** Gives the connection up. */
    void close() {
        if (!over) {
            over = true;
            listening.device().loop().unwatch(this);
            listening.device().returnConnection(); // first: a peer that sees the end may connect again at once
            Wire.closeQuietly(channel);
        }
    }

    @Override
    public long deadlineNanos() {
        return deadlineNanos;
    }

    @Override
    public void expired() {
        LOG.warn("{} sent no whole Request in time", remote);
        close();
    }

    @Override
    public void abort(String why) {
        close();
    }
}
