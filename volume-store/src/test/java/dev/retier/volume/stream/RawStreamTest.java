package dev.retier.volume.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.volume.Volume;
import dev.retier.volume.VolumeName;
import dev.retier.volume.disk.Pool;
import dev.retier.volume.pool.Geometry;
import dev.retier.volume.worlds.MemoryDisk;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RawStreamTest {
    private static final Pool.Limits LIMITS = new Pool.Limits(4 << 20, 64 << 20);
    private static final int BYTES = (5 << 20) + 12_288;

    private final Pool pool;

    RawStreamTest() throws IOException {
        MemoryDisk disk = new MemoryDisk();
        Pool.make(disk, new UUID(1, 2), Geometry.DEFAULT);
        pool = Pool.open(disk, LIMITS, Runnable::run);
    }

    private Volume volume(String name) throws IOException {
        return pool.volume(pool.create(new VolumeName(name), BYTES), 1);
    }

    /** Rows of random bytes and of zeros, which begin and end anywhere. */
    private static byte[] image(int length) {
        SplittableRandom random = new SplittableRandom(7);
        byte[] image = new byte[length];
        for (int at = 0; at < length; ) {
            int count = Math.min(length - at, random.nextInt(500_000));
            byte[] row = new byte[count];
            random.nextBytes(row);
            System.arraycopy(row, 0, image, at, count);
            at += count + random.nextInt(500_000);
        }
        return image;
    }

    private static long taken(byte[] image, Volume volume, Progress progress) throws IOException {
        ReadableByteChannel from = Channels.newChannel(new ByteArrayInputStream(image));
        return RawImport.run(volume, from, image.length, progress, () -> false);
    }

    private static byte[] piped(Volume volume) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        long read = RawExport.run(volume, RawExport.pipe(Channels.newChannel(out)), (_, _) -> {});
        assertThat(read).isLessThanOrEqualTo(BYTES);
        return out.toByteArray();
    }

    @Test
    void shouldHaveAgainWhatWasBroughtOut(@TempDir Path folder) throws IOException {
        byte[] image = image(BYTES - 1_001);
        Volume first = volume("first");
        AtomicLong done = new AtomicLong();
        assertThat(taken(image, first, (at, _) -> done.set(at))).isEqualTo(image.length);
        assertThat(done).hasValue(image.length);
        assertThat(piped(first)).isEqualTo(Arrays.copyOf(image, BYTES));

        Path file = folder.resolve("image");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            RawExport.run(first, RawExport.sparse(channel), (at, _) -> done.set(at));
        }
        assertThat(done).hasValue(BYTES);
        assertThat(Files.readAllBytes(file)).isEqualTo(Arrays.copyOf(image, BYTES));
        Volume second = volume("second");
        taken(Files.readAllBytes(file), second, (_, _) -> {});
        assertThat(piped(second)).isEqualTo(Arrays.copyOf(image, BYTES));
        assertThat(second.extents(0, BYTES)).isEqualTo(first.extents(0, BYTES)).anyMatch(Volume.Extent::isHole);
    }

    @Test
    void shouldKeepNothingOfZeros() throws IOException {
        Volume volume = volume("zeros");
        assertThat(taken(new byte[BYTES], volume, (_, _) -> {})).isEqualTo(BYTES);
        assertThat(volume.extents(0, BYTES)).containsExactly(new Volume.Extent(BYTES, true));
        assertThat(piped(volume)).isEqualTo(new byte[BYTES]);
    }

    /** Who gives the bytes ends by the same signal, as one pipe's programs do; or had nothing to give. */
    @Test
    void shouldHaveNoBeginning_whenItIsAskedToEndWithTheLastByte() throws IOException {
        byte[] image = image(1 << 20);
        image[100] = 1;
        AtomicBoolean isAsked = new AtomicBoolean();
        ReadableByteChannel from = Channels.newChannel(new ByteArrayInputStream(image) {
            @Override
            public synchronized int read(byte[] into, int at, int length) {
                int count = super.read(into, at, length);
                isAsked.set(count < 0);
                return count;
            }
        });
        Volume volume = volume("ended");
        assertThatThrownBy(() -> RawImport.run(volume, from, image.length, (_, _) -> {}, isAsked::get))
                .hasMessage("it was asked to end");
        ByteBuffer head = ByteBuffer.allocate(4096);
        volume.read(0, head);
        assertThat(head.flip()).isEqualTo(ByteBuffer.allocate(4096));
        assertThatThrownBy(() -> taken(new byte[0], volume, (_, _) -> {})).hasMessage("nothing came");
    }

    private static final class Broken implements ReadableByteChannel {
        private final ReadableByteChannel bytes;
        private int left;

        Broken(byte[] image, int after) {
            bytes = Channels.newChannel(new ByteArrayInputStream(image));
            left = after;
        }

        @Override
        public int read(ByteBuffer into) throws IOException {
            if (left == 0) {
                throw new IOException("a broken pipe");
            }
            int count = bytes.read(into.slice().limit(Math.min(into.remaining(), left)));
            into.position(into.position() + count);
            left -= count;
            return count;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }

    /** What begins at its beginning, as file systems do, is not there before all the rest is. */
    @Test
    void shouldHaveNoBeginning_whenItBreaksOff() throws IOException {
        byte[] image = image(BYTES);
        image[100] = 1;
        for (int after : new int[] {0, 1 << 19, 1 << 20, 3 << 20, BYTES - 1}) {
            Volume volume = volume("broken-" + after);
            assertThatThrownBy(() -> RawImport.run(volume, new Broken(image, after), BYTES, (_, _) -> {}, () -> false))
                    .hasMessage("a broken pipe");
            ByteBuffer head = ByteBuffer.allocate(1 << 20);
            volume.read(0, head);
            assertThat(head.flip()).isEqualTo(ByteBuffer.allocate(1 << 20));
        }
        Volume volume = volume("asked");
        assertThatThrownBy(() -> RawImport.run(volume, new Broken(image, BYTES), BYTES, (_, _) -> {}, () -> true))
                .hasMessage("it was asked to end");
    }

    @Test
    void shouldRefuse_whatIsLongerThanTheVolume() throws IOException {
        Volume volume = volume("small");
        assertThatThrownBy(() -> taken(new byte[BYTES + 1], volume, (_, _) -> {}))
                .hasMessageContaining("is longer than the volume, which has " + BYTES + " bytes");
    }
}
