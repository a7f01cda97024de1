package dev.retier.volume.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.testsupport.Repeats;
import dev.retier.volume.VolumeName;
import dev.retier.volume.cache.CachePolicy;
import dev.retier.volume.pool.Geometry;
import dev.retier.volume.pool.JournalRecord;
import dev.retier.volume.pool.JournalRecord.Stamp;
import dev.retier.volume.worlds.MemoryDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BlockCacheTest {
    private static final int BLOCK = Geometry.BLOCK_BYTES;
    private static final int VOLUME = 1;
    private static final int SEGMENT = 1 << 20;

    private final BlockCache cache = BlockCache.of(64 * BLOCK, CachePolicy.MQ);

    private static ByteBuffer blocks(int count, int value) {
        ByteBuffer data = ByteBuffer.allocate(count * BLOCK);
        while (data.hasRemaining()) {
            data.putInt(value);
        }
        return data.flip();
    }

    private int read(long block, BlockCache.Source source) throws IOException {
        ByteBuffer into = ByteBuffer.allocate(BLOCK);
        var _ = cache.read(VOLUME, block, into, source);
        assertThat(into.hasRemaining()).isFalse();
        return into.getInt(0);
    }

    private static BlockCache.Source of(int value) {
        return (_, into) -> {
            into.put(blocks(into.remaining() / BLOCK, value));
            return true;
        };
    }

    private static boolean notAsked(long first, ByteBuffer into) {
        throw new AssertionError("block " + first + " is not here");
    }

    private void change(JournalRecord record, boolean isMade) {
        try (var change = cache.changing(record)) {
            if (isMade) {
                change.made();
            }
        }
    }

    private static JournalRecord written(long first, int count, int value) {
        return new JournalRecord.Written(VOLUME, new Stamp(1, 1), first, blocks(count, value));
    }

    @Test
    void shouldReadWhatIsNotHere_andNothingElse() throws IOException {
        assertThat(read(3, of(7))).isEqualTo(7);
        assertThat(read(3, BlockCacheTest::notAsked)).isEqualTo(7);
        List<String> asked = new ArrayList<>();
        ByteBuffer into = ByteBuffer.allocate(40 * BLOCK);
        boolean isNew = cache.read(VOLUME, 0, into, (first, run) -> {
            asked.add(first + " " + run.remaining() / BLOCK);
            return of(8).read(first, run);
        });

        assertThat(isNew).isTrue();
        assertThat(asked).containsExactly("0 3", "4 36");
        assertThat(into.getInt(2 * BLOCK)).isEqualTo(8);
        assertThat(into.getInt(3 * BLOCK)).isEqualTo(7);
        assertThat(cache.read(VOLUME, 0, into.clear(), BlockCacheTest::notAsked))
                .isFalse();
        assertThat(cache.figures().hits()).isEqualTo(42);
        assertThat(cache.figures().misses()).isEqualTo(40);
    }

    @Test
    void shouldHaveWhatIsWritten_andNotWhatCouldNotBe() throws IOException {
        change(written(10, 30, 5), true);
        assertThat(read(10, BlockCacheTest::notAsked)).isEqualTo(5);
        assertThat(read(39, BlockCacheTest::notAsked)).isEqualTo(5);

        change(written(10, 1, 6), false);
        assertThat(read(10, of(9))).as("nobody knows what it has").isEqualTo(9);
        assertThat(read(11, BlockCacheTest::notAsked)).isEqualTo(5);
    }

    @Test
    void shouldReadAtOnce_whenAllIsHereAlone() throws IOException {
        change(written(10, 30, 5), true);
        ByteBuffer into = ByteBuffer.allocate(30 * BLOCK);

        assertThat(cache.readIfHere(VOLUME, 10, into)).isEqualTo(BlockCache.Hit.ALL);
        assertThat(into.hasRemaining()).isFalse();
        assertThat(into.getInt(29 * BLOCK)).isEqualTo(5);
        assertThat(cache.readIfHere(VOLUME, 9, into.clear())).isEqualTo(BlockCache.Hit.NONE);
        assertThat(cache.readIfHere(VOLUME, 11, into.clear())).isEqualTo(BlockCache.Hit.NONE);
        assertThat(cache.figures().hits())
                .as("what is not read at once does not count")
                .isEqualTo(30);
        assertThat(cache.figures().misses()).isZero();
        try (var _ = cache.changing(written(20, 1, 6))) {
            assertThat(cache.readIfHere(VOLUME, 20, into.clear().limit(BLOCK))).isEqualTo(BlockCache.Hit.NONE);
        }
    }

    @Test
    void shouldForgetWhatIsNotTrueAnyMore() throws IOException {
        change(written(0, 20, 5), true);
        change(new JournalRecord.Zeroed(VOLUME, new Stamp(1, 2), 2, 3), true);
        assertThat(read(1, BlockCacheTest::notAsked)).isEqualTo(5);
        assertThat(read(2, of(0))).isZero();
        assertThat(read(5, BlockCacheTest::notAsked)).isEqualTo(5);

        change(new JournalRecord.Resized(VOLUME, 18 * BLOCK), true);
        assertThat(read(17, BlockCacheTest::notAsked)).isEqualTo(5);
        assertThat(read(18, of(0))).isZero();

        change(new JournalRecord.Deleted(VOLUME), true);
        assertThat(read(1, of(4))).isEqualTo(4);
    }

    @Test
    void shouldForgetWhatNobodyNeeds_andNothingElse() throws IOException {
        change(written(0, 40, 5), true);
        change(new JournalRecord.Written(VOLUME + 1, new Stamp(1, 1), 10, blocks(1, 8)), true);
        cache.forget(VOLUME, 10, 35);

        assertThat(read(9, BlockCacheTest::notAsked)).isEqualTo(5);
        assertThat(read(10, of(6))).isEqualTo(6);
        assertThat(read(34, of(6))).isEqualTo(6);
        assertThat(read(35, BlockCacheTest::notAsked)).isEqualTo(5);
        assertThat(cache.figures().used()).isEqualTo(18);

        cache.forget(VOLUME, 0, 1L << 40);
        assertThat(cache.figures().used()).as("another volume's").isEqualTo(1);
        try (var change = cache.changing(written(10, 1, 7))) {
            cache.forget(VOLUME, 0, 100);
            change.made();
        }
        assertThat(read(10, BlockCacheTest::notAsked)).isEqualTo(7);
    }

    /** What was read before a change is old after it: it is told to who asked before, and to nobody else. */
    @Test
    void shouldNotKeepWhatWasRead_whenItWasChangedMeanwhile() throws IOException {
        for (JournalRecord change : List.of(
                written(3, 1, 6),
                new JournalRecord.Zeroed(VOLUME, new Stamp(1, 2), 0, 100),
                new JournalRecord.Resized(VOLUME, 0),
                new JournalRecord.Deleted(VOLUME))) {
            change(new JournalRecord.Deleted(VOLUME), true);
            int before = read(3, (first, into) -> {
                change(change, true);
                return of(5).read(first, into);
            });
            assertThat(before).isEqualTo(5);
            assertThat(read(3, of(6))).as(change.toString()).isEqualTo(6);
        }
    }

    /** Until a change has ended what was here may be old, and what is read meanwhile too. */
    @Test
    void shouldAskWhoKnows_whileItIsChanged() throws IOException {
        change(written(3, 1, 5), true);
        try (var change = cache.changing(written(3, 1, 6))) {
            assertThat(read(3, of(5))).isEqualTo(5);
            assertThat(read(3, of(6))).isEqualTo(6);
            change.made();
        }
        assertThat(read(3, BlockCacheTest::notAsked)).isEqualTo(6);
    }

    @Test
    void shouldKeepNothing_whenItIsNotWorthItOrCouldNotBeRead() throws IOException {
        assertThat(read(3, (first, into) -> !of(0).read(first, into))).isZero();
        assertThat(read(3, of(1))).isEqualTo(1);
        assertThatThrownBy(() -> read(4, (_, _) -> {
                    throw new IOException("as planned");
                }))
                .hasMessage("as planned");
        assertThat(read(4, of(2))).isEqualTo(2);
    }

    @Test
    void shouldBringAheadWhatIsNotHere() throws IOException {
        change(written(3, 1, 5), true);
        cache.readAhead(VOLUME, 0, ByteBuffer.allocate(8 * BLOCK), of(7));

        assertThat(read(3, BlockCacheTest::notAsked)).isEqualTo(5);
        ByteBuffer into = ByteBuffer.allocate(BLOCK);
        assertThat(cache.read(VOLUME, 4, into, BlockCacheTest::notAsked))
                .as("for the first time")
                .isTrue();
        assertThat(cache.read(VOLUME, 4, into.clear(), BlockCacheTest::notAsked))
                .isFalse();
        assertThat(into.getInt(0)).isEqualTo(7);
        assertThat(cache.figures().aheadUsed()).isEqualTo(1);
    }

    /** What blocks were given, one after the other, and how far that has come. Written by one thread. */
    private static final class History {
        private static final int BLOCKS = 48;
        private static final int STEPS = 1000;

        private final int[][] given = new int[BLOCKS][STEPS + 1];
        private final AtomicIntegerArray begun = new AtomicIntegerArray(BLOCKS);
        private final AtomicIntegerArray ended = new AtomicIntegerArray(BLOCKS);

        void begin(int first, int count, int value) {
            for (int block = first; block < first + count; block++) {
                given[block][begun.get(block) + 1] = value;
                begun.incrementAndGet(block);
            }
        }

        void end(int first, int count) {
            for (int block = first; block < first + count; block++) {
                ended.incrementAndGet(block);
            }
        }

        boolean hasGiven(int block, int value, int least) {
            return IntStream.rangeClosed(least, begun.get(block)).anyMatch(each -> given[block][each] == value);
        }
    }

    /** One who uses blocks of a volume, at random. */
    private record User(Pool pool, BlockCache cache, int volume, History history, SplittableRandom random) {
        private int first() {
            return random.nextInt(History.BLOCKS);
        }

        private int count(int first) {
            return 1 + random.nextInt(Math.min(20, History.BLOCKS - first));
        }

        /** Now and then it makes a checkpoint. */
        void change() throws IOException {
            for (int step = 1; step <= History.STEPS; step++) {
                int first = first();
                boolean isCut = random.nextInt(20) == 0;
                int count = isCut ? History.BLOCKS - first : count(first);
                boolean isZero = isCut || random.nextInt(4) == 0;
                history.begin(first, count, isZero ? 0 : step);
                if (isCut) {
                    pool.resize(volume, (long) first * BLOCK);
                    pool.resize(volume, (long) History.BLOCKS * BLOCK);
                } else if (isZero) {
                    pool.zero(volume, new Stamp(1, step), first, count);
                } else {
                    pool.write(volume, new Stamp(1, step), first, blocks(count, step));
                }
                history.end(first, count);
                if (random.nextInt(100) == 0) {
                    pool.checkpoint();
                }
            }
        }

        /** Each block is of one piece, and has what it was given last before, or what it was given meanwhile. */
        void look() throws IOException {
            int first = first();
            int count = count(first);
            int[] least = IntStream.range(first, first + count)
                    .map(history.ended::get)
                    .toArray();
            ByteBuffer into = ByteBuffer.allocate(count * BLOCK);
            if (random.nextInt(8) == 0) {
                cache.forget(volume, first, first + count);
            }
            try {
                var _ = pool.read(volume, first, into);
            } catch (IllegalArgumentException cut) {
                return; // it has another size just now
            }
            for (int i = 0; i < count; i++) {
                int value = into.getInt(i * BLOCK);
                assertThat(into.slice(i * BLOCK, BLOCK)).isEqualTo(blocks(1, value));
                assertThat(history.hasGiven(first + i, value, least[i]))
                        .as("block %d has %d", first + i, value)
                        .isTrue();
            }
        }
    }

    @Test
    void shouldGiveNothingOldAndNoMix_whileOthersChangeIt() throws Exception {
        for (long seed = 1; seed <= Repeats.of(6); seed++) {
            MemoryDisk disk = new MemoryDisk();
            Pool.make(disk, new UUID(1, seed), Geometry.DEFAULT);
            BlockCache small = BlockCache.of((8 + 8 * seed) * BLOCK, seed % 2 == 0 ? CachePolicy.MQ : CachePolicy.LRU);
            Pool pool = Pool.open(disk, new Pool.Limits(SEGMENT, 4L * SEGMENT), small, Runnable::run);
            int volume = pool.create(new VolumeName("accounts"), (long) History.BLOCKS * BLOCK);
            History history = new History();
            SplittableRandom random = new SplittableRandom(seed);
            AtomicBoolean isOver = new AtomicBoolean();
            try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
                List<Future<?>> readers = new ArrayList<>();
                for (User reader : List.of(
                        new User(pool, small, volume, history, random.split()),
                        new User(pool, small, volume, history, random.split()))) {
                    Callable<Void> work = () -> {
                        while (!isOver.get()) {
                            reader.look();
                        }
                        return null;
                    };
                    readers.add(threads.submit(work));
                }
                try {
                    new User(pool, small, volume, history, random).change();
                } finally {
                    isOver.set(true);
                }
                for (Future<?> reader : readers) {
                    reader.get();
                }
            }
            assertThat(small.figures().hits()).as("seed %d", seed).isPositive();
        }
    }

    /** A change begins and ends anywhere in rows, each of which is in a part of its own. */
    @Test
    void shouldForgetWhatIsNotTrueAnyMore_inAllPartsOfALargeOne() {
        BlockCache large = BlockCache.of(4096L * BLOCK, CachePolicy.MQ);
        ByteBuffer into = ByteBuffer.allocate(BLOCK);
        for (int first = 0; first < 48; first += 5) {
            for (int count : new int[] {1, 7, 16, 20, 33, 100}) {
                try (var change = large.changing(written(0, 200, 5))) {
                    change.made();
                }
                try (var change = large.changing(new JournalRecord.Zeroed(VOLUME, new Stamp(1, 2), first, count))) {
                    change.made();
                }
                for (int block = 0; block < 200; block++) {
                    boolean isGone = block >= first && block < first + count;
                    assertThat(large.readIfHere(VOLUME, block, into.clear()))
                            .as("block %d after zeros from %d on, %d", block, first, count)
                            .isEqualTo(isGone ? BlockCache.Hit.NONE : BlockCache.Hit.ALL);
                }
            }
        }
    }
}
