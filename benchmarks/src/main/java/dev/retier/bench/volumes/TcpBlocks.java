package dev.retier.bench.volumes;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The least that a server of blocks over plain Java TCP does, a process of its own: answers reads from its memory and
 * appends what is written to a file of one
 * length, whose end is followed by its beginning. All requests that one read of the socket has brought
 * are answered by one write. A request has {@value #REQUEST_BYTES} bytes, an answer {@value #ANSWER_BYTES}, data behind
 * them.
 */
final class TcpBlocks {
    static final int REQUEST_BYTES = 64;
    static final int ANSWER_BYTES = 16;
    static final byte READ = 1;
    static final byte WRITE = 2;
    /** Where in a request its length is. */
    static final int LENGTH = 4;

    private static final int BUFFER_BYTES = 2 << 20;

    private final SocketChannel channel;
    private final FileChannel file;
    private final long fileBytes;
    private final ByteBuffer in = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private final ByteBuffer out = ByteBuffer.allocateDirect(2 * BUFFER_BYTES);
    private long appended;

    private TcpBlocks(SocketChannel channel, FileChannel file) throws IOException {
        this.channel = channel;
        this.file = file;
        this.fileBytes = file.size();
    }

    /** Serves one client at a time: {@code FILE}, which is there; says its port behind {@code port}. */
    public static void main(String... arguments) throws IOException {
        try (ServerSocketChannel listener = ServerSocketChannel.open();
                FileChannel file = FileChannel.open(Path.of(arguments[0]), StandardOpenOption.WRITE)) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            System.out.println("port " + ((InetSocketAddress) listener.getLocalAddress()).getPort() + ";");
            while (true) {
                try (SocketChannel channel = listener.accept()) {
                    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                    new TcpBlocks(channel, file).serve();
                }
            }
        }
    }

    private void serve() throws IOException {
        while (channel.read(in) >= 0) {
            in.flip();
            while (isWhole() && out.remaining() >= BUFFER_BYTES / 2) {
                answer();
            }
            in.compact();
            out.flip();
            while (out.hasRemaining()) {
                channel.write(out);
            }
            out.clear();
        }
    }

    private boolean isWhole() {
        return in.remaining() >= REQUEST_BYTES && in.remaining() >= REQUEST_BYTES + dataBytes();
    }

    private int dataBytes() {
        return in.get(in.position()) == WRITE ? in.getInt(in.position() + LENGTH) : 0;
    }

    private void answer() throws IOException {
        int length = in.getInt(in.position() + LENGTH);
        boolean isRead = in.get(in.position()) == READ;
        in.position(in.position() + REQUEST_BYTES);
        if (isRead) {
            out.position(out.position() + ANSWER_BYTES + length);
        } else {
            int limit = in.limit();
            in.limit(in.position() + length);
            while (in.hasRemaining()) {
                appended += file.write(in, appended % fileBytes);
            }
            in.limit(limit);
            out.position(out.position() + ANSWER_BYTES);
        }
    }
}
