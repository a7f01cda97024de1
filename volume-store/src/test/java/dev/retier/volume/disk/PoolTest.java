package dev.retier.volume.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.retier.volume.NoSpaceException;
import dev.retier.volume.VolumeName;
import dev.retier.volume.pool.Geometry;
import dev.retier.volume.pool.JournalRecord.Stamp;
import dev.retier.volume.worlds.MemoryDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class PoolTest {
    private static final int SEGMENT = 64 * 1024;
    private static final Pool.Limits LIMITS = new Pool.Limits(SEGMENT, 64L * SEGMENT);
    private static final VolumeName NAME = new VolumeName("accounts");

    private final MemoryDisk disk = new MemoryDisk();

    private Pool made() throws IOException {
        Pool.make(disk, new UUID(1, 2), Geometry.DEFAULT);
        return Pool.open(disk, LIMITS, Runnable::run);
    }

    private static ByteBuffer block(int value) {
        return ByteBuffer.allocate(Geometry.BLOCK_BYTES).putInt(0, value);
    }

    private static int read(Pool pool, int volume, long block) throws IOException {
        ByteBuffer into = ByteBuffer.allocate(Geometry.BLOCK_BYTES);
        var _ = pool.read(volume, block, into);
        return into.getInt(0);
    }

    @Test
    void shouldSayWhichBlock_whenItIsNotWhatWasWritten() throws IOException {
        Pool pool = made();
        int volume = pool.create(NAME, 1 << 20);
        pool.write(volume, new Stamp(1, 1), 3, block(7));
        pool.checkpoint();
        disk.rot("clusters", 3L * Geometry.BLOCK_BYTES + 100);

        assertThat(read(pool, volume, 2)).isZero();
        assertThatThrownBy(() -> read(pool, volume, 3)).isInstanceOfSatisfying(CorruptBlockException.class, corrupt -> {
            assertThat(corrupt).hasMessage("block 3 of volume " + volume + " is not what was written");
            assertThat(corrupt.block()).isEqualTo(3);
        });
    }

    /** A record of a life before lies just where the newest one ends, and has the number that is due. */
    @Test
    void shouldForgetWhatLiesBehindTheLastGoodRecord() throws IOException {
        Pool pool = made();
        int volume = pool.create(NAME, 1 << 20);
        pool.write(volume, new Stamp(1, 1), 0, block(1));
        pool.write(volume, new Stamp(1, 2), 0, block(2));
        disk.rot("journal/000000000001", 64 + 64 + 100);
        Pool second = Pool.open(disk, LIMITS, Runnable::run);
        assertThat(read(second, volume, 0))
                .as("the broken one and all behind it")
                .isZero();
        second.write(volume, new Stamp(2, 1), 0, block(3));

        assertThat(read(Pool.open(disk, LIMITS, Runnable::run), volume, 0)).isEqualTo(3);
    }

    @Test
    void shouldUseClustersAgain_whenNothingNeedsThem() throws IOException {
        Pool pool = made();
        for (int round = 0; round < 5; round++) {
            int volume = pool.create(NAME, 1 << 20);
            for (int block = 0; block < 256; block += 16) {
                pool.write(volume, new Stamp(1, block), block, block(block));
            }
            pool.checkpoint();
            pool.zero(volume, new Stamp(1, 300), 0, 128);
            pool.checkpoint();
            assertThat(read(pool, volume, 0)).isZero();
            assertThat(read(pool, volume, 128)).isEqualTo(128);
            assertThat(pool.usedClusters()).isEqualTo(8);
            pool.delete(volume);
            pool.checkpoint();
            assertThat(pool.usedClusters()).isZero();
        }
        try (Disk.DiskFile clusters = disk.open("clusters")) {
            assertThat(clusters.size()).isEqualTo(1 << 20);
        }
    }

    /** Writers get room as it gets on: that costs the disk's time all along, and not at its end. */
    @Test
    void shouldForceWhatACheckpointCopies_asItGetsOn() throws IOException {
        AtomicLong unforced = new AtomicLong();
        AtomicLong most = new AtomicLong();
        Disk counting = new ForwardingDisk(disk) {
            @Override
            public DiskFile open(String file) throws IOException {
                return !file.equals("clusters")
                        ? super.open(file)
                        : new ForwardingFile(super.open(file)) {
                            @Override
                            public void write(ByteBuffer from, long offset) {
                                most.accumulateAndGet(unforced.addAndGet(from.remaining()), Math::max);
                                from.position(from.limit()); // nobody reads it here
                            }

                            @Override
                            public void force() {
                                unforced.set(0);
                            }
                        };
            }
        };
        int mebibyte = 1 << 20;
        Pool.make(counting, new UUID(1, 2), Geometry.DEFAULT);
        try (Pool pool = Pool.open(counting, new Pool.Limits(2 * mebibyte, 128L * mebibyte), Runnable::run)) {
            int volume = pool.create(NAME, 40L * mebibyte);
            for (int i = 0; i < 40; i++) {
                pool.write(volume, new Stamp(1, i + 1), i * 256L, ByteBuffer.allocate(mebibyte));
            }
            pool.checkpoint();
            assertThat(unforced).hasValue(0);
            assertThat(most.get()).isBetween(32L * mebibyte, 33L * mebibyte);
        }
    }

    /** What a checkpoint had not brought yet is in the journal alone, and a second one would let that go. */
    @Test
    void shouldTakeNoChanges_whenOneOfThemFailed() throws IOException {
        for (int failing = 0; failing < 3; failing++) {
            MemoryDisk world = new MemoryDisk();
            Pool.make(world, new UUID(1, 2), Geometry.DEFAULT);
            Pool pool = Pool.open(world, LIMITS, Runnable::run);
            int volume = pool.create(NAME, 1 << 20);
            pool.write(volume, new Stamp(1, 1), 0, block(7));
            world.failOnce();
            int which = failing;
            assertThatThrownBy(() -> change(pool, volume, which)).hasMessage("as planned");
            for (int next = 0; next < 3; next++) {
                int then = next;
                assertThatThrownBy(() -> change(pool, volume, then))
                        .hasMessageContaining("takes no changes since it failed (java.io.IOException: as planned)");
            }

            assertThat(read(pool, volume, 0)).as("reads go on").isEqualTo(7);
            assertThat(world.list("")).contains("suspect");
            Pool again = Pool.open(world, LIMITS, Runnable::run);
            assertThat(read(again, volume, 0)).isEqualTo(7);
            assertThat(again.figures().journalBytes())
                    .as("all is written anew, elsewhere")
                    .isZero();
            assertThat(world.list("")).doesNotContain("suspect");
        }
    }

    private static void change(Pool pool, int volume, int which) throws IOException {
        switch (which) {
            case 0 -> pool.write(volume, new Stamp(1, 2), 1, block(8));
            case 1 -> pool.flush();
            default -> pool.checkpoint();
        }
    }

    @Test
    void shouldRefuse_whatIsNotInTheVolume() throws IOException {
        Pool pool = made();
        int volume = pool.create(NAME, 2 * Geometry.BLOCK_BYTES);
        assertThatThrownBy(() -> pool.write(volume, new Stamp(1, 1), 2, block(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("1 blocks at 2 of accounts, which has 2");
        assertThatThrownBy(() -> pool.zero(volume, new Stamp(1, 1), 1, Long.MAX_VALUE))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> read(pool, volume, -1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> read(pool, volume + 1, 0)).hasMessage("there is no volume or snapshot 2 any more");
        pool.write(volume, new Stamp(1, 1), 1, block(1));
        assertThat(read(pool, volume, 1)).isEqualTo(1);
    }

    @Test
    void shouldRefuse_whenThereIsNoPoolOrOneAlreadyOrTheNameIsTaken() throws IOException {
        assertThatThrownBy(() -> Pool.open(disk, LIMITS, Runnable::run)).hasMessageContaining("this is no pool");
        MemoryDisk strange = new MemoryDisk();
        strange.open("letters").close();
        assertThatThrownBy(() -> Pool.make(strange, new UUID(1, 2), Geometry.DEFAULT))
                .hasMessage("there is something in the folder already, and it is no pool: [letters]");
        MemoryDisk other = new MemoryDisk();
        Pool.make(other, new UUID(1, 2), Geometry.DEFAULT);
        assertThatThrownBy(() -> Pool.make(other, new UUID(1, 3), Geometry.DEFAULT))
                .hasMessage("there is a pool in the folder already");
        Pool pool = Pool.open(other, LIMITS, Runnable::run);
        pool.create(NAME, 4096);
        assertThatThrownBy(() -> pool.create(NAME, 4096)).hasMessageContaining("a volume accounts already");
    }

    @Test
    void shouldKeepItInAFolder_whichOneProcessHas(@TempDir Path folder) throws IOException {
        int volume;
        try (FolderDisk files = FolderDisk.open(folder)) {
            Pool.make(files, new UUID(1, 2), Geometry.DEFAULT);
            Pool pool = Pool.open(files, LIMITS, Runnable::run);
            volume = pool.create(NAME, 1 << 20);
            pool.write(volume, new Stamp(1, 1), 5, block(9));
            pool.checkpoint();
            pool.write(volume, new Stamp(1, 2), 6, block(10));
            pool.flush();
            assertThatThrownBy(() -> FolderDisk.open(folder)).hasMessageContaining("in use by another volume server");
            pool.close();
        }
        try (Pool pool = Pool.open(FolderDisk.open(folder), LIMITS, Runnable::run)) {
            assertThat(read(pool, volume, 5)).isEqualTo(9);
            assertThat(read(pool, volume, 6)).isEqualTo(10);
        }
        assertThatThrownBy(() -> FolderDisk.open(folder.resolve("none"))).hasMessageContaining("is no folder");
        assertThat(Files.exists(folder.resolve("maps").resolve(Integer.toString(volume))))
                .isTrue();
    }

    @Test
    void shouldTellThatTheDiskIsFull(@TempDir Path folder) throws IOException {
        Path full = Path.of("/dev/full");
        assumeThat(full).exists();
        Files.createSymbolicLink(folder.resolve("file"), full);
        try (FolderDisk files = FolderDisk.open(folder);
                Disk.DiskFile file = files.open("file")) {
            assertThatThrownBy(() -> file.write(block(1), 0))
                    .isInstanceOf(NoSpaceException.class)
                    .hasMessageContaining("No space left");
        }
    }

    /** Neither journal nor clusters find room: what was answered stays, and all goes on once there is some. */
    @Test
    void shouldRefuseWritesAlone_whileTheDiskIsFull() throws IOException {
        Pool.make(disk, new UUID(1, 2), Geometry.DEFAULT);
        Pool pool = Pool.open(disk, new Pool.Limits(SEGMENT, 4L * SEGMENT), new AtOnce());
        int volume = pool.create(NAME, 1 << 24);
        disk.leave(5L * SEGMENT);
        int written = 0;
        boolean isFull = false;
        while (!isFull) {
            try {
                pool.write(volume, new Stamp(1, written), written * 16L, block(written + 1));
                written++;
            } catch (NoSpaceException full) {
                isFull = true;
            }
        }
        int all = written;
        assertThat(all).isBetween(10, 100);
        for (int again = 0; again < 3; again++) {
            assertThatThrownBy(() -> pool.write(volume, new Stamp(1, 1), all * 16L, block(1)))
                    .isInstanceOf(NoSpaceException.class);
        }
        pool.flush();
        for (int i = 0; i < all; i++) {
            assertThat(read(pool, volume, i * 16L)).isEqualTo(i + 1);
        }
        Pool recovered = Pool.open(disk.afterKill(), new Pool.Limits(SEGMENT, 4L * SEGMENT), Runnable::run);
        assertThat(read(recovered, volume, (all - 1) * 16L)).isEqualTo(all);

        disk.leave(Long.MAX_VALUE);
        for (int i = all; i < 2 * all; i++) {
            pool.write(volume, new Stamp(1, i), i * 16L, block(i + 1));
        }
        pool.checkpoint();
        for (int i = 0; i < 2 * all; i++) {
            assertThat(read(pool, volume, i * 16L)).isEqualTo(i + 1);
        }
        assertThat(pool.usedClusters()).isEqualTo(2L * all);
    }

    /** Many write what overtakes checkpoints; the journal stays small, and nothing is lost. */
    @Test
    @Timeout(60)
    void shouldSlowWriters_whenTheJournalIsSmall() throws Exception {
        Pool.make(disk, new UUID(1, 2), Geometry.DEFAULT);
        long most = 4L * SEGMENT;
        AtomicLong largest = new AtomicLong();
        int writers = 4;
        int blocks = 64;
        int rounds = 20;
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
                Pool pool = Pool.open(disk, new Pool.Limits(SEGMENT, most), threads::execute)) {
            int volume = pool.create(NAME, (long) writers * blocks * Geometry.BLOCK_BYTES);
            List<Future<?>> ends = new ArrayList<>();
            for (int writer = 0; writer < writers; writer++) {
                int first = writer * blocks;
                Callable<Void> work = () -> {
                    for (int i = 0; i < rounds * blocks; i++) {
                        pool.write(volume, new Stamp(1, i), first + i % blocks, block(first + i));
                        largest.accumulateAndGet(pool.figures().journalBytes(), Math::max);
                    }
                    return null;
                };
                ends.add(threads.submit(work));
            }
            for (Future<?> end : ends) {
                end.get();
            }
            for (int writer = 0; writer < writers; writer++) {
                for (int i = 0; i < blocks; i++) {
                    assertThat(read(pool, volume, writer * blocks + i))
                            .isEqualTo(writer * blocks + (rounds - 1) * blocks + i);
                }
            }
        }
        assertThat(largest.get()).isBetween(most / 4, most + SEGMENT);
    }

    /** What was looked up is somebody else's by the time it is read, and its checksums are right. */
    @Test
    void shouldNotReadAnothersBlocks_whenACheckpointOvertakesARead() throws IOException {
        Queue<Appender.Begin<?>> next = new ConcurrentLinkedQueue<>();
        Pool.make(disk, new UUID(1, 2), Geometry.DEFAULT);
        Pool pool = Pool.open(new Overtaking(disk, "clusters", next), LIMITS, Runnable::run);
        int mine = pool.create(NAME, Geometry.DEFAULT.clusterBytes());
        int anothers = pool.create(new VolumeName("orders"), Geometry.DEFAULT.clusterBytes());
        pool.write(mine, new Stamp(1, 1), 0, block(7));
        pool.checkpoint();
        next.add(() -> {
            pool.zero(mine, new Stamp(1, 2), 0, Geometry.DEFAULT.clusterBlocks());
            pool.checkpoint();
            pool.write(anothers, new Stamp(1, 3), 0, block(8));
            pool.checkpoint();
            return pool;
        });

        assertThat(read(pool, mine, 0)).isZero();
        assertThat(read(pool, anothers, 0)).isEqualTo(8);
    }

    /** What it was about to bring is in the journal alone, which the next one would free. */
    @Test
    void shouldTakeNoChanges_whenACheckpointEndsByAFault() throws IOException {
        Queue<Appender.Begin<?>> next = new ConcurrentLinkedQueue<>();
        Pool.make(disk, new UUID(1, 2), Geometry.DEFAULT);
        Pool pool = Pool.open(new Overtaking(disk, "clusters", next), LIMITS, Runnable::run);
        int volume = pool.create(NAME, Geometry.DEFAULT.clusterBytes());
        pool.write(volume, new Stamp(1, 1), 0, block(7));
        next.add(() -> {
            throw new IllegalStateException("a fault of ours");
        });

        assertThatThrownBy(pool::checkpoint).hasMessage("a fault of ours");

        assertThatThrownBy(pool::checkpoint).hasMessageContaining("takes no changes since it failed");
        assertThat(read(pool, volume, 0)).isEqualTo(7);
        pool.close();
        try (Pool again = Pool.open(disk, LIMITS, Runnable::run)) {
            again.checkpoint();
            assertThat(read(again, volume, 0)).isEqualTo(7);
        }
    }
}
