package dev.retier.bench.iwarp;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** Plain Java TCP over the loopback interface, TCP_NODELAY on, as iWARP's own sockets. */
final class TcpPair implements AutoCloseable {
    /** Empty reads in a row after which a reader yields: as the iWARP side does, or a busy machine would decide. */
    private static final int READS_BEFORE_YIELD = 100;

    final SocketChannel client;
    final SocketChannel server;
    private final boolean blocking;

    TcpPair(Waiting waiting) throws IOException {
        blocking = waiting != Waiting.POLL;
        try (ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            client = SocketChannel.open(listener.getLocalAddress());
            server = listener.accept();
        }
        for (SocketChannel channel : new SocketChannel[] {client, server}) {
            channel.configureBlocking(blocking);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        }
    }

    /** A far side, which waits as this pair does. */
    Peer peer(Peer.Step step) {
        return blocking ? Peer.sleeping(step) : Peer.polling(step);
    }

    /** Writes all of the buffer. */
    static void write(SocketChannel channel, ByteBuffer buffer) throws IOException {
        buffer.rewind();
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
    }

    /** Reads until the buffer is full. */
    void read(SocketChannel channel, ByteBuffer buffer) throws IOException {
        buffer.clear();
        for (int empty = 0; buffer.hasRemaining(); empty++) {
            int count = channel.read(buffer);
            if (count < 0) {
                throw new IOException("the other side closed");
            }
            yieldAfterMany(count > 0 ? 0 : empty);
        }
    }

    /** Reads until something came, or, when polling, for a while. */
    void await(SocketChannel channel, ByteBuffer buffer) throws IOException {
        int empty = 0;
        int count = channel.read(buffer);
        while (count == 0 && empty <= 2 * READS_BEFORE_YIELD) {
            empty++;
            yieldAfterMany(empty);
            count = channel.read(buffer);
        }
        if (count < 0) {
            throw new IOException("the other side closed");
        }
    }

    /** Lets others run once {@code empty} reads in a row found nothing. */
    @SuppressWarnings("ThreadPriorityCheck") // spinning on would take the processor from whom we wait for
    static void yieldAfterMany(int empty) {
        if (empty > READS_BEFORE_YIELD) {
            Thread.yield();
        }
    }

    @Override
    public void close() throws IOException {
        client.close();
        server.close();
    }
}
