package dev.retier.agent.control;

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
import java.util.concurrent.locks.LockSupport;

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

    /** Channels of this family know no time-out; closing one ends what it waits for. */
    static String readLine(SocketChannel channel, int maxBytes, Duration timeout) throws IOException {
        Thread watch = Thread.ofVirtual().name("retier-control-watch").start(() -> {
            long endNanos = System.nanoTime() + timeout.toNanos();
            while (!Thread.currentThread().isInterrupted() && System.nanoTime() - endNanos < 0) {
                LockSupport.parkNanos(endNanos - System.nanoTime());
            }
            if (!Thread.currentThread().isInterrupted()) {
                close(channel);
            }
        });
        try {
            return readLine(channel, maxBytes);
        } finally {
            watch.interrupt();
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

    private static void close(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            // It is closed either way.
            return;
        }
    }
}
