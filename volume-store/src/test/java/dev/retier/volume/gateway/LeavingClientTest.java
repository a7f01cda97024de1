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
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class LeavingClientTest {
    private static final int READ = 0;
    private static final int WRITE = 1;
    private static final int HALF_OF_MEMORY = 32 << 20;
    private static final Duration STALL = Duration.ofMillis(200);

    private final Slow volume = new Slow();

    @TempDir
    private Path folder = Path.of("");

    /** Its writes wait. */
    private static final class Slow implements Volume {
        final CountDownLatch writing = new CountDownLatch(1);
        final CountDownLatch mayEnd = new CountDownLatch(1);
        final CountDownLatch reading = new CountDownLatch(1);
        final AtomicInteger reads = new AtomicInteger();

        @Override
        public long bytes() {
            return 64 << 20;
        }

        @Override
        public void read(long offset, ByteBuffer into) {
            reading.countDown();
            reads.incrementAndGet();
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
        return opened('v');
    }

    private SocketChannel opened(char name) throws IOException {
        SocketChannel client = SocketChannel.open(UnixDomainSocketAddress.of(folder.resolve("s")));
        readAll(client, ByteBuffer.allocate(18));
        client.write(ByteBuffer.allocate(21)
                .putInt(3)
                .putLong(0x4948_4156_454f_5054L)
                .putInt(1)
                .putInt(1)
                .put((byte) name)
                .flip());
        readAll(client, ByteBuffer.allocate(10));
        return client;
    }

    private static ByteBuffer request(int type) {
        return request(type, 1);
    }

    /** Of a write the first byte comes with it. */
    private static ByteBuffer request(int type, int length) {
        return ByteBuffer.allocate(type == WRITE ? 29 : 28)
                .putInt(0x2560_9513)
                .putInt(type)
                .putLong(7)
                .putLong(0)
                .putInt(length)
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
            await().until(() -> !gateway.isQuiet(volume));
            try (SocketChannel next = opened()) {
                next.write(request(READ));
                assertThat(volume.reading.await(300, TimeUnit.MILLISECONDS)).isFalse();

                volume.mayEnd.countDown();

                readAll(next, ByteBuffer.allocate(17));
            }
        }
    }

    @Test
    void shouldNotWaitForClientsOfAnotherVolume() throws Exception {
        Slow other = new Slow();
        try (NbdGateway gateway = NbdGateway.listen(
                folder.resolve("s"), Map.of(new VolumeName("v"), volume, new VolumeName("w"), other))) {
            try (SocketChannel leaving = opened()) {
                leaving.write(request(WRITE));
                volume.writing.await();
            }
            await().until(() -> !gateway.isQuiet(volume));
            try (SocketChannel next = opened('w')) {
                next.write(request(READ));
                readAll(next, ByteBuffer.allocate(17));
            }
            volume.mayEnd.countDown();
        }
    }

    @Test
    void shouldLeaveItsMemoryToOthers_whenAClientStopsInTheMiddleOfAWrite() throws Exception {
        try (NbdGateway _ = NbdGateway.listen(
                        folder.resolve("s"), SocketOwner.SELF, Map.of(new VolumeName("v"), volume), STALL);
                SocketChannel idle = opened();
                SocketChannel one = opened();
                SocketChannel two = opened()) {
            one.write(request(WRITE, HALF_OF_MEMORY));
            two.write(request(WRITE, HALF_OF_MEMORY));

            assertThat(one.read(ByteBuffer.allocate(1))).isNegative();
            assertThat(two.read(ByteBuffer.allocate(1))).isNegative();
            idle.write(request(READ));
            readAll(idle, ByteBuffer.allocate(17));
        }
    }

    @Test
    void shouldLeaveItsMemoryToOthers_whenAClientTakesNoAnswers() throws Exception {
        try (NbdGateway _ = NbdGateway.listen(
                        folder.resolve("s"), SocketOwner.SELF, Map.of(new VolumeName("v"), volume), STALL);
                SocketChannel idle = opened();
                SocketChannel one = opened();
                SocketChannel two = opened()) {
            one.write(request(READ, HALF_OF_MEMORY));
            two.write(request(READ, HALF_OF_MEMORY));
            await().until(() -> volume.reads.get() == 2);

            idle.write(request(READ));
            readAll(idle, ByteBuffer.allocate(17));
        }
    }
}
