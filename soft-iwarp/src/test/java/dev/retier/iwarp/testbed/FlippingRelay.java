package dev.retier.iwarp.testbed;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** A stretch of the way of one connection that changes or cuts what it passes on, once it is told to. */
public final class FlippingRelay implements AutoCloseable {
    private static final int BUFFER_BYTES = 1 << 16;

    private final ServerSocket listener;
    private final InetSocketAddress server;
    private volatile boolean isFlipping;
    private volatile Socket client = new Socket();
    private volatile Socket onward = new Socket();

    /** Passes the first connection on to {@code server}. */
    public FlippingRelay(InetSocketAddress server) throws IOException {
        this.server = server;
        this.listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Thread.ofPlatform().daemon().name("flipping-relay").start(this::relay);
    }

    /** Where to connect instead. */
    public InetSocketAddress address() {
        return (InetSocketAddress) listener.getLocalSocketAddress();
    }

    /** Changes one bit of the last byte that comes next, towards the server. */
    public void flipNext() {
        isFlipping = true;
    }

    /** Ends TCP in good order, towards the server. */
    public void cut() throws IOException {
        onward.shutdownOutput();
    }

    private void relay() {
        try {
            client = listener.accept();
            onward = new Socket(server.getAddress(), server.getPort());
            client.setTcpNoDelay(true);
            onward.setTcpNoDelay(true);
            Thread.ofPlatform().daemon().name("relay-back").start(() -> pump(onward, client, false));
            pump(client, onward, true);
        } catch (IOException _) {
            // closed
        }
    }

    private void pump(Socket from, Socket to, boolean mayFlip) {
        byte[] bytes = new byte[BUFFER_BYTES];
        try {
            for (int count = from.getInputStream().read(bytes);
                    count >= 0;
                    count = from.getInputStream().read(bytes)) {
                if (mayFlip && isFlipping) {
                    bytes[count - 1] ^= 1;
                }
                to.getOutputStream().write(bytes, 0, count);
            }
            to.shutdownOutput();
        } catch (IOException _) {
            // one end has gone
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        client.close();
        onward.close();
    }
}
