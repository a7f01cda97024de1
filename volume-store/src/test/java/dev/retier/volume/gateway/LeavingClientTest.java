package dev.retier.volume.gateway;

import static dev.retier.volume.gateway.NbdTestClient.READ;
import static dev.retier.volume.gateway.NbdTestClient.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.retier.volume.StubVolume;
import dev.retier.volume.VolumeName;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
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
    private static final int HALF_OF_MEMORY = 32 << 20;
    private static final Duration STALL = Duration.ofMillis(200);

    private final Slow volume = new Slow();

    @TempDir
    private Path folder = Path.of("");

    /** Its writes wait. */
    private static final class Slow extends StubVolume {
        final CountDownLatch writing = new CountDownLatch(1);
        final CountDownLatch mayEnd = new CountDownLatch(1);
        final CountDownLatch reading = new CountDownLatch(1);
        final AtomicInteger reads = new AtomicInteger();

        Slow() {
            super(64 << 20);
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
    }

    private NbdTestClient opened() throws IOException {
        return opened("v");
    }

    private NbdTestClient opened(String name) throws IOException {
        return NbdTestClient.open(folder.resolve("s"), name);
    }

    /** Reads one byte. */
    private static void requireServed(NbdTestClient client) throws IOException {
        requireServed(client, 1);
    }

    private static void requireServed(NbdTestClient client, int length) throws IOException {
        assertThat(client.ask(READ, 0, 0, length)).isZero();
    }

    /** Of a write the first byte comes with it. */
    private static void begin(NbdTestClient client, int type, int length) throws IOException {
        ByteBuffer request = NbdTestClient.request(type, 0, 7, 0, length);
        client.send(ByteBuffer.allocate(request.remaining() + (type == WRITE ? 1 : 0))
                .put(request)
                .rewind());
    }

    /** A write that comes late must not come after what the next client has read, or written. */
    @Test
    void shouldServeTheNextOne_onlyOnceWhatTheOneBeforeBeganIsDone() throws Exception {
        try (NbdGateway gateway = NbdGateway.listen(folder.resolve("s"), Map.of(new VolumeName("v"), volume))) {
            try (NbdTestClient leaving = opened()) {
                begin(leaving, WRITE, 1);
                volume.writing.await();
            }
            await().until(() -> !gateway.isQuiet(volume));
            try (NbdTestClient next = opened()) {
                begin(next, READ, 1);
                assertThat(volume.reading.await(300, TimeUnit.MILLISECONDS)).isFalse();

                volume.mayEnd.countDown();

                assertThat(next.read(NbdTestClient.ANSWER_BYTES + 1).getInt(Integer.BYTES))
                        .isZero();
            }
        }
    }

    @Test
    void shouldNotWaitForClientsOfAnotherVolume() throws Exception {
        Slow other = new Slow();
        try (NbdGateway gateway = NbdGateway.listen(
                folder.resolve("s"), Map.of(new VolumeName("v"), volume, new VolumeName("w"), other))) {
            try (NbdTestClient leaving = opened()) {
                begin(leaving, WRITE, 1);
                volume.writing.await();
            }
            await().until(() -> !gateway.isQuiet(volume));
            try (NbdTestClient next = opened("w")) {
                requireServed(next);
            }
            volume.mayEnd.countDown();
        }
    }

    @Test
    void shouldLeaveItsMemoryToOthers_whenAClientStopsInTheMiddleOfAWrite() throws Exception {
        try (NbdGateway _ = NbdGateway.listen(
                        folder.resolve("s"), SocketOwner.SELF, Map.of(new VolumeName("v"), volume), STALL);
                NbdTestClient idle = opened();
                NbdTestClient one = opened();
                NbdTestClient two = opened()) {
            begin(one, WRITE, HALF_OF_MEMORY);
            begin(two, WRITE, HALF_OF_MEMORY);

            assertThat(one.isLetGo()).isTrue();
            assertThat(two.isLetGo()).isTrue();
            requireServed(idle, HALF_OF_MEMORY);
        }
    }

    /** Both take none of the answers. */
    private void askForAllMemory(NbdTestClient one, NbdTestClient two) throws IOException {
        begin(one, READ, HALF_OF_MEMORY);
        begin(two, READ, HALF_OF_MEMORY);
        await().until(() -> volume.reads.get() == 2);
    }

    @Test
    void shouldLeaveItsMemoryToOthers_whenAClientTakesNoAnswers() throws Exception {
        try (NbdGateway _ = NbdGateway.listen(
                        folder.resolve("s"), SocketOwner.SELF, Map.of(new VolumeName("v"), volume), STALL);
                NbdTestClient idle = opened();
                NbdTestClient one = opened();
                NbdTestClient two = opened()) {
            askForAllMemory(one, two);

            requireServed(idle, HALF_OF_MEMORY);
        }
    }

    /** Also before anybody can tell that they have stopped. */
    @Test
    void shouldServeOthers_whileClientsKeepAllMemory() throws Exception {
        try (NbdGateway _ = NbdGateway.listen(folder.resolve("s"), Map.of(new VolumeName("v"), volume));
                NbdTestClient idle = opened();
                NbdTestClient one = opened();
                NbdTestClient two = opened()) {
            askForAllMemory(one, two);

            requireServed(idle, Buffers.Share.BYTES);
            requireServed(idle);
        }
    }
}
