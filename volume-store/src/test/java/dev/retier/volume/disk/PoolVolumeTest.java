package dev.retier.volume.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.testsupport.Repeats;
import dev.retier.volume.Volume;
import dev.retier.volume.Volume.Extent;
import dev.retier.volume.Volume.Hint;
import dev.retier.volume.Volume.Option;
import dev.retier.volume.VolumeName;
import dev.retier.volume.cache.CacheFigures;
import dev.retier.volume.cache.CachePolicy;
import dev.retier.volume.pool.Geometry;
import dev.retier.volume.worlds.MemoryDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class PoolVolumeTest {
    private static final int BYTES = 301 * Geometry.BLOCK_BYTES;
    private static final int SEGMENT = 4 << 20;
    private static final int STEPS = 400;
    /** Of few bytes to copy and read. */
    private static final Pool.Limits SMALL = new Pool.Limits(128 << 10, 1 << 20);

    private static Pool pool(Geometry geometry) throws IOException {
        MemoryDisk disk = new MemoryDisk();
        Pool.make(disk, new UUID(1, 2), geometry);
        BlockCache cache = BlockCache.of(50 * Geometry.BLOCK_BYTES, CachePolicy.MQ);
        return Pool.open(disk, new Pool.Limits(SEGMENT, 4L * SEGMENT), cache, Runnable::run);
    }

    private static Volume volume(Pool pool, long bytes) throws IOException {
        return pool.volume(pool.create(new VolumeName("accounts"), bytes), 1);
    }

    /** Nothing is waited for. */
    @Test
    void shouldReadNow_whatIsInMemory() throws IOException {
        Pool pool = pool(new Geometry(16));
        PoolVolume volume = pool.volume(pool.create(new VolumeName("accounts"), BYTES), 1);
        ByteBuffer block = ByteBuffer.allocate(Geometry.BLOCK_BYTES);
        assertThat(volume.readNow(0, block.clear())).as("not in the cache").isFalse();
        volume.write(0, block.clear().putInt(0, 7).rewind());
        assertThat(volume.readNow(0, block.clear().putInt(0, 0).rewind())).isTrue();
        assertThat(block.getInt(0)).isEqualTo(7);
        assertThat(volume.readNow(1, block.clear().limit(9)))
                .as("a part of a block")
                .isFalse();
    }

    /** Fifty blocks of cache; what waits to be read ahead is done by hand. */
    private static final class Hinted {
        final BlockCache cache = BlockCache.of(50 * Geometry.BLOCK_BYTES, CachePolicy.MQ);
        final Queue<Consumer<ByteBuffer>> waiting = new ArrayDeque<>();
        final Pool pool;
        final AheadReader ahead;
        final PoolVolume volume;

        Hinted() throws IOException {
            MemoryDisk disk = new MemoryDisk();
            Pool.make(disk, new UUID(1, 2), Geometry.DEFAULT);
            pool = Pool.open(disk, new Pool.Limits(SEGMENT, 4L * SEGMENT), cache, Runnable::run);
            int number = pool.create(new VolumeName("accounts"), BYTES);
            ahead = pool.ahead(number, waiting::add);
            volume = pool.volume(number, 1, ahead);
            volume.write(0, ByteBuffer.allocate(BYTES));
            volume.hint(0, BYTES, Hint.WILL_NOT_NEED);
            assertThat(cache.figures().used()).isZero();
        }

        /** Four blocks at a time; how many pieces there were. */
        int bring() {
            int pieces = 0;
            for (var next = waiting.poll(); next != null; next = waiting.poll()) {
                next.accept(ByteBuffer.allocate(4 * Geometry.BLOCK_BYTES));
                pieces++;
            }
            return pieces;
        }
    }

    @Test
    void shouldHaveInMemory_whatWillBeNeeded() throws IOException {
        Hinted hinted = new Hinted();
        hinted.volume.hint(4095, 2, Hint.WILL_NEED);
        hinted.volume.hint(8192, 0, Hint.WILL_NEED);
        assertThat(hinted.waiting).hasSize(1);
        assertThat(hinted.bring()).isEqualTo(1);
        ByteBuffer both = ByteBuffer.allocate(2 * Geometry.BLOCK_BYTES);
        assertThat(hinted.volume.readNow(0, both)).isTrue();
        assertThat(hinted.cache.figures().hits()).isEqualTo(2);

        hinted.pool.volume(1, 0).hint(0, BYTES, Hint.WILL_NOT_NEED);
        assertThat(hinted.cache.figures().used())
                .as("who reads alone takes nothing from others")
                .isEqualTo(2);
        hinted.volume.hint(1, 8191, Hint.WILL_NOT_NEED);
        assertThat(hinted.volume.readNow(0, both.clear().limit(Geometry.BLOCK_BYTES)))
                .as("a part of a block is needed")
                .isTrue();
        assertThat(hinted.volume.readNow(Geometry.BLOCK_BYTES, both.clear().limit(Geometry.BLOCK_BYTES)))
                .isFalse();
        for (long[] odd : new long[][] {{BYTES, 1}, {-1, 1}, {0, BYTES + 1L}, {1, Long.MAX_VALUE}, {0, -1}}) {
            for (Hint hint : Hint.values()) {
                assertThatThrownBy(() -> hinted.volume.hint(odd[0], odd[1], hint))
                        .isInstanceOf(IllegalArgumentException.class);
            }
        }
    }

    @Test
    void shouldLetNoMoreWait_thanHalfOfTheCacheHasRoomFor() throws IOException {
        Hinted hinted = new Hinted();
        for (int round = 0; round < 2; round++) {
            hinted.volume.hint(0, 20 * Geometry.BLOCK_BYTES, Hint.WILL_NEED);
            hinted.volume.hint(100 * Geometry.BLOCK_BYTES, 200 * Geometry.BLOCK_BYTES, Hint.WILL_NEED);
            hinted.volume.hint(90 * Geometry.BLOCK_BYTES, Geometry.BLOCK_BYTES, Hint.WILL_NEED);

            assertThat(hinted.bring()).as("of 4 blocks: 20 and 5 of them").isEqualTo(7);
            assertThat(hinted.cache.figures().used()).isEqualTo(25);
        }
    }

    @Test
    void shouldBringNothing_ofAVolumeThatIsDeletedMeanwhile() throws IOException {
        Hinted hinted = new Hinted();
        hinted.volume.hint(0, 20 * Geometry.BLOCK_BYTES, Hint.WILL_NEED);
        hinted.pool.delete(1);
        assertThat(hinted.bring()).isEqualTo(5);
        assertThat(hinted.cache.figures().used()).isZero();
    }

    @Test
    void shouldBringNothingMore_whenItsUserHasLeftOrAnotherHasCome() throws IOException {
        Hinted hinted = new Hinted();
        for (int round = 0; round < 100; round++) {
            hinted.volume.hint(0, 20 * Geometry.BLOCK_BYTES, Hint.WILL_NEED);
            hinted.volume.leave();
            hinted.volume.hint(0, 20 * Geometry.BLOCK_BYTES, Hint.WILL_NEED);
            PoolVolume other = hinted.pool.volume(1, 0, hinted.ahead);
            other.hint(0, 20 * Geometry.BLOCK_BYTES, Hint.WILL_NEED);
            hinted.volume.leave();
            PoolVolume last = hinted.pool.volume(1, 0, hinted.ahead);
            other.hint(0, 20 * Geometry.BLOCK_BYTES, Hint.WILL_NEED);
            last.hint(100 * Geometry.BLOCK_BYTES, 8 * Geometry.BLOCK_BYTES, Hint.WILL_NEED);
            other.leave();
        }
        assertThat(hinted.waiting).as("turns, however often it is asked for").hasSize(1);
        assertThat(hinted.bring()).isEqualTo(2);
        assertThat(hinted.cache.figures().used()).isEqualTo(8);
        assertThat(hinted.volume.readNow(100 * Geometry.BLOCK_BYTES, ByteBuffer.allocate(8 * Geometry.BLOCK_BYTES)))
                .isTrue();
    }

    @Test
    void shouldChangeNothingInTheCache_whenItIsReadOnce() throws IOException {
        Hinted hinted = new Hinted();
        hinted.volume.write(0, ByteBuffer.allocate(Geometry.BLOCK_BYTES).putInt(0, 7));
        CacheFigures before = hinted.cache.figures();
        ByteBuffer into = ByteBuffer.allocate(BYTES - 2);

        hinted.volume.read(1, into, true);

        assertThat(into.getInt(0)).isEqualTo(7 << 8);
        assertThat(hinted.cache.figures()).isEqualTo(before);
        assertThat(hinted.waiting).as("nor is anything read ahead").isEmpty();
    }

    private static byte[] all(Volume volume) throws IOException {
        byte[] bytes = new byte[(int) volume.bytes()];
        volume.read(0, ByteBuffer.wrap(bytes));
        return bytes;
    }

    /** Sizes of clusters and blocks divide none of the requests. */
    @Test
    void shouldBeOneRowOfBytes_whateverIsWrittenAndZeroed() throws IOException {
        for (long seed = 1; seed <= Repeats.of(5); seed++) {
            Random random = new Random(seed);
            Pool pool = pool(new Geometry(1 + random.nextInt(20)));
            Volume volume = volume(pool, BYTES);
            byte[] model = new byte[BYTES];
            for (int step = 0; step < STEPS; step++) {
                int offset = random.nextInt(BYTES);
                int length = random.nextInt(Math.min(BYTES - offset, 1 << random.nextInt(1, 21)) + 1);
                switch (random.nextInt(4)) {
                    case 0 -> {
                        volume.zero(offset, length);
                        Arrays.fill(model, offset, offset + length, (byte) 0);
                    }
                    case 1 -> {
                        byte[] read = new byte[length];
                        volume.read(offset, ByteBuffer.wrap(read));
                        assertThat(read)
                                .as("seed %d, step %d", seed, step)
                                .isEqualTo(Arrays.copyOfRange(model, offset, offset + length));
                    }
                    case 2 -> {
                        byte[] data = new byte[length];
                        random.nextBytes(data);
                        volume.write(offset, ByteBuffer.wrap(data));
                        System.arraycopy(data, 0, model, offset, length);
                    }
                    default -> {
                        if (step % 10 == 0) {
                            pool.checkpoint();
                        }
                    }
                }
            }
            assertThat(all(volume)).as("seed %d", seed).isEqualTo(model);
        }
    }

    @Test
    void shouldTellHolesAndNothingElse() throws IOException {
        Volume volume = volume(pool(Geometry.DEFAULT), 1 << 20);
        volume.write(100_000, ByteBuffer.allocate(5_000).put(0, (byte) 1));
        volume.zero(200_000, 50_000);

        assertThat(volume.extents(0, 1 << 20))
                .containsExactly(
                        new Extent(98_304, true), new Extent(8_192, false), new Extent((1 << 20) - 106_496, true));
        assertThat(volume.extents(98_305, 1_000)).containsExactly(new Extent(1_000, false));
        assertThat(volume.extents(5, 0)).isEmpty();
    }

    /** The seventh promise; and a forced change is on the disk when it is answered. */
    @Test
    void shouldBeOldOrNewAsAWhole_afterAPowerCut() throws IOException {
        for (long seed = 1; seed <= 100; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            MemoryDisk disk = new MemoryDisk();
            Pool.make(disk, new UUID(1, 2), Geometry.DEFAULT);
            Pool pool = Pool.open(disk, SMALL, Runnable::run);
            Volume volume = volume(pool, 64 << 10);
            int length = 512 << random.nextInt(6);
            int offset = length * random.nextInt((64 << 10) / length);
            byte[] old = new byte[length];
            Arrays.fill(old, (byte) 1);
            volume.write(offset, ByteBuffer.wrap(old), Set.of(Option.FORCED));
            if (seed % 2 == 0) {
                pool.checkpoint();
            }
            byte[] fresh = new byte[length];
            Arrays.fill(fresh, (byte) 2);
            volume.write(offset, ByteBuffer.wrap(fresh), Set.of(Option.WHOLE));
            Pool after = Pool.open(disk.afterPowerCut(random), SMALL, Runnable::run);
            byte[] found = new byte[length];
            after.volume(1, 1).read(offset, ByteBuffer.wrap(found));
            assertThat(found).as("seed %d", seed).isIn(old, fresh);
        }
    }

    /** The same where the process ends between any two of the calls that a write makes. */
    @Test
    void shouldBeOldOrNewAsAWhole_whenTheProcessEndsInIt() throws IOException {
        byte[] old = new byte[16 << 10];
        byte[] fresh = new byte[16 << 10];
        Arrays.fill(fresh, (byte) 2);
        for (int calls = 1; calls <= 6; calls++) {
            MemoryDisk disk = new MemoryDisk();
            Pool.make(disk, new UUID(1, 2), Geometry.DEFAULT);
            Pool pool = Pool.open(disk, SMALL, Runnable::run);
            Volume volume = volume(pool, 64 << 10);
            disk.endAfter(calls);
            try {
                volume.write(16 << 10, ByteBuffer.wrap(fresh), Set.of(Option.WHOLE));
            } catch (IOException ended) {
                assertThat(ended).hasMessage("the process has ended");
            }
            byte[] found = new byte[16 << 10];
            Pool.open(disk.afterKill(), SMALL, Runnable::run).volume(1, 1).read(16 << 10, ByteBuffer.wrap(found));
            assertThat(found).as("after %d calls", calls).isIn(old, fresh);
        }
    }

    /** Each writes bytes of its own in blocks that all have in common. */
    @Test
    void shouldLoseNothing_whenManyChangePartsOfOneBlock() throws Exception {
        Pool pool = pool(Geometry.DEFAULT);
        Volume volume = volume(pool, 8 << 10);
        int writers = 8;
        try (ExecutorService threads = Executors.newFixedThreadPool(writers)) {
            List<Future<?>> ends = new ArrayList<>();
            for (int writer = 0; writer < writers; writer++) {
                byte mark = (byte) (writer + 1);
                int first = writer;
                Volume own = pool.volume(1, writer);
                Callable<Void> work = () -> {
                    for (int at = first; at < volume.bytes(); at += writers) {
                        own.write(at, ByteBuffer.wrap(new byte[] {mark}));
                    }
                    return null;
                };
                ends.add(threads.submit(work));
            }
            for (Future<?> end : ends) {
                end.get();
            }
        }

        byte[] all = all(volume);
        for (int at = 0; at < all.length; at++) {
            assertThat(all[at]).as("byte %d", at).isEqualTo((byte) (at % writers + 1));
        }
    }

    /** Else what lies behind its end within a block would be there again when it grows. */
    @Test
    void shouldBeOfWholeBlocks() throws IOException {
        Pool pool = pool(Geometry.DEFAULT);
        Volume volume = volume(pool, 8_192);

        assertThatThrownBy(() -> pool.resize(1, 5_000))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("5000 bytes; give it a multiple of 4096");
        assertThatThrownBy(() -> pool.create(new VolumeName("odd"), 1)).isInstanceOf(IllegalArgumentException.class);
        assertThat(volume.bytes()).isEqualTo(8_192);
    }

    @Test
    void shouldRefuseWhatIsNotInIt() throws IOException {
        Volume volume = volume(pool(Geometry.DEFAULT), 8_192);
        ByteBuffer two = ByteBuffer.allocate(2);

        assertThatThrownBy(() -> volume.write(8_191, two)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> volume.read(-1, two)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> volume.zero(1, Long.MAX_VALUE)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> volume.extents(8_193, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThat(two.remaining()).isEqualTo(2);
    }
}
