package dev.retier.iwarp.net;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A listening socket. Its requests that wait for a decision are no more than its backlog. */
public final class Listening implements Ready, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Listening.class);
    /** Connections taken per call at most. */
    private static final int ACCEPTS = 64;
    /** Backlog when the caller names none. */
    private static final int DEFAULT_BACKLOG = 128;

    private final Device device;
    private final ServerSocketChannel channel;
    private final InetSocketAddress local;
    private final AcceptListener listener;
    private final int backlog;
    private final AtomicInteger undecided = new AtomicInteger();

    private Listening(Device device, ServerSocketChannel channel, int backlog, AcceptListener listener)
            throws IOException {
        this.device = device;
        this.channel = channel;
        this.local = (InetSocketAddress) channel.getLocalAddress();
        this.backlog = backlog;
        this.listener = listener;
    }

    /**
     * Listens on an address; port 0 takes a free one.
     *
     * @throws IwarpException if the address is taken or not ours
     */
    public static Listening open(Device device, InetSocketAddress address, int backlog, AcceptListener listener)
            throws IwarpException {
        int limit = backlog > 0 ? backlog : DEFAULT_BACKLOG;
        try {
            ServerSocketChannel opened = ServerSocketChannel.open();
            try {
                opened.setOption(StandardSocketOptions.SO_REUSEADDR, true);
                opened.bind(address, limit);
                opened.configureBlocking(false);
                Listening listening = new Listening(device, opened, limit, listener);
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
        try {
            for (int i = 0; i < ACCEPTS; i++) {
                SocketChannel accepted = channel.accept();
                if (accepted == null) {
                    return;
                }
                admit(accepted);
            }
        } catch (IOException e) {
            LOG.warn("accepting on {} failed: {}", local, e.getMessage());
        }
    }

    private void admit(SocketChannel accepted) throws IOException {
        if (!device.takeConnection()) {
            LOG.warn(
                    "{} refused: the device has its {} connections",
                    accepted.getRemoteAddress(),
                    device.config().limits().maxConnections());
            accepted.close();
            return;
        }
        try {
            accepted.configureBlocking(false);
            accepted.setOption(StandardSocketOptions.TCP_NODELAY, true);
            Responding responding = new Responding(this, accepted);
            accepted.register(device.loop().selector(), SelectionKey.OP_READ, responding);
            device.loop().watch(responding);
        } catch (IOException e) {
            device.returnConnection();
            accepted.close();
            LOG.debug("a connection on {} ended at once", local, e);
        }
    }

    /** A good Request is there. */
    void requested(Responding request) {
        if (undecided.incrementAndGet() > backlog) {
            LOG.warn("{} refused: {} requests wait on {} already", request.remote(), backlog, local);
            reject(request);
            return;
        }
        listener.requested(request);
    }

    private static void reject(Responding request) {
        try {
            request.reject(new byte[0]);
        } catch (IwarpException e) {
            throw new IllegalStateException("a request that nobody has seen was decided", e);
        }
    }

    void decided() {
        undecided.decrementAndGet();
    }

    /** Stops listening. Connections that were accepted live on. */
    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            LOG.debug("closing {} failed", local, e);
        }
        device.loop().wakeup();
    }

    @Override
    public void abort(String why) {
        close();
    }
}
