package dev.retier.agent.http;

import dev.retier.config.HostPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/** A stretch of the way to a server that passes answers on byte by byte, when it is told to, and tires of it. */
final class DribblingRelay implements AutoCloseable {
    private static final Duration PACE = Duration.ofMillis(10);
    /** A second and more, so that who is patient has an answer then. */
    private static final int MOST_SLOW_BYTES = 150;

    private final HostPort server;
    private final ServerSocket listener;
    private final Queue<Socket> open = new ConcurrentLinkedQueue<>();
    private volatile boolean isSlow;

    DribblingRelay(HostPort server) throws IOException {
        this.server = server;
        this.listener = new ServerSocket(0, 10, InetAddress.ofLiteral("127.0.0.1"));
        Thread.ofVirtual().start(this::accept);
    }

    /** Where to connect instead. */
    HostPort address() {
        return new HostPort("127.0.0.1", listener.getLocalPort());
    }

    void dribble(boolean slow) {
        isSlow = slow;
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                open.add(client);
                Socket onward = new Socket(server.host(), server.port());
                open.add(onward);
                client.setTcpNoDelay(true);
                Thread.ofVirtual().start(() -> pump(client, onward, false));
                Thread.ofVirtual().start(() -> pump(onward, client, true));
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    private void pump(Socket from, Socket to, boolean isAnswer) {
        byte[] bytes = new byte[1 << 14];
        try {
            for (int count = from.getInputStream().read(bytes);
                    count >= 0;
                    count = from.getInputStream().read(bytes)) {
                int slow = isAnswer && isSlow ? Math.min(count, MOST_SLOW_BYTES) : 0;
                for (int i = 0; i < slow; i++) {
                    LockSupport.parkNanos(PACE.toNanos());
                    to.getOutputStream().write(bytes, i, 1);
                }
                to.getOutputStream().write(bytes, slow, count - slow);
            }
            to.close();
        } catch (IOException e) {
            return; // one end has gone
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : open) {
            socket.close();
        }
    }
}
