package dev.retier.volume.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.volume.StubVolume;
import dev.retier.volume.VolumeName;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;
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
    private static final class Ended extends StubVolume {
        private final CountDownLatch begun = new CountDownLatch(REQUESTS);

        Ended() {
            super((long) REQUESTS * LENGTH);
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
    }

    private NbdTestClient opened() throws IOException {
        return NbdTestClient.open(folder.resolve("s"), "v");
    }

    private static void ask(NbdTestClient client, int number, int length) throws IOException {
        client.send(NbdTestClient.request(NbdTestClient.READ, 0, number, (long) number * LENGTH, length));
    }

    private static void requireAnswer(NbdTestClient client, int number, int length) throws IOException {
        assertThat(client.read(NbdTestClient.ANSWER_BYTES).getLong(8)).isEqualTo(number);
        ByteBuffer data = client.read(length);
        for (long at = (long) number * LENGTH; data.hasRemaining(); at += Long.BYTES) {
            assertThat(data.getLong()).isEqualTo(at);
        }
    }

    @Test
    void shouldTellAllInTheEnd_andOthersMeanwhile() throws Exception {
        try (NbdGateway _ = NbdGateway.listen(folder.resolve("s"), Map.of(new VolumeName("v"), volume));
                NbdTestClient idle = opened();
                NbdTestClient beside = opened()) {
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
            try (NbdTestClient idle = opened()) {
                for (int number = 0; number < REQUESTS; number++) {
                    ask(idle, number, LENGTH);
                }
                volume.begun.await();
            }
            try (NbdTestClient next = opened()) {
                ask(next, 1, 4096);
                requireAnswer(next, 1, 4096);
            }
            assertThat(gateway.isQuiet(volume)).isTrue();
        }
    }
}
