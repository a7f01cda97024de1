package dev.retier.volume.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class LeavingClientTest {
    private static final int READ = 0;
    private static final int WRITE = 1;

    private final Slow volume = new Slow();

    @TempDir
    private Path folder = Path.of("");

    /** Its writes wait. */
    private static final class Slow implements Volume {
        final CountDownLatch writing = new CountDownLatch(1);
        final CountDownLatch mayEnd = new CountDownLatch(1);
        final CountDownLatch reading = new CountDownLatch(1);

        @Override
        public long bytes() {
            return 4096;
        }

        @Override
        public void read(long offset, ByteBuffer into) {
            reading.countDown();
            into.position(into.limit());
        }

        @Override
        public void write(long offset, ByteBuffer from, Set<Option> options) throws IOException {
            writing.countDown();
            try {
                mayEnd.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }

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
        readAll(client, ByteBuffer.allocate(18));
        client.write(ByteBuffer.allocate(21)
                .putInt(3)
                .putLong(0x4948_4156_454f_5054L)
                .putInt(1)
                .putInt(1)
                .put((byte) 'v')
                .flip());
        readAll(client, ByteBuffer.allocate(10));
        return client;
    }

    private static ByteBuffer request(int type) {
        return ByteBuffer.allocate(type == WRITE ? 29 : 28)
                .putInt(0x2560_9513)
                .putInt(type)
                .putLong(7)
                .putLong(0)
                .putInt(1)
                .rewind();
    }

    private static void readAll(SocketChannel from, ByteBuffer into) throws IOException {
        while (into.hasRemaining()) {
            assertThat(from.read(into)).isNotNegative();
        }
    }

    /** A write that comes late must not come after what the next client has read, or written. */
    @Test
    void shouldServeTheNextOne_onlyOnceWhatTheOneBeforeBeganIsDone() throws Exception {
        try (NbdGateway gateway = NbdGateway.listen(folder.resolve("s"), Map.of(new VolumeName("v"), volume))) {
            try (SocketChannel leaving = opened()) {
                leaving.write(request(WRITE));
                volume.writing.await();
            }
            await().until(() -> !gateway.isQuiet());
            try (SocketChannel next = opened()) {
                next.write(request(READ));
                assertThat(volume.reading.await(300, TimeUnit.MILLISECONDS)).isFalse();

                volume.mayEnd.countDown();

                readAll(next, ByteBuffer.allocate(17));
            }
        }
    }
}
