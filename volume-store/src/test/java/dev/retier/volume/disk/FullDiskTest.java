package dev.retier.volume.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.testsupport.Logged;
import dev.retier.volume.NoSpaceException;
import dev.retier.volume.VolumeName;
import dev.retier.volume.pool.Geometry;
import dev.retier.volume.pool.JournalRecord.Stamp;
import dev.retier.volume.worlds.MemoryDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A disk that is full, and what its users delete and trim then: nobody starts the server anew or adds room. */
class FullDiskTest {
    private static final int SEGMENT = 64 * 1024;
    private static final Pool.Limits LIMITS = new Pool.Limits(SEGMENT, 4L * SEGMENT);
    private static final int CLUSTERS = 128;
    private static final int BLOCKS = CLUSTERS * 16;
    private static final long BYTES = (long) BLOCKS * Geometry.BLOCK_BYTES;

    private final MemoryDisk disk = new MemoryDisk();
    private Pool pool;
    private int old;
    private int grows;
    private int written;

    /** One volume has clusters; another one grows, until neither journal nor clusters take more of it. */
    @BeforeEach
    void fill() throws IOException {
        Pool.make(disk, new UUID(1, 2), Geometry.DEFAULT);
        pool = Pool.open(disk, LIMITS, Runnable::run);
        old = pool.create(new VolumeName("old"), BYTES);
        grows = pool.create(new VolumeName("grows"), 4 * BYTES);
        for (int cluster = 0; cluster < CLUSTERS; cluster++) {
            pool.write(old, new Stamp(1, cluster), cluster * 16L, block(cluster + 1));
        }
        pool.checkpoint();
        disk.leave(8L * SEGMENT);
        boolean isFull = false;
        while (!isFull) {
            try {
                write();
            } catch (NoSpaceException full) {
                isFull = true;
            }
        }
        assertThatThrownBy(this::write).isInstanceOf(NoSpaceException.class);
        assertThat(written).isBetween(16, CLUSTERS);
    }

    private void write() throws IOException {
        pool.write(grows, new Stamp(2, written), written * 16L, block(1000 + written));
        written++;
    }

    private static ByteBuffer block(int value) {
        return ByteBuffer.allocate(Geometry.BLOCK_BYTES).putInt(0, value);
    }

    private static int read(Pool of, int volume, long block) throws IOException {
        ByteBuffer into = ByteBuffer.allocate(Geometry.BLOCK_BYTES);
        var _ = of.read(volume, block, into);
        return into.getInt(0);
    }

    /** What it has is as before, in this process and in the next one; and it takes more. */
    private void requireGoesOn() throws IOException {
        int before = written;
        for (int more = 0; more < 8; more++) {
            write();
        }
        pool.checkpoint();
        assertThat(pool.figures().journalBytes()).isZero();
        requireWritten(pool);
        requireWritten(Pool.open(disk.afterKill(), LIMITS, Runnable::run));
        assertThat(written).isEqualTo(before + 8);
    }

    private void requireWritten(Pool of) throws IOException {
        for (int cluster = 0; cluster < written; cluster++) {
            assertThat(read(of, grows, cluster * 16L)).isEqualTo(1000 + cluster);
        }
    }

    @Test
    void shouldGoOn_whenAnotherVolumeIsDeleted() throws IOException {
        assertThatThrownBy(
                        () -> { // to the last byte of the journal
                            for (int more = 0; more < 1000; more++) {
                                pool.create(new VolumeName("more-" + more), 0);
                            }
                        })
                .isInstanceOf(NoSpaceException.class);
        pool.delete(old);
        requireGoesOn();
    }

    @Test
    void shouldGoOn_whenAnotherVolumeIsTrimmed() throws IOException {
        pool.zero(old, new Stamp(1, 100), 0, BLOCKS);
        requireGoesOn();
        for (int cluster = 0; cluster < CLUSTERS; cluster++) {
            assertThat(read(pool, old, cluster * 16L)).isZero();
        }
    }

    @Test
    void shouldGoOn_whenWhatFoundNoRoomIsDeleted() throws IOException {
        pool.delete(grows);
        pool.checkpoint();
        for (int cluster = 0; cluster < CLUSTERS; cluster++) {
            assertThat(read(pool, old, cluster * 16L)).isEqualTo(cluster + 1);
        }
        assertThat(pool.usedClusters()).isEqualTo(CLUSTERS);
    }

    /** What a copy has of a deleted volume is not given to others. */
    @Test
    void shouldKeepWhatACopyHas_whenItsVolumeIsDeletedForRoom() throws IOException {
        pool.zero(old, new Stamp(1, 100), 0, BLOCKS / 2);
        pool.checkpoint();
        int copy = pool.copy(old, new VolumeName("copy"));
        disk.leave(SEGMENT);
        while (pool.failure().isEmpty()) {
            try {
                write();
            } catch (NoSpaceException full) {
                break;
            }
        }
        pool.delete(old);
        assertThatThrownBy(() -> {
                    while (written < 4 * CLUSTERS) {
                        write();
                    }
                })
                .isInstanceOf(NoSpaceException.class);
        for (int cluster = CLUSTERS / 2; cluster < CLUSTERS; cluster++) {
            assertThat(read(pool, copy, cluster * 16L)).isEqualTo(cluster + 1);
        }
        requireWritten(pool);
    }

    @Test
    void shouldSayOnce_whileThereIsNoRoom() {
        try (Logged logged = new Logged()) {
            for (int again = 0; again < 20; again++) {
                assertThatThrownBy(this::write).isInstanceOf(NoSpaceException.class);
            }
            assertThat(logged.warnings("stays there")).isEmpty(); // it was said when it began
        }
    }

