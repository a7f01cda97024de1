package dev.retier.volume.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.volume.Volume;
import dev.retier.volume.VolumeName;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** More is to be told than a socket takes while its client does not listen. */
@Timeout(30)
class IdleClientTest {
    /** Fewer than a connection may have under way, and more bytes than any socket keeps. */
    private static final int REQUESTS = 60;

    private static final int LENGTH = 256 << 10;

    private final Ended volume = new Ended();

    @TempDir
    private Path folder = Path.of("");

    /** Whose tasks end at once, by the thread that begins them; each word of it says where it is. */
    private static final class Ended implements Volume {
        private final CountDownLatch begun = new CountDownLatch(REQUESTS);

        @Override
        public long bytes() {
            return (long) REQUESTS * LENGTH;
        }

        @Override
        public void begin(Task task, Done done) {
            if (task instanceof Task.Read read) {
                read(read.offset(), read.into().duplicate());
            }
            begun.countDown();
            done.ended(null);
        }

        @Override
        public void read(long offset, ByteBuffer into) {
            for (long at = offset; into.hasRemaining(); at += Long.BYTES) {
                into.putLong(at);
            }
        }

        @Override
        public void write(long offset, ByteBuffer from, Set<Option> options) {}

        @Override
        public void zero(long offset, long length, Set<Option> options) {}

        @Override
        public void flush() {}

        @Override
        public List<Extent> extents(long offset, long length) {
            return List.of(new Extent(length, false));
        }
    }

    private SocketChannel opened() throws IOException {
        SocketChannel client = SocketChannel.open(UnixDomainSocketAddress.of(folder.resolve("s")));
        var _ = read(client, 18);
        client.write(ByteBuffer.allocate(21)
                .putInt(3)
                .putLong(0x4948_4156_454f_5054L)
                .putInt(1)
                .putInt(1)
                .put((byte) 'v')
                .flip());
        var _ = read(client, 10);
        return client;
    }

    private static ByteBuffer read(SocketChannel from, int bytes) throws IOException {
        ByteBuffer into = ByteBuffer.allocate(bytes);
        while (into.hasRemaining()) {
            assertThat(from.read(into)).isPositive();
        }
        return into.flip();
    }

    private static void ask(SocketChannel client, int number, int length) throws IOException {
        client.write(ByteBuffer.allocate(28)
                .putInt(0x2560_9513)
                .putInt(0)
                .putLong(number)
                .putLong((long) number * LENGTH)
                .putInt(length)
                .flip());
    }

    private static void requireAnswer(SocketChannel client, int number, int length) throws IOException {
        assertThat(read(client, 16).getLong(8)).isEqualTo(number);
        ByteBuffer data = read(client, length);
        for (long at = (long) number * LENGTH; data.hasRemaining(); at += Long.BYTES) {
            assertThat(data.getLong()).isEqualTo(at);
        }
    }

    @Test
    void shouldTellAllInTheEnd_andOthersMeanwhile() throws Exception {
        try (NbdGateway _ = NbdGateway.listen(folder.resolve("s"), Map.of(new VolumeName("v"), volume));
                SocketChannel idle = opened();
                SocketChannel beside = opened()) {
            for (int number = 0; number < REQUESTS; number++) {
                ask(idle, number, LENGTH);
            }
            volume.begun.await();
            ask(beside, 1, 4096);
            requireAnswer(beside, 1, 4096);

            for (int number = 0; number < REQUESTS; number++) {
                requireAnswer(idle, number, LENGTH);
            }
            ask(idle, 2, 4096);
            requireAnswer(idle, 2, 4096);
        }
    }

    /** What is under way of who leaves without listening is over. */
    @Test
    void shouldEnd_whenTheClientLeavesInstead() throws Exception {
        try (NbdGateway gateway = NbdGateway.listen(folder.resolve("s"), Map.of(new VolumeName("v"), volume))) {
            try (SocketChannel idle = opened()) {
                for (int number = 0; number < REQUESTS; number++) {
                    ask(idle, number, LENGTH);
                }
                volume.begun.await();
            }
            try (SocketChannel next = opened()) {
                ask(next, 1, 4096);
                requireAnswer(next, 1, 4096);
            }
            assertThat(gateway.isQuiet(volume)).isTrue();
        }
    }
}
