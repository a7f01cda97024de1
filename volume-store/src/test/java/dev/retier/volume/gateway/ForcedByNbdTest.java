package dev.retier.volume.gateway;

import static dev.retier.volume.gateway.NbdTestClient.FLUSH;
import static dev.retier.volume.gateway.NbdTestClient.FORCED;
import static dev.retier.volume.gateway.NbdTestClient.NO_HOLE;
import static dev.retier.volume.gateway.NbdTestClient.TRIM;
import static dev.retier.volume.gateway.NbdTestClient.WRITE;
import static dev.retier.volume.gateway.NbdTestClient.ZEROES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.volume.StubVolume;
import dev.retier.volume.Volume;
import dev.retier.volume.VolumeName;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a client of NBD wants on the disk comes to the volume so: BUSE lost it (its issue 28). */
@Timeout(30)
class ForcedByNbdTest {
    @TempDir
    private Path folder = Path.of("");

    private final Queue<String> asked = new ConcurrentLinkedQueue<>();

    private final Volume volume = new StubVolume(4 << 20) {
        @Override
        public void write(long offset, ByteBuffer from, Set<Option> options) {
            asked.add("write " + offset + " " + from.remaining() + " " + options);
        }

        @Override
        public void zero(long offset, long length, Set<Option> options) {
            asked.add("zero " + offset + " " + length + " " + options);
        }

        @Override
        public void discard(long offset, long length, Set<Option> options) {
            asked.add("discard " + offset + " " + length + " " + options);
        }

        @Override
        public void flush() {
            asked.add("flush");
        }
    };

    private static void done(NbdTestClient client, int type, int flags, int length) throws IOException {
        assertThat(client.ask(type, flags, type == FLUSH ? 0 : 4096, length)).isZero();
    }

    @Test
    void shouldBeForcedByTheVolume_whenTheClientWantsIt() throws IOException {
        try (NbdGateway _ = NbdGateway.listen(folder.resolve("s"), Map.of(new VolumeName("v"), volume));
                NbdTestClient client = NbdTestClient.open(folder.resolve("s"), "v")) {
            done(client, WRITE, 0, 512);
            done(client, WRITE, FORCED, 512);
            done(client, ZEROES, 0, 4096);
            done(client, ZEROES, FORCED, 4096);
            done(client, ZEROES, NO_HOLE | FORCED, (1 << 20) + 512);
            done(client, ZEROES, NO_HOLE | FORCED, 2 << 20);
            done(client, TRIM, FORCED, 4096);
            done(client, FLUSH, 0, 0);
        }
        assertThat(asked)
                .containsExactly(
                        "write 4096 512 []",
                        "write 4096 512 [FORCED]",
                        "zero 4096 4096 []",
                        "zero 4096 4096 [FORCED]",
                        "write 4096 1048576 []",
                        "write 1052672 512 [FORCED]",
                        "write 4096 1048576 []",
                        "write 1052672 1048576 [FORCED]",
                        "discard 4096 4096 [FORCED]",
                        "flush");
    }
}
