package dev.retier.volume.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.testsupport.Logged;
import dev.retier.testsupport.Repeats;
import dev.retier.volume.StubVolume;
import dev.retier.volume.Volume;
import dev.retier.volume.VolumeName;
import dev.retier.volume.nbd.Export;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients of NBD that speak nonsense by seed, many at once, beside one that does not. */
@Timeout(60)
class NonsenseClientsTest {
    private static final int BYTES = 64 << 10;
    private static final long OPTION = 0x4948_4156_454f_5054L;
    private static final long SECRET = 0x5EC2_E75E_C2E7_5EC3L;
    /** At a time: those of three rounds are more than a gateway lets in. */
    private static final int CLIENTS = 31;

    @TempDir
    private Path folder = Path.of("");

    /** In memory. */
    private static final class Held extends StubVolume {
        private final byte[] all = new byte[BYTES];

        Held() {
            super(BYTES);
        }

        private static void require(long offset, long length) {
            if (offset < 0 || length < 0 || offset > BYTES - length) {
                throw new IllegalArgumentException(length + " bytes at " + offset);
            }
        }

        @Override
        public synchronized void read(long offset, ByteBuffer into) {
            require(offset, into.remaining());
            into.put(all, (int) offset, into.remaining());
        }

        @Override
        public synchronized void write(long offset, ByteBuffer from, Set<Option> options) {
            require(offset, from.remaining());
            from.get(all, (int) offset, from.remaining());
        }

        @Override
        public synchronized void zero(long offset, long length, Set<Option> options) {
            require(offset, length);
            Arrays.fill(all, (int) offset, (int) (offset + length), (byte) 0);
        }

        @Override
        public List<Extent> extents(long offset, long length) {
            require(offset, length);
            return length == 0 ? List.of() : List.of(new Extent(length, false));
        }
    }

    private static void option(ByteBuffer into, int number, ByteBuffer data) {
        into.putLong(OPTION).putInt(number).putInt(data.remaining()).put(data);
    }

    private static ByteBuffer name(String name) {
        return ByteBuffer.allocate(64)
                .putInt(name.length())
                .put(name.getBytes(StandardCharsets.US_ASCII))
                .putShort((short) 0)
                .flip();
    }

    /** What one says that means it, then another in many places, and cut off. */
    private static ByteBuffer nonsense(SplittableRandom random) {
        ByteBuffer said = ByteBuffer.allocate(32 << 10).putInt(3);
        for (int left = random.nextInt(3) == 0 ? random.nextInt(4) : 0; left > 0; left--) {
            ByteBuffer data = ByteBuffer.allocate(random.nextInt(300));
            random.nextBytes(data.array());
            option(said, random.nextInt(12), data);
        }
        if (random.nextInt(4) > 0) {
            option(said, 8, ByteBuffer.allocate(0));
            option(said, random.nextInt(4) > 0 ? 7 : 1, random.nextInt(8) > 0 ? name("v") : name("none"));
        }
        for (int left = random.nextInt(20); left > 0; left--) {
            int length = random.nextInt(12) == 0 ? random.nextInt() : random.nextInt(1024);
            int type = random.nextInt(9);
            long offset = random.nextInt(6) == 0 ? random.nextLong() : random.nextInt(BYTES);
            said.put(NbdTestClient.request(type, 0, said.position(), offset, length));
            if (type == 1) {
                said.put(new byte[Math.clamp(length, 0, 1024)]);
            }
        }
        said.flip();
        for (int left = random.nextInt(3); left > 0; left--) {
            int at = random.nextInt(said.limit());
            if (random.nextBoolean() && at + Integer.BYTES <= said.limit()) {
                said.putInt(at, random.nextBoolean() ? -1 >>> random.nextInt(31) : random.nextInt());
            } else {
                said.put(at, (byte) random.nextInt());
            }
        }
        return random.nextInt(3) == 0 ? said.limit(random.nextInt(said.limit())) : said;
    }

    /** It is let go in the end, and nothing of the honest one's is told to it. */
    private int speak(long seed) throws IOException {
        int told = 0;
        try (SocketChannel client = SocketChannel.open(UnixDomainSocketAddress.of(folder.resolve("s")))) {
            SplittableRandom random = new SplittableRandom(seed);
            ByteBuffer said = nonsense(random);
            try {
                while (said.hasRemaining()) {
                    client.write(said);
                }
                client.shutdownOutput();
                ByteBuffer some = ByteBuffer.allocate(1 << 16);
                for (int count = client.read(some); count >= 0; count = client.read(some.clear())) {
                    told += count;
                    for (int at = 0; at + Long.BYTES <= count; at++) {
                        assertThat(some.getLong(at)).as("seed %d", seed).isNotEqualTo(SECRET);
                    }
                }
            } catch (IOException gone) {
                return told; // as it should be with one that speaks nonsense
            }
        }
        return told;
    }

    private static void looks(NbdTestClient client) throws IOException {
        client.send(NbdTestClient.request(NbdTestClient.READ, 0, 7, 0, 4096));
        ByteBuffer answer = client.read(NbdTestClient.ANSWER_BYTES + 4096);
        assertThat(answer.getInt(Integer.BYTES)).as("error").isZero();
        for (int at = NbdTestClient.ANSWER_BYTES; at < answer.limit(); at += Long.BYTES) {
            assertThat(answer.getLong(at)).isEqualTo(SECRET);
        }
    }

    @Test
    void shouldServeWhoSpeaksWellAndLetTheOthersGo_whateverTheySay() throws Exception {
        Held honest = new Held();
        for (ByteBuffer all = ByteBuffer.wrap(honest.all); all.hasRemaining(); ) {
            all.putLong(SECRET);
        }
        Map<VolumeName, Volume> volumes = Map.of(new VolumeName("honest"), honest, new VolumeName("v"), new Held());
        long told = 0;
        try (Logged logged = new Logged();
                NbdGateway gateway = NbdGateway.listen(folder.resolve("s"), volumes);
                NbdTestClient client = NbdTestClient.open(folder.resolve("s"), "honest");
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int round = 0; round < Repeats.of(8); round++) {
                List<Callable<Integer>> all = new ArrayList<>();
                for (int i = 0; i < CLIENTS; i++) {
                    long seed = (long) round * CLIENTS + i;
                    all.add(() -> speak(seed));
                }
                List<Future<Integer>> speaking = new ArrayList<>();
                all.forEach(one -> speaking.add(threads.submit(one)));
                looks(client);
                for (Future<Integer> one : speaking) {
                    told += one.get();
                }
                looks(client);
            }
            assertThat(logged.warnings("is refused"))
                    .as("those of rounds before have gone")
                    .isEmpty();
            try (Buffers.Piece first = gateway.buffers().take(Export.MOST_BYTES, new Buffers.Share(), () -> {});
                    Buffers.Piece second = gateway.buffers().take(Export.MOST_BYTES, new Buffers.Share(), () -> {})) {
                assertThat(first).as("all memory is there again").isNotSameAs(second);
            }
        }
        assertThat(told).as("so much that it says something").isGreaterThan(20_000);
    }
}
