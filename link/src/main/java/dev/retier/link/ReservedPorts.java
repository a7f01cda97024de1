package dev.retier.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/**
 * Ports of the loopback interface that nobody else is given while this is open, though a test's own servers may listen
 * on them, again and again. A port that was bound and closed may become the local end of any process's next connection;
 * one that is bound and does not listen may not, and on Linux another socket with SO_REUSEADDR, as Java's listening
 * ones have, may listen on it.
 */
public final class ReservedPorts implements AutoCloseable {
    private final List<Socket> sockets = new ArrayList<>();

    /** Reserves so many. */
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
