package dev.retier.volume.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.testsupport.Repeats;
import dev.retier.volume.Volume;
import dev.retier.volume.VolumeName;
import dev.retier.volume.disk.Pool;
import dev.retier.volume.pool.Geometry;
import dev.retier.volume.worlds.MemoryDisk;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.Channels;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class VolumeChannelTest {
    private static final int BYTES = 256 << 10;
    private static final int MOST = 100_000;
    private static final Pool.Limits LIMITS = new Pool.Limits(1 << 20, 8 << 20);
    private static final List<Set<OpenOption>> WAYS = List.of(
            Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE),
            Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DSYNC),
            Set.of(),
            Set.of(StandardOpenOption.WRITE),
            Set.of(StandardOpenOption.APPEND),
            Set.of(StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING),
            Set.of(StandardOpenOption.READ, StandardOpenOption.APPEND));

    @TempDir
    private Path folder = Path.of("");

    private final MemoryDisk disk = new MemoryDisk();

    private Volume volume() throws IOException {
        Pool.make(disk, new UUID(1, 2), Geometry.DEFAULT);
        Pool pool = Pool.open(disk, LIMITS, Runnable::run);
        return pool.volume(pool.create(new VolumeName("accounts"), BYTES), 1);
    }

    private static FileChannel opened(VolumeFile file) throws IOException {
        return file.open(StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    /** The same calls beside a file of the local disk: the same results, bytes and exceptions. */
    @Test
    void shouldDoWhatAFileDoes_whateverIsCalled() throws IOException {
        VolumeFile file = VolumeFile.on(volume());
        Path real = Files.createFile(folder.resolve("real"));
        for (long seed = 1; seed <= Repeats.of(35); seed++) {
            Set<OpenOption> way = WAYS.get((int) (seed % WAYS.size()));
            Beside both = new Beside(seed, way, real, file);
            for (int step = 0; step < 40; step++) {
                both.step("seed " + seed + ", step " + step);
            }
            both.close();
            both.step("seed " + seed + ", closed");
            both.step("seed " + seed + ", closed");
            try (FileChannel all = file.open()) {
                ByteBuffer found = ByteBuffer.allocate((int) all.size());
                assertThat(all.read(found)).isEqualTo(found.capacity() == 0 ? 0 : found.capacity());
                assertThat(found.array()).as("seed %d", seed).isEqualTo(Files.readAllBytes(real));
            }
        }
    }

    /** A call that says what it came to. */
    private interface Call {
        Object of(FileChannel channel) throws IOException;
    }

    /** What may be refused. */
    private interface Opening {
        void run() throws IOException;
    }

    /** Two channels on which the same is called. */
    private static final class Beside {
        private final Random random;
        private final Set<OpenOption> way;
        private final FileChannel real;
        private final FileChannel ours;
        private String what = "";

        Beside(long seed, Set<OpenOption> way, Path path, VolumeFile file) throws IOException {
            this.random = new Random(seed);
            this.way = way;
            OpenOption[] options = way.toArray(OpenOption[]::new);
            FileChannel[] opened = new FileChannel[1];
            String expected = told(() -> opened[0] = FileChannel.open(path, options));
            FileChannel[] mine = new FileChannel[1];
            assertThat(told(() -> mine[0] = file.open(options))).isEqualTo(expected);
            this.real = opened[0] == null ? FileChannel.open(path) : opened[0];
            this.ours = mine[0] == null ? file.open() : mine[0];
        }

        private static String told(Opening opening) {
            try {
                opening.run();
                return "opened";
            } catch (IOException | RuntimeException failed) {
                return failed.getClass().getName();
            }
        }

        void close() throws IOException {
            real.close();
            ours.close();
        }

        private static String outcome(Call call, FileChannel channel) {
            try {
                Object result = call.of(channel);
                return result instanceof FileChannel ? "itself" : String.valueOf(result);
            } catch (IOException | RuntimeException failed) {
                return failed.getClass().getName();
            }
        }

        private byte[] some() {
            byte[] bytes = new byte[random.nextInt(4) == 0 ? random.nextInt(9_000) : random.nextInt(100)];
            random.nextBytes(bytes);
            return bytes;
        }

        private long place() {
            return switch (random.nextInt(12)) {
                case 0 -> -1;
                case 1 -> 0;
                case 2 -> random.nextInt(MOST);
                default -> random.nextInt(10_000);
            };
        }

        void step(String where) {
            what = where;
            Call call = call();
            assertThat(outcome(call, ours)).as(what).isEqualTo(outcome(call, real));
            Call after = channel -> channel.position() + " of " + channel.size();
            assertThat(outcome(after, ours)).as(what).isEqualTo(outcome(after, real));
        }

        private Call call() {
            long place = place();
            byte[] bytes = some();
            ByteBuffer one = ByteBuffer.wrap(bytes);
            ByteBuffer two = ByteBuffer.wrap(some());
            int length = random.nextInt(3);
            boolean isAppending = way.contains(StandardOpenOption.APPEND);
            Call whereItGoesIsNotSaid = FileChannel::size;
            int which = random.nextInt(14);
            what = what + ", call " + which + " at " + place;
            return switch (which) {
                case 0 -> channel -> channel.write(one.duplicate());
                case 1 -> isAppending ? whereItGoesIsNotSaid : channel -> channel.write(one.duplicate(), place);
                case 2 -> channel -> channel.write(new ByteBuffer[] {one.duplicate(), two.duplicate()});
                case 3 -> channel -> channel.write(new ByteBuffer[] {one.duplicate(), two.duplicate()}, 1, length);
                case 4 -> channel -> read(channel, one, two, -1);
                case 5 -> channel -> read(channel, one, two, place);
                case 6 -> channel -> scattered(channel, one, two);
                case 7 -> channel -> channel.position(place);
                case 8 -> channel -> channel.truncate(place);
                case 9 -> channel -> transferred(channel, place, random(place));
                case 10 ->
                    isAppending
                            ? whereItGoesIsNotSaid
                            : channel -> channel.transferFrom(
                                    Channels.newChannel(new ByteArrayInputStream(bytes)), place, bytes.length + length);
                case 11 ->
                    channel -> {
                        channel.force(true);
                        return "";
                    };
                case 12 -> channel -> channel.read(one.asReadOnlyBuffer());
                default -> channel -> locked(channel, place, length);
            };
        }

        /** The same for both. */
        private static long random(long place) {
            return new Random(place).nextInt(-1, 20_000);
        }

        private static String read(FileChannel channel, ByteBuffer one, ByteBuffer two, long place) throws IOException {
            byte[] bytes = new byte[one.capacity() + two.capacity()];
            ByteBuffer into = ByteBuffer.wrap(bytes);
            int count = place < 0 && two.capacity() % 3 > 0 ? channel.read(into) : channel.read(into, place);
            return count + " " + into.position() + Arrays.hashCode(bytes);
        }

        private static String scattered(FileChannel channel, ByteBuffer one, ByteBuffer two) throws IOException {
            ByteBuffer[] into = {ByteBuffer.allocate(one.capacity()), ByteBuffer.allocateDirect(two.capacity())};
            long count = channel.read(into);
            return count + " " + into[0].position() + " " + into[1].position()
                    + into[0].flip().hashCode() + into[1].flip().hashCode();
        }

        private static String transferred(FileChannel channel, long place, long count) throws IOException {
            ByteArrayOutputStream taken = new ByteArrayOutputStream();
            long done = channel.transferTo(place, count, Channels.newChannel(taken));
            return done + " " + Arrays.hashCode(taken.toByteArray());
        }

        private static String locked(FileChannel channel, long place, int length) throws IOException {
            FileLock lock = channel.tryLock(place, length, length == 1);
            String told = lock.position() + " " + lock.size() + lock.isShared() + lock.isValid();
            lock.release();
            return told + lock.isValid();
        }
    }

    @Test
    void shouldRefuseWhatAVolumeCannotDo() throws IOException {
        Volume volume = volume();
        VolumeFile file = VolumeFile.on(volume);
        try (FileChannel channel = opened(file)) {
            assertThatThrownBy(() -> channel.map(FileChannel.MapMode.READ_ONLY, 0, 1))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("cannot be mapped");
            assertThat(channel.write(ByteBuffer.allocate(1), file.capacity() - 1))
                    .isOne();
            assertThatThrownBy(() -> channel.write(ByteBuffer.allocate(1), file.capacity()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("No space left");
            assertThatThrownBy(() -> channel.write(ByteBuffer.allocate(1), Long.MAX_VALUE))
                    .isInstanceOf(IOException.class);
        }
        assertThatThrownBy(() -> file.open(StandardOpenOption.CREATE_NEW))
                .isInstanceOf(UnsupportedOperationException.class);
        volume.zero(0, 4096);
        assertThatThrownBy(() -> VolumeFile.on(volume)).hasMessageContaining("something else than a file");
        volume.zero(0, BYTES);
        assertThat(VolumeFile.on(volume).size()).isZero();
    }

    /** Two channels of one process, as two of one file. */
    @Test
    void shouldKeepLocksApart_untilTheyAreReleasedOrTheirChannelIsClosed() throws IOException {
        VolumeFile file = VolumeFile.on(volume());
        try (FileChannel one = opened(file);
                FileChannel two = opened(file)) {
            FileLock lock = one.lock(0, 10, false);
            assertThatThrownBy(() -> two.tryLock(9, 1, true)).isInstanceOf(OverlappingFileLockException.class);
            assertThat(two.tryLock(10, 1, false).isValid()).isTrue();
            lock.release();
            assertThat(two.tryLock(0, 10, false)).isNotNull();
        }
        try (FileChannel one = opened(file)) {
            assertThat(one.tryLock()).isNotNull();
        }
    }

    /** What was beyond the end comes back as zeros, also over a crash between the mark and the bytes. */
    @Test
    void shouldShowZeros_whereTheFileWasShorterMeanwhile() throws IOException {
        Volume volume = volume();
        VolumeFile file = VolumeFile.on(volume);
        try (FileChannel channel = opened(file)) {
            channel.write(ByteBuffer.wrap(new byte[] {1, 2, 3, 4, 5, 6, 7, 8}));
            EndMark.write(volume, 3, false);
        }
        VolumeFile after = VolumeFile.on(volume);
        assertThat(after.size()).isEqualTo(3);
        try (FileChannel channel = opened(after)) {
            channel.write(ByteBuffer.wrap(new byte[] {9}), 6);
            ByteBuffer found = ByteBuffer.allocate(7);
            channel.read(found, 0);
            assertThat(found.array()).containsExactly(1, 2, 3, 0, 0, 0, 9);
        }
    }

    /** As of a file: what was forced is there, the rest of it is old or new, and nothing else is ever seen. */
    @Test
    void shouldHaveALengthAfterAPowerCut_thatItHad() throws IOException {
        VolumeFile file = VolumeFile.on(volume());
        try (FileChannel channel = opened(file)) {
            channel.write(ByteBuffer.wrap(new byte[] {1, 1, 1}));
            channel.force(false);
            byte[] more = new byte[5000];
            Arrays.fill(more, (byte) 1);
            channel.write(ByteBuffer.wrap(more));
            for (long seed = 1; seed <= 30; seed++) {
                Pool pool = Pool.open(disk.afterPowerCut(new SplittableRandom(seed)), LIMITS, Runnable::run);
                VolumeFile found = VolumeFile.on(pool.volume(1, 1));
                assertThat(found.size()).as("seed %d", seed).isIn(3L, 5003L);
                ByteBuffer all = ByteBuffer.allocate((int) found.size());
                found.open().read(all);
                assertThat(all.array()).as("seed %d", seed).containsOnly(1);
            }
            Pool killed = Pool.open(disk.afterKill(), LIMITS, Runnable::run);
            assertThat(VolumeFile.on(killed.volume(1, 1)).size()).isEqualTo(5003);
        }
        try (FileChannel forced = file.open(StandardOpenOption.APPEND, StandardOpenOption.DSYNC)) {
            forced.write(ByteBuffer.wrap(new byte[] {1}));
            Pool pool = Pool.open(disk.afterPowerCut(new SplittableRandom(1)), LIMITS, Runnable::run);
            assertThat(VolumeFile.on(pool.volume(1, 1)).size()).isEqualTo(5004);
        }
    }

    /** A volume whose server is away until it fails. */
    private static final class Away implements Volume {
        final CountDownLatch asked = new CountDownLatch(1);
        final CountDownLatch fails = new CountDownLatch(1);

        @Override
        public long bytes() {
            return BYTES;
        }

        @Override
        public void read(long offset, ByteBuffer into) {
            into.position(into.limit());
        }

        @Override
        public void write(long offset, ByteBuffer from, Set<Option> options) throws IOException {
            asked.countDown();
            boolean isInterrupted = false;
            while (fails.getCount() > 0) {
                try {
                    fails.await();
                } catch (InterruptedException e) {
                    isInterrupted = true;
                }
            }
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
            throw new IOException("lost");
        }

        @Override
        public void zero(long offset, long length, Set<Option> options) {}

        @Override
        public void flush() {}

        @Override
        public List<Extent> extents(long offset, long length) {
            return List.of(new Extent(length, true));
        }
    }

    @Test
    void shouldSayThatItWasClosed_whenThatWasMeanwhile() throws Exception {
        Away away = new Away();
        FileChannel channel = opened(VolumeFile.on(away));
        CompletableFuture<Throwable> failure = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                channel.write(ByteBuffer.allocate(1));
            } catch (IOException e) {
                failure.complete(e);
            }
        });
        away.asked.await();
        channel.close();
        away.fails.countDown();
        assertThat(failure.get()).isInstanceOf(AsynchronousCloseException.class);
        assertThatThrownBy(channel::size).isInstanceOf(ClosedChannelException.class);
    }

    @Test
    void shouldBeClosedByAnInterrupt_asAFileIs() throws IOException {
        FileChannel channel = opened(VolumeFile.on(volume()));
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> channel.write(ByteBuffer.allocate(1))).isInstanceOf(ClosedByInterruptException.class);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(channel.isOpen()).isFalse();
    }
}
