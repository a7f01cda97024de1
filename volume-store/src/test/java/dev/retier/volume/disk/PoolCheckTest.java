package dev.retier.volume.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.volume.VolumeName;
import dev.retier.volume.disk.Disk.DiskFile;
import dev.retier.volume.disk.PoolCheck.Finding;
import dev.retier.volume.disk.PoolCheck.Kind;
import dev.retier.volume.pool.Catalogue;
import dev.retier.volume.pool.Checksums;
import dev.retier.volume.pool.Geometry;
import dev.retier.volume.pool.JournalRecord;
import dev.retier.volume.pool.JournalRecord.Stamp;
import dev.retier.volume.pool.MapPage;
import dev.retier.volume.pool.Superblock;
import dev.retier.volume.worlds.MemoryDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PoolCheckTest {
    private static final Pool.Limits LIMITS = new Pool.Limits(256 << 10, 1 << 20);
    private static final int BLOCK = Geometry.BLOCK_BYTES;

    private final MemoryDisk disk = new MemoryDisk();

    /** A volume of two clusters and a snapshot of it, one more block and its journal. */
    @BeforeEach
    void make() throws IOException {
        Pool.make(disk, new UUID(1, 2), Geometry.DEFAULT);
        try (Pool pool = Pool.open(disk, LIMITS, Runnable::run)) {
            fill(pool);
        }
    }

    private static void fill(Pool pool) throws IOException {
        int volume = pool.create(new VolumeName("accounts"), 1 << 20);
        pool.write(volume, new Stamp(1, 1), 0, ByteBuffer.allocate(32 * BLOCK).putInt(0, 7));
        pool.checkpoint();
        pool.snapshot(volume, new VolumeName("before"));
        pool.checkpoint();
        pool.write(volume, new Stamp(1, 2), 3, ByteBuffer.allocate(BLOCK).putInt(0, 8));
        pool.flush();
    }

    private static List<Finding> checked(Disk pool) throws IOException {
        return PoolCheck.of(pool, (done, all) -> assertThat(done).isLessThanOrEqualTo(all));
    }

    private List<Finding> damage() throws IOException {
        return checked(disk).stream()
                .filter(finding -> finding.kind() == Kind.DAMAGE)
                .toList();
    }

    @Test
    void shouldSayWhatItIs_whenItIsGood() throws IOException {
        assertThat(checked(disk))
                .containsExactly(
                        new Finding(Kind.FACT, "pool", "format 3, checkpoint 2, clusters of 65536 bytes"),
                        new Finding(Kind.FACT, "journal", "recovery reads 1 records"),
                        new Finding(Kind.FACT, "clusters", "48 blocks of 2 volumes and snapshots were read"));
    }

    @Test
    void shouldSayWhichBlockOfWhichVolume_whenItIsNotWhatWasWritten() throws IOException {
        disk.rot("clusters", 20L * BLOCK + 5);
        disk.rot("sums", 4L * 31);
        disk.rot("clusters", 3L * BLOCK);
        assertThat(damage())
                .containsExactlyInAnyOrder(
                        new Finding(Kind.DAMAGE, "accounts", "block 20 is not what was written"),
                        new Finding(Kind.DAMAGE, "accounts", "block 31 is not what was written"),
                        new Finding(Kind.DAMAGE, "before", "block 3 is not what was written"));
    }

    @Test
    void shouldFindClustersThatAreUsedTwice() throws IOException {
        int[] places = MapPage.nowhere();
        places[0] = 0;
        places[1] = 0;
        try (DiskFile map = disk.open("maps/1")) {
            map.write(new MapPage(1, places).encode(), 0);
        }
        assertThat(damage())
                .contains(new Finding(Kind.DAMAGE, "accounts", "its cluster 1 lies where cluster 0 of accounts does"));
    }

    @Test
    void shouldSayWhatIsBroken() throws IOException {
        disk.rot("catalogue-0", 20);
        assertThat(damage())
                .containsExactly(new Finding(Kind.DAMAGE, "pool", "catalogue-0 is not that of checkpoint 2"));
        disk.rot("pool", 10);
        disk.rot("pool", 4106);
        assertThat(damage())
                .singleElement()
                .satisfies(finding -> assertThat(finding.what()).contains("neither of the two superblocks"));
    }

    @Test
    void shouldSayWhatRecoveryDoes() throws IOException {
        List<String> segments = disk.list("journal").stream()
                .filter(name -> name.matches("[0-9]+"))
                .toList();
        disk.rot("journal/" + segments.getLast(), 100);
        disk.delete(JournalMark.NAME); // else it is known that it was on the disk
        int[] places = MapPage.nowhere();
        try (DiskFile map = disk.open("maps/1")) {
            map.write(new MapPage(3, places).encode(), 4096);
        }
        assertThat(checked(disk))
                .contains(
                        new Finding(
                                Kind.RECOVERY,
                                "maps/1 of accounts",
                                "slot 1 of page 0 is of a checkpoint that did not end, and is taken away"),
                        new Finding(Kind.FACT, "journal", "recovery reads 0 records"))
                .anySatisfy(finding -> assertThat(finding.what()).contains("bytes behind the last good record"));
    }

    @Test
    void shouldChangeNothing_andRefuseAPoolInUse(@TempDir Path folder) throws IOException {
        try (FolderDisk files = FolderDisk.open(folder)) {
            Pool.make(files, new UUID(1, 2), Geometry.DEFAULT);
            Pool pool = Pool.open(files, LIMITS, Runnable::run);
            fill(pool);
            assertThatThrownBy(() -> FolderDisk.openToRead(folder)).hasMessageContaining("in use by another");
            pool.close();
        }
        List<String> before = contents(folder);
        assertThat(checked(FolderDisk.openToRead(folder))).hasSize(3);
        assertThat(contents(folder)).isEqualTo(before);
        Files.delete(folder.resolve("lock")); // of a copy
        List<String> copied = contents(folder);
        assertThat(checked(FolderDisk.openToRead(folder))).hasSize(3);
        assertThat(contents(folder)).isEqualTo(copied);
        assertThatThrownBy(() -> FolderDisk.openToRead(folder.resolve("none"))).hasMessageContaining("is no folder");
    }

    private static List<String> contents(Path folder) throws IOException {
        List<String> all = new ArrayList<>();
        try (var files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                all.add(file + " " + java.util.Arrays.hashCode(Files.readAllBytes(file)));
            }
        }
        return all;
    }

    /** There a block has a number of more than 31 bits. */
    @Test
    void shouldCheckClustersBeyond8TiB(@TempDir Path folder) throws IOException {
        long far = (9L << 40) / Geometry.DEFAULT.clusterBytes();
        try (FolderDisk sparse = FolderDisk.open(folder)) {
            Pool.make(sparse, new UUID(1, 2), Geometry.DEFAULT);
            try (Disk.DiskFile map = sparse.open("maps/1");
                    Disk.DiskFile sums = sparse.open("sums");
                    Disk.DiskFile superblocks = sparse.open("pool");
                    Disk.DiskFile catalogue = sparse.open("catalogue-1")) {
                int[] places = MapPage.nowhere();
                places[3] = (int) far;
                map.write(new MapPage(1, places).encode(), 0);
                ByteBuffer zeros = ByteBuffer.allocate(16 * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
                while (zeros.position() < 15 * Integer.BYTES) {
                    zeros.putInt(Checksums.ZEROS);
                }
                sums.write(zeros.clear(), far * 16 * Integer.BYTES);
                JournalRecord.Created made =
                        new JournalRecord.Created(1, new VolumeName("far"), 1 << 20, JournalRecord.Maker.NOBODY);
                catalogue.write(Catalogue.EMPTY.after(made).encode(1), 0);
                Superblock next =
                        Superblock.first(new UUID(1, 2), Geometry.DEFAULT).after(1, 1);
                superblocks.write(next.encode(), (long) next.slot() * Superblock.BYTES);
            }
        }
        assertThat(checked(FolderDisk.openToRead(folder)))
                .filteredOn(finding -> finding.kind() != Kind.FACT)
                .containsExactly(new Finding(Kind.DAMAGE, "far", "block 63 is not what was written"));
    }
}
