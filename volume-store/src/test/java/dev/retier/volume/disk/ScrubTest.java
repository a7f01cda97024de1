package dev.retier.volume.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.retier.volume.Volume;
import dev.retier.volume.VolumeName;
import dev.retier.volume.pool.Geometry;
import dev.retier.volume.worlds.MemoryDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What volumes keep is looked at while they are used: proven, and what is all zeros not kept any more. */
class ScrubTest {
    private static final Pool.Limits LIMITS = new Pool.Limits(4 << 20, 16 << 20);
    private static final int BLOCK = Geometry.BLOCK_BYTES;
    private static final int CLUSTER = Geometry.DEFAULT.clusterBytes();
    private static final long BYTES = 1L << 30;

    private final MemoryDisk disk = new MemoryDisk();
    private Pool pool;
    private Volume volume;

    ScrubTest() throws IOException {
        Pool.make(disk, new UUID(1, 2), Geometry.DEFAULT);
        pool = Pool.open(disk, LIMITS, Runnable::run);
        volume = pool.volume(pool.create(new VolumeName("accounts"), BYTES), 1);
    }

    @BeforeEach
    void write() throws IOException {
        volume.write(0, bytes(40 * CLUSTER, 1));
        volume.write(BYTES - CLUSTER, bytes(CLUSTER, 1));
        pool.checkpoint();
        volume.write(3L * CLUSTER + 5, bytes(BLOCK, 2)); // in the journal
    }

    private static ByteBuffer bytes(int count, int value) {
        byte[] bytes = new byte[count];
        Arrays.fill(bytes, (byte) value);
        return ByteBuffer.wrap(bytes);
    }

    private record All(long bytes, List<Long> broken, int parts) {}

    private All all(int number, boolean isOnce) {
        Scrub scrub = pool.scrub();
        List<Long> broken = new ArrayList<>();
        long bytes = 0;
        int parts = 0;
        for (long next = 0; next < BYTES / BLOCK; parts++) {
            Scrub.Part part = scrub.part(number, next, isOnce);
            assertThat(part.next()).isGreaterThan(next);
            assertThat(part.bytes()).isLessThanOrEqualTo(1 << 20);
            broken.addAll(part.broken());
            bytes += part.bytes();
            next = part.next();
        }
        return new All(bytes, broken, parts);
    }

    @Test
    void shouldReadAllThatIsKept_inPartsOfAMiB() {
        All found = all(1, false);
        assertThat(found.bytes()).isEqualTo(41L * CLUSTER);
        assertThat(found.broken()).isEmpty();
        assertThat(found.parts()).as("holes of GiBs are none").isLessThan(16);
    }

    @Test
    void shouldFindEachBlockThatIsNotWhatWasWritten_andNoOther() throws IOException {
        disk.rot("clusters", 7 * BLOCK + 100);
        disk.rot("clusters", 15 * BLOCK);
        disk.rot("sums", 16 * 20 * Integer.BYTES);
        assertThat(all(1, false).broken()).containsExactly(7L, 15L, 16L * 20);

        assertThatThrownBy(() -> volume.read(7 * BLOCK, ByteBuffer.allocate(1)))
                .hasMessage("block 7 of volume 1 is not what was written");
        ByteBuffer beside = ByteBuffer.allocate(BLOCK);
        volume.read(8 * BLOCK, beside);
        assertThat(beside.flip()).isEqualTo(bytes(BLOCK, 1));
        volume.write(7 * BLOCK, bytes(BLOCK, 3));
        assertThat(all(1, false).broken()).as("what is written anew is good").containsExactly(15L, 16L * 20);
    }

    /** What the system has in its memory may be better than what the disk has. */
    @Test
    void shouldReadClustersAndTheirChecksumsFromTheDisk() throws IOException {
        List<String> fromTheDisk = new ArrayList<>();
        Disk watched = new ForwardingDisk(new MemoryDisk()) {
            @Override
            public DiskFile open(String file) throws IOException {
                return new ForwardingFile(super.open(file)) {
                    @Override
                    public void forget() {
                        fromTheDisk.add(file);
                    }
                };
            }
        };
        Pool.make(watched, new UUID(1, 2), Geometry.DEFAULT);
        try (Pool other = Pool.open(watched, LIMITS, Runnable::run)) {
            Scrub scrub = other.scrub();
            scrub.begin();
            int one = other.create(new VolumeName("accounts"), BLOCK);
            scrub.part(one, 0, false);
            scrub.part(other.create(new VolumeName("others"), BLOCK), 0, false);
        }
        assertThat(fromTheDisk).as("once for all volumes").containsExactly("clusters", "sums");
    }

    /** Each is named with the volume that had it first, and with any other if that is asked for. */
    @Test
    void shouldReadWhatSeveralHaveOnce_ifThatIsWanted() throws IOException {
        pool.checkpoint(); // else volume and snapshot each get what the journal has
        int snapshot = pool.snapshot(1, new VolumeName("before"));
        int copy = pool.copy(snapshot, new VolumeName("copy"));
        pool.checkpoint();
        pool.volume(copy, 1).write(0, bytes(CLUSTER, 4));
        pool.checkpoint();
        disk.rot("clusters", 17 * BLOCK);
        assertThat(all(1, true)).isEqualTo(all(1, false));
        assertThat(all(1, true).broken()).containsExactly(17L);
        assertThat(all(snapshot, true).bytes()).isZero();
        assertThat(all(snapshot, false)).isEqualTo(all(1, false));
        assertThat(all(copy, true).bytes()).isEqualTo(CLUSTER);
    }

