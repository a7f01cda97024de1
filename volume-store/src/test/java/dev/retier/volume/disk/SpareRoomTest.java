package dev.retier.volume.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.retier.volume.NoSpaceException;
import dev.retier.volume.VolumeName;
import dev.retier.volume.pool.Geometry;
import dev.retier.volume.pool.JournalRecord.Stamp;
import dev.retier.volume.pool.Places;
import dev.retier.volume.worlds.MemoryDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What nobody has any more takes no room. */
class SpareRoomTest {
    private static final Pool.Limits LIMITS = new Pool.Limits(1 << 20, 4 << 20);
    private static final int CLUSTER = Geometry.DEFAULT.clusterBytes();
    private static final int CLUSTERS = 8;

    private final MemoryDisk disk = new MemoryDisk();

    private Pool written() throws IOException {
        Pool.make(disk, new UUID(1, 2), Geometry.DEFAULT);
        Pool pool = Pool.open(disk, LIMITS, Runnable::run);
        int volume = pool.create(new VolumeName("accounts"), CLUSTERS * (long) CLUSTER);
        pool.volume(volume, 1).write(0, ByteBuffer.wrap(bytes(CLUSTERS * CLUSTER)));
        pool.checkpoint();
        return pool;
    }

    private static byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++) {
            bytes[i] = (byte) (i / 4096 + 1);
        }
        return bytes;
    }

    private static void discard(Pool pool, long first, long count) throws IOException {
        pool.zero(1, new Stamp(1, 9), first * 16, count * 16);
    }

    @Test
    void shouldTakeLess_whenClustersAreNotNeededAnyMore() throws IOException {
        Pool pool = written();
        long before = disk.usedBytes();
        discard(pool, 2, 3);
        discard(pool, 7, 1);
        pool.checkpoint();

        assertThat(before - disk.usedBytes()).as("but for the journal").isGreaterThan(3L * CLUSTER);
        ByteBuffer rest = ByteBuffer.allocate(2 * CLUSTER);
        pool.volume(1, 1).read(5L * CLUSTER, rest);
        assertThat(rest.get(0)).isEqualTo((byte) (5 * 16 + 1));
    }

    @Test
    void shouldTakeWhatSnapshotsNeed_untilTheyAreGone() throws IOException {
        Pool pool = written();
        int snapshot = pool.snapshot(1, new VolumeName("before"));
        pool.checkpoint();
        long before = disk.usedBytes();
        discard(pool, 0, CLUSTERS);
        pool.checkpoint();
        assertThat(before - disk.usedBytes()).isLessThan(CLUSTER);

        pool.delete(snapshot);
        pool.checkpoint();
        assertThat(before - disk.usedBytes()).isGreaterThanOrEqualTo(CLUSTERS * (long) CLUSTER);
    }

    @Test
    void shouldGiveBackWhatAProcessBeforeHasLeft() throws IOException {
        Pool pool = written();
        pool.close();
        try (Disk.DiskFile clusters = disk.open("clusters")) {
            clusters.write(ByteBuffer.allocate(5 * CLUSTER), CLUSTERS * (long) CLUSTER);
        }
        long before = disk.usedBytes();
        try (Pool again = Pool.open(disk, LIMITS, Runnable::run)) {
            again.checkpoint();
            assertThat(before - disk.usedBytes()).isEqualTo(5L * CLUSTER);
        }
    }

    /** Clusters that a checkpoint took, and found that there are too few of, are room for the next one. */
    @Test
    void shouldTakeNoMore_whenACheckpointFindsNoRoom() throws IOException {
        Pool pool = written();
        pool.create(new VolumeName("more"), CLUSTERS * (long) CLUSTER);
        pool.volume(2, 1).write(0, ByteBuffer.wrap(bytes(CLUSTERS * CLUSTER)));
        long before = disk.usedBytes();
        disk.leave(3L * CLUSTER);
        assertThatThrownBy(pool::checkpoint).isInstanceOf(NoSpaceException.class);
        assertThat(disk.usedBytes() - before).isLessThan(CLUSTER);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldGiveBackToTheFileSystem(@TempDir Path folder) throws IOException, InterruptedException {
        FolderDisk files = FolderDisk.open(folder);
        try (Disk.DiskFile file = files.open("file")) {
            file.write(ByteBuffer.wrap(bytes(16 * CLUSTER)), 0);
            file.force();
            long before = blocks(folder.resolve("file"));
            file.punch(4L * CLUSTER, 8L * CLUSTER);
            assertThat(before - blocks(folder.resolve("file"))).isEqualTo(8L * CLUSTER / 512);
            assertThat(file.size()).isEqualTo(16L * CLUSTER);
            ByteBuffer into = ByteBuffer.allocate(CLUSTER);
            file.read(into, 3L * CLUSTER);
            assertThat(into.get(0)).isEqualTo((byte) (3 * 16 + 1));
            file.read(into.clear(), 4L * CLUSTER);
            assertThat(into.clear()).isEqualTo(ByteBuffer.allocate(CLUSTER));
        }
        files.close();
        assertThatThrownBy(() -> Holes.punch(folder.resolve("none"), 0, CLUSTER))
                .hasMessageContaining("none cannot be opened: error 2");
    }

    /** A file whose holes fail, each in its way, and then do not. */
    private static final class Failing extends ForwardingDisk.ForwardingFile {
        private final Queue<Exception> failures;
        private final List<Long> punched;

        Failing(Disk.DiskFile file, Queue<Exception> failures, List<Long> punched) {
            super(file);
            this.failures = failures;
            this.punched = punched;
        }

        @Override
        public void punch(long offset, long length) throws IOException {
            switch (failures.poll()) {
                case IOException failed -> throw failed;
                case RuntimeException never -> throw never;
                case null, default -> punched.add(offset / CLUSTER);
            }
        }
    }

    /** Of a pool of which clusters 1, 3 and 5 of 8 are in use, and 4 is so no more. */
    private List<Long> punched(Exception first) throws IOException {
        Queue<Exception> failures = new ArrayDeque<>(List.of(first));
        List<Long> punched = new ArrayList<>();
        try (Disk.DiskFile file = disk.open("clusters")) {
            file.write(ByteBuffer.wrap(bytes(CLUSTERS * CLUSTER)), 0);
            SpareRoom spare = new SpareRoom(new Failing(file, failures, punched), Geometry.DEFAULT, true);
            Places places = new Places();
            List.of(1L, 3L, 5L).forEach(places::take);
            spare.giveBack(one(4), places);
            assertThat(punched).isEmpty();
            places.free(3);
            spare.giveBack(one(3), places);
        }
        return punched;
    }

    private static BitSet one(int place) {
        BitSet one = new BitSet();
        one.set(place);
        return one;
    }

    @Test
    void shouldGiveBackWithTheNextCheckpoint_whatFailedOnce() throws IOException {
        assertThat(punched(new IOException("error 4"))).containsExactly(0L, 2L, 6L);
        assertThat(punched(new UnsupportedOperationException("no holes"))).isEmpty();
    }

    /** What is scrubbed is what the disk has. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldHaveNothingInMemory_whenItIsToBeReadFromTheDisk(@TempDir Path folder)
            throws IOException, InterruptedException {
        assumeThat(Files.getFileStore(folder).type()).isNotEqualTo("tmpfs");
        FolderDisk files = FolderDisk.open(folder);
        try (Disk.DiskFile file = files.open("file")) {
            file.write(ByteBuffer.wrap(bytes(16 * CLUSTER)), 0);
            file.force();
            String path = folder.resolve("file").toString();
            assertThat(number("fincore", "-b", "-n", "-o", "RES", path)).isEqualTo(16L * CLUSTER);
            file.forget();
            assertThat(number("fincore", "-b", "-n", "-o", "RES", path)).isZero();
        }
        files.close();
    }

    private static long blocks(Path file) throws IOException, InterruptedException {
        return number("stat", "-c", "%b", file.toString());
    }

    private static long number(String... command) throws IOException, InterruptedException {
        Process stat = new ProcessBuilder(command).start();
        String said = new String(stat.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.US_ASCII);
        assertThat(stat.waitFor()).isZero();
        return Long.parseLong(said.strip());
    }
}
