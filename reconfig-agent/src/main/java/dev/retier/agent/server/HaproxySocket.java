package dev.retier.agent.server;

import dev.retier.agent.apply.ChannelDeadline;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;

/** HAProxy's stats socket: one command, one answer, one connection. Thread-safe. */
final class HaproxySocket {
    private static final int MAX_ANSWER_BYTES = 4 << 20;

    private final Path path;

    HaproxySocket(Path path) {
        this.path = path;
    }

    /**
     * The answer to one command, or to several with semicolons between them.
     *
     * @throws IOException when there is no whole answer in time
     */
    String ask(String command, Duration timeout) throws IOException {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
                ChannelDeadline _ = new ChannelDeadline("retier-haproxy-watch", channel, timeout)) {
            channel.connect(UnixDomainSocketAddress.of(path));
            ByteBuffer request = ByteBuffer.wrap((command + "\n").getBytes(StandardCharsets.US_ASCII));
            while (request.hasRemaining()) {
                channel.write(request);
            }
            return readAll(channel);
        } catch (IOException e) {
            throw new IOException(path + ": no answer to \"" + command + "\" (" + e + ")", e);
        }
    }

    private static String readAll(SocketChannel channel) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteBuffer buffer = ByteBuffer.allocate(8192);
        while (channel.read(buffer) >= 0) {
            out.write(buffer.array(), 0, buffer.position());
            buffer.clear();
            if (out.size() > MAX_ANSWER_BYTES) {
                throw new IOException("the answer is longer than " + MAX_ANSWER_BYTES + " bytes");
            }
        }
        return out.toString(StandardCharsets.US_ASCII);
    }
}
