package dev.retier.bench.iwarp;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** Plain Java TCP over the loopback interface: non-blocking, polled, TCP_NODELAY. */
final class TcpPair implements AutoCloseable {
    final SocketChannel client;
    final SocketChannel server;

    TcpPair() throws IOException {
        try (ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            client = SocketChannel.open(listener.getLocalAddress());
            server = listener.accept();
        }
        for (SocketChannel channel : new SocketChannel[] {client, server}) {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        }
    }

    /** Writes all of the buffer. */
    static void write(SocketChannel channel, ByteBuffer buffer) throws IOException {
        buffer.rewind();
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
    }

    /** Reads until the buffer is full. */
    static void read(SocketChannel channel, ByteBuffer buffer) throws IOException {
        buffer.clear();
        while (buffer.hasRemaining()) {
            if (channel.read(buffer) < 0) {
                throw new IOException("the other side closed");
            }
        }
    }

    @Override
    public void close() throws IOException {
        client.close();
        server.close();
    }
}