    @Test
    void shouldKeepZerosNoMore_whereWholeClustersAreZero() throws IOException {
        volume.write(4L * CLUSTER, bytes(3 * CLUSTER, 0));
        volume.write(10L * CLUSTER, bytes(CLUSTER - 1, 0)); // and a byte that is none
        volume.write(BYTES - CLUSTER, bytes(CLUSTER, 0));
        pool.checkpoint();
        long before = disk.usedBytes();

        long freed = 0;
        for (long next = 0; next < BYTES / BLOCK; ) {
            Scrub.Part part = pool.trim(1, next);
            freed += part.bytes();
            next = part.next();
        }
        pool.checkpoint();

        assertThat(freed).isEqualTo(4L * CLUSTER);
        assertThat(before - disk.usedBytes()).isGreaterThan(3L * CLUSTER);
        ByteBuffer into = ByteBuffer.allocate(CLUSTER);
        volume.read(10L * CLUSTER, into);
        assertThat(into.get(CLUSTER - 1)).isEqualTo((byte) 1);
        volume.read(5L * CLUSTER, into.clear());
        assertThat(into.flip()).isEqualTo(bytes(CLUSTER, 0));
        assertThat(volume.extents(4L * CLUSTER, CLUSTER)).containsExactly(new Volume.Extent(CLUSTER, true));
    }

    /** A rollback gives a cluster that was seen to be zeros something again: before that, or after it is given up. */
    @Test
    void shouldKeepWhatARollbackBrought_whileItIsLookedAt() throws Exception {
        int snapshot = pool.snapshot(1, new VolumeName("before"));
        volume.write(0, bytes(CLUSTER, 0));
        pool.checkpoint();
        pool.close();
        Queue<Appender.Begin<?>> next = new ConcurrentLinkedQueue<>();
        pool = Pool.open(new Overtaking(disk, "clusters", next), LIMITS, Runnable::run);
        volume = pool.volume(1, 1);
        Thread rollback = new Thread(() -> {
            try {
                pool.rollBack(1, snapshot);
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        });
        next.add(() -> pool);
        next.add(() -> pool);
        next.add(() -> {
            rollback.start();
            await().until(() -> !rollback.isAlive() || rollback.getState() == Thread.State.WAITING);
            return pool;
        });

        Scrub.Part _ = pool.trim(1, 0);
        rollback.join();

        ByteBuffer into = ByteBuffer.allocate(CLUSTER);
        volume.read(0, into);
        assertThat(next).as("it came in between").isEmpty();
        assertThat(into.flip()).isEqualTo(bytes(CLUSTER, 1));
    }

    /** Nobody's attachment has it trimmed. */
    @Test
    void shouldKeepZerosNoMore_whoeverAttachesTheVolumeMeanwhile() throws IOException {
        volume.write(0, bytes(2 * CLUSTER, 0));
        pool.attach(1, 7, 70);
        pool.checkpoint();
        pool.close();
        Queue<Appender.Begin<?>> next = new ConcurrentLinkedQueue<>();
        pool = Pool.open(new Overtaking(disk, "clusters", next), LIMITS, Runnable::run);
        next.add(() -> {
            pool.attach(1, 8, 80);
            return pool;
        });

        assertThat(pool.trim(1, 0).bytes()).isEqualTo(2L * CLUSTER);
        assertThat(next).as("it came in between").isEmpty();
    }

    /** What is written to a cluster after it was seen to be zeros, and before it is given up, is kept. */
    @Test
    void shouldKeepWhatIsWritten_whileItIsLookedAt() throws IOException {
        volume.write(0, bytes(CLUSTER, 0));
        pool.checkpoint();
        pool.close();
        Queue<Appender.Begin<?>> next = new ConcurrentLinkedQueue<>();
        pool = Pool.open(new Overtaking(disk, "clusters", next), LIMITS, Runnable::run);
        volume = pool.volume(1, 1);
        next.add(() -> pool); // its checksums are looked at
        next.add(() -> {
            volume.write(5, bytes(3, 9));
            return pool;
        });

        assertThat(pool.trim(1, 0).bytes()).isZero();

        ByteBuffer into = ByteBuffer.allocate(3);
        volume.read(5, into);
        assertThat(into.flip()).isEqualTo(bytes(3, 9));
    }

    @Test
    void shouldFindNothing_inAVolumeThatIsDeletedMeanwhile() throws IOException {
        pool.close();
        Queue<Appender.Begin<?>> next = new ConcurrentLinkedQueue<>();
        pool = Pool.open(new Overtaking(disk, "clusters", next), LIMITS, Runnable::run);
        next.add(() -> {
            pool.delete(1);
            pool.checkpoint();
            return pool;
        });

        Scrub.Part gone = new Scrub.Part(1, 0, List.of(), true);
        assertThat(pool.scrub().part(1, 0, false)).isEqualTo(gone);
        assertThat(next).as("it came in between").isEmpty();
        assertThat(pool.scrub().part(1, 0, false)).isEqualTo(gone);
    }

    /** What the journal has of a cluster leaves a row of it that has no middle. */
    @Test
    void shouldFindABrokenBlock_atTheEndOfARowOfAnyLength() throws IOException {
        for (int length = 15; length > 0; length--) {
            volume.write(0, bytes((16 - length) * BLOCK, 2));
            disk.rot("clusters", 15 * BLOCK);
            assertThat(all(1, false).broken()).as("of %d blocks", length).containsExactly(15L);
            disk.rot("clusters", 15 * BLOCK); // as it was
        }
    }
}
