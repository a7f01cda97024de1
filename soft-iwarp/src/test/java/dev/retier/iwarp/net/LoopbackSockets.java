package dev.retier.iwarp.net;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** The two ends of one connection over loopback, neither of which blocks. */
record LoopbackSockets(SocketChannel one, SocketChannel other) implements AutoCloseable {
    static LoopbackSockets connected() throws IOException {
        try (ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            SocketChannel one = SocketChannel.open(listener.getLocalAddress());
            SocketChannel other = listener.accept();
            one.configureBlocking(false);
            other.configureBlocking(false);
            return new LoopbackSockets(one, other);
        }
    }

    @Override
    public void close() throws IOException {
        one.close();
        other.close();
    }
}
