package dev.retier.volume.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.volume.Volume;
import dev.retier.volume.VolumeName;
import java.io.EOFException;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.List;
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
    private static final int BYTES = 4 << 20;
    private static final int WRITE = 1;
    private static final int FLUSH = 3;
    private static final int TRIM = 4;
    private static final int ZEROES = 6;
    private static final int FORCED = 1;
    private static final int NO_HOLE = 2;

    @TempDir
    private Path folder = Path.of("");

    private final Queue<String> asked = new ConcurrentLinkedQueue<>();

    private final Volume volume = new Volume() {
        @Override
        public long bytes() {
            return BYTES;
        }

        @Override
        public void read(long offset, ByteBuffer into) {
            into.position(into.limit());
        }

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

        @Override
        public List<Extent> extents(long offset, long length) {
            return List.of(new Extent(length, false));
        }
    };

    private static void readAll(SocketChannel from, int bytes) throws IOException {
        ByteBuffer into = ByteBuffer.allocate(bytes);
        while (into.hasRemaining()) {
            if (from.read(into) < 0) {
                throw new EOFException();
            }
        }
    }

    private static void ask(SocketChannel client, int type, int flags, int length) throws IOException {
        ByteBuffer said = ByteBuffer.allocate(28 + (type == WRITE ? length : 0))
                .putInt(0x2560_9513)
                .putShort((short) flags)
                .putShort((short) type)
                .putLong(7)
                .putLong(type == FLUSH ? 0 : 4096)
                .putInt(length)
                .rewind();
        while (said.hasRemaining()) {
            client.write(said);
        }
        readAll(client, 16);
    }

    @Test
    void shouldBeForcedByTheVolume_whenTheClientWantsIt() throws IOException {
        try (NbdGateway _ = NbdGateway.listen(folder.resolve("s"), Map.of(new VolumeName("v"), volume));
                SocketChannel client = SocketChannel.open(UnixDomainSocketAddress.of(folder.resolve("s")))) {
            readAll(client, 18);
            ByteBuffer said = ByteBuffer.allocate(21).putInt(3).putLong(0x4948_4156_454f_5054L);
            client.write(said.putInt(1).putInt(1).put((byte) 'v').flip());
            readAll(client, 10);

            ask(client, WRITE, 0, 512);
            ask(client, WRITE, FORCED, 512);
            ask(client, ZEROES, 0, 4096);
            ask(client, ZEROES, FORCED, 4096);
            ask(client, ZEROES, NO_HOLE | FORCED, (1 << 20) + 512);
            ask(client, TRIM, FORCED, 4096);
            ask(client, FLUSH, 0, 0);
        }
        assertThat(asked)
                .containsExactly(
                        "write 4096 512 []",
                        "write 4096 512 [FORCED]",
                        "zero 4096 4096 []",
                        "zero 4096 4096 [FORCED]",
                        "write 4096 1048576 []",
                        "write 1052672 512 [FORCED]",
                        "discard 4096 4096 [FORCED]",
                        "flush");
    }
}