    /** The journal is far from full; all clusters have their places, so that a checkpoint needs no room. */
    @Test
    void shouldGoOnByItself_whenTheDiskIsFullBeforeTheJournalIs() throws IOException {
        MemoryDisk other = new MemoryDisk();
        Pool.make(other, new UUID(3, 4), Geometry.DEFAULT);
        try (Pool large = Pool.open(other, new Pool.Limits(SEGMENT, 64L * SEGMENT), Runnable::run)) {
            int volume = large.create(new VolumeName("volume"), BYTES);
            for (int cluster = 0; cluster < CLUSTERS; cluster++) {
                large.write(volume, new Stamp(1, cluster), cluster * 16L, block(cluster + 1));
            }
            large.checkpoint();
            other.leave(8L * SEGMENT);
            for (int again = 0; again < 1000; again++) {
                large.write(volume, new Stamp(2, again), again % CLUSTERS * 16L, block(again));
            }
            assertThat(read(large, volume, 0)).isEqualTo(1000 / CLUSTERS * CLUSTERS);
        }
    }

    @Test
    void shouldGiveSmallOnesNoSegmentEach_whileThereIsNoRoom() throws IOException {
        int before = disk.list("journal").size();
        for (int small = 0; small < 50; small++) {
            pool.zero(grows, new Stamp(3, small), 0, 1);
        }
        assertThat(disk.list("journal").size() - before).isLessThan(10);
        pool.delete(old);
        requireChangesAgain();
    }

    private void requireChangesAgain() throws IOException {
        pool.checkpoint();
        pool.write(grows, new Stamp(4, 1), 0, block(7));
        assertThat(read(pool, grows, 0)).isEqualTo(7);
    }

    /** What is deleted makes room at once, also for what an earlier process has left. */
    @Test
    void shouldTakeChanges_whenAnEarlierProcessFailedAndItsJournalDeletesAVolume() throws IOException {
        pool.delete(old);
        disk.open("suspect").close();
        MemoryDisk next = disk.afterKill();
        next.leave(4L * Geometry.BLOCK_BYTES);
        assertThat(Pool.open(next, LIMITS, Runnable::run).failure()).isEmpty();
    }

    /** Each try copies what the journal has: who writes again and again has one made in a second at most. */
    @Test
    void shouldTryOnceInASecond_whenNothingHasChangedSince() throws IOException {
        AtomicLong nowNanos = new AtomicLong();
        AtomicInteger tries = new AtomicInteger();
        Keeper counting = new Keeper() {
            @Override
            public void execute(Runnable checkpoint) {
                tries.incrementAndGet();
                checkpoint.run();
            }

            @Override
            public long nanos() {
                return nowNanos.get();
            }
        };
        MemoryDisk next = disk.afterKill();
        next.leave(0);
        pool = Pool.open(next, LIMITS, counting);
        for (int second = 1; second <= 3; second++) {
            for (int write = 0; write < 10; write++) {
                assertThatThrownBy(this::write).isInstanceOf(NoSpaceException.class);
            }
            assertThat(tries).as("tries in so many seconds").hasValue(second);
            nowNanos.addAndGet(1_000_000_000);
        }
        next.leave(Long.MAX_VALUE);
        write();
    }

    /** In a server that has a thread of its own, and takes long: who writes waits for it. */
    @Test
    @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void shouldRefuseAWrite_whenTheCheckpointThatItWaitsForFindsNoRoom() throws IOException {
        MemoryDisk next = disk.afterKill();
        next.leave(0);
        Thread writer = Thread.currentThread();
        pool = Pool.open(
                next,
                LIMITS,
                checkpoint -> Thread.startVirtualThread(() -> {
                    while (writer.getState() != Thread.State.WAITING) {
                        Thread.onSpinWait();
                    }
                    checkpoint.run();
                }));
        for (int write = 0; write < 3; write++) {
            assertThatThrownBy(this::write).isInstanceOf(NoSpaceException.class);
        }
    }

    /** What was looked up is freed before the checkpoint writes, given to another volume, and it finds no room then. */
    @Test
    void shouldNotReadAnothersBlocks_whenACheckpointWithoutRoomOvertakesARead() throws IOException {
        pool.close();
        Queue<Appender.Begin<?>> next = new ConcurrentLinkedQueue<>();
        pool = Pool.open(new Overtaking(disk, "clusters", next), LIMITS, Runnable::run);
        next.add(() -> {
            try {
                pool.zero(old, new Stamp(1, 100), 0, 16);
                pool.checkpoint();
                throw new AssertionError("there was room");
            } catch (NoSpaceException full) {
                return pool;
            }
        });

        assertThat(read(pool, old, 0)).isZero();
        requireWritten(pool);
    }

    /** What room was kept for it is kept anew once there is some. */
    @Test
    void shouldDelete_howeverOftenTheDiskHasNoRoomAtAll() throws IOException {
        pool.delete(old); // some room
        pool.checkpoint();
        for (int round = 0; round < 3; round++) {
            disk.leave(32L * SEGMENT);
            int other = pool.create(new VolumeName("other-" + round), BYTES);
            for (int cluster = 0; cluster < 8; cluster++) {
                pool.write(other, new Stamp(5, cluster), cluster * 16L, block(1));
            }
            pool.checkpoint();
            disk.leave(0);
            assertThatThrownBy(() -> {
                        while (true) {
                            write();
                        }
                    })
                    .isInstanceOf(NoSpaceException.class);
            pool.delete(other);
            requireChangesAgain();
        }
    }
}
