package dev.retier.agent.server;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

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
        AtomicBoolean isDone = new AtomicBoolean();
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            Thread watch = watch(channel, timeout, isDone);
            channel.connect(UnixDomainSocketAddress.of(path));
            ByteBuffer request = ByteBuffer.wrap((command + "\n").getBytes(StandardCharsets.US_ASCII));
            while (request.hasRemaining()) {
                channel.write(request);
            }
            String answer = readAll(channel);
            isDone.set(true);
            watch.interrupt();
            return answer;
        } catch (IOException e) {
            isDone.set(true);
            throw new IOException(path + ": no answer to \"" + command + "\" (" + e + ")", e);
        }
    }

    /** Channels of this family know no time-out; closing one ends what it waits for. */
    private static Thread watch(SocketChannel channel, Duration timeout, AtomicBoolean isDone) {
        return Thread.ofVirtual().name("retier-haproxy-watch").start(() -> {
            try {
                java.util.concurrent.locks.LockSupport.parkNanos(timeout.toNanos());
                if (!isDone.get() && !Thread.currentThread().isInterrupted()) {
                    channel.close();
                }
            } catch (IOException e) {
                // It is closed either way.
                return;
            }
        });
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
