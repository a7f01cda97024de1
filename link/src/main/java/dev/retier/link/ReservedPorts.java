package dev.retier.link;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/**
 * Ports of the loopback interface that nobody else is given while this is open, though servers of our own may listen
 * on them, again and again. A port that was bound and closed may become the local end of any process's next connection;
 * one that is bound and does not listen may not, and on Linux another socket with SO_REUSEADDR, as Java's listening
 * ones have, may listen on it. For cells on one machine: demonstrations, measurements, tests. Not thread-safe.
 */
public final class ReservedPorts implements AutoCloseable {
    private final List<Socket> sockets = new ArrayList<>();

    /**
     * Reserves so many.
     *
     * @throws UncheckedIOException if there are no more
     */
    public ReservedPorts(int count) {
        try {
            for (int i = 0; i < count; i++) {
                Socket socket = new Socket();
                sockets.add(socket);
                socket.setReuseAddress(true);
                socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            }
        } catch (IOException failed) {
            close();
            throw new UncheckedIOException(failed);
        }
    }

    /** One of them, counting from 0. */
    public InetSocketAddress address(int index) {
        return new InetSocketAddress(
                InetAddress.getLoopbackAddress(), sockets.get(index).getLocalPort());
    }

    /** All of them, in their order. */
    public List<Integer> numbers() {
        return sockets.stream().map(Socket::getLocalPort).toList();
    }

    @Override
    public void close() {
        try {
            for (Socket socket : sockets) {
                socket.close();
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
