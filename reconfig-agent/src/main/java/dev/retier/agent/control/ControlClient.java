package dev.retier.agent.control;

import dev.retier.agent.apply.ChannelDeadline;
import dev.retier.agent.command.Answer;
import dev.retier.agent.command.Command;
import dev.retier.agent.command.CommandText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;

/** Asks an agent at its control socket. Stateless. */
public final class ControlClient {
    private static final int MAX_ANSWER_BYTES = 4 << 20;

    private ControlClient() {}

    /**
     * The answer of the agent at {@code socket}.
     *
     * @param patience how long to wait for it; a move takes as long as its deadlines allow
     * @throws IOException when nobody listens there, it may not be opened, or there is no answer in time
     */
    public static Answer ask(Path socket, Command command, Duration patience) throws IOException {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(UnixDomainSocketAddress.of(socket));
            ByteBuffer line = ByteBuffer.wrap((CommandText.print(command) + "\n").getBytes(StandardCharsets.UTF_8));
            while (line.hasRemaining()) {
                channel.write(line);
            }
            return Answer.parse(readLine(channel, MAX_ANSWER_BYTES, patience))
                    .orElseThrow(() -> new IOException(socket + " answers with something else"));
        }
    }

    /** One line, in time. */
    static String readLine(SocketChannel channel, int maxBytes, Duration timeout) throws IOException {
        try (ChannelDeadline _ = new ChannelDeadline("retier-control-watch", channel, timeout)) {
            return readLine(channel, maxBytes);
        }
    }

    private static String readLine(SocketChannel channel, int maxBytes) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        ByteBuffer buffer = ByteBuffer.allocate(Math.min(maxBytes, 8 << 10));
        while (channel.read(buffer) >= 0) {
            buffer.flip();
            while (buffer.hasRemaining()) {
                byte next = buffer.get();
                if (next == '\n') {
                    return line.toString(StandardCharsets.UTF_8);
                }
                line.write(next);
            }
            buffer.clear();
            if (line.size() > maxBytes) {
                throw new IOException("a line is longer than " + maxBytes + " bytes");
            }
        }
        throw new IOException("closed before the end of a line");
    }
}
