package dev.retier.volume.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.volume.VolumeName;
import dev.retier.volume.pool.Geometry;
import dev.retier.volume.pool.JournalRecord.Stamp;
import dev.retier.volume.worlds.MemoryDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A disk that cannot read some of what was written to it: blocks are lost, one by one, and nothing else is. */
class UnreadablePoolTest {
    private static final Pool.Limits LIMITS = new Pool.Limits(4 << 20, 16 << 20);
    private static final int BLOCK = Geometry.BLOCK_BYTES;
    private static final int BLOCKS = 512;

    private final MemoryDisk disk = new MemoryDisk();
    private int volume;
    private long sequence;

    /** A volume of which each block has its number and one more. */
    private Pool made() throws IOException {
        Pool.make(disk, new UUID(1, 2), Geometry.DEFAULT);
        Pool pool = opened();
        volume = pool.create(new VolumeName("accounts"), (long) BLOCKS * BLOCK);
        for (int first = 0; first < BLOCKS; first += 16) {
            write(pool, first, 16, first + 1);
        }
        return pool;
    }

    private Pool opened() throws IOException {
        return Pool.open(disk, LIMITS, Runnable::run);
    }

    private void write(Pool pool, int first, int count, int value) throws IOException {
        ByteBuffer data = ByteBuffer.allocate(count * BLOCK);
        while (data.hasRemaining()) {
            data.putInt(value + data.position() / BLOCK);
        }
        pool.write(volume, new Stamp(1, ++sequence), first, data.flip());
    }

    /** Blocks that cannot be read; the others have what they should. */
    private static List<Integer> lost(Pool pool, int of) {
        List<Integer> lost = new ArrayList<>();
        for (int block = 0; block < BLOCKS; block++) {
            ByteBuffer into = ByteBuffer.allocate(BLOCK);
            try {
                var _ = pool.read(of, block, into);
                assertThat(into.getInt(0)).as("block %d", block).isEqualTo(block + 1);
            } catch (IOException unreadable) {
                lost.add(block);
            }
        }
        return lost;
    }

    @Test
    void shouldLoseABlock_whenAClusterIsCopiedOfWhichItCannotBeRead() throws IOException {
        Pool pool = made();
        pool.checkpoint();
        int snapshot = pool.snapshot(volume, new VolumeName("before"));
        pool.checkpoint();
        disk.spoil("clusters", 5L * BLOCK);
        disk.spoil("clusters", 9L * BLOCK);
        write(pool, 3, 1, 4);
        write(pool, 9, 1, 10);

        pool.checkpoint();

        assertThat(lost(pool, volume)).containsExactly(5);
        assertThat(lost(pool, snapshot)).containsExactly(5, 9);
        Pool again = opened();
        assertThat(again.failure()).isEmpty();
        write(again, 5, 1, 6);
        again.checkpoint();
        assertThat(lost(again, volume)).isEmpty();
    }

    /** The system would have to read the page to write a few of its bytes. */
    @Test
    void shouldLoseTheBlocksOfChecksumsThatCannotBeRead_andTakeOthersThere() throws IOException {
        Pool pool = made();
        pool.checkpoint();
        disk.spoil("sums", 0);
        for (int block = 16; block < BLOCKS; block++) {
            write(pool, block, 1, block + 1);
        }

        pool.checkpoint();

        assertThat(pool.failure()).isEmpty();
        assertThat(lost(pool, volume)).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    }

    /** Most records of many blocks have none of their headers in the page. */
    @Test
    void shouldLoseWhatLiesInThePage_whenTheJournalCannotBeRead() throws IOException {
        Pool pool = made();
        disk.spoil("journal/000000000001", 100L * BLOCK);
        assertThat(lost(pool, volume)).containsExactly(99, 100);

        Pool again = opened();
        assertThat(lost(again, volume)).containsExactly(99, 100);

        again.checkpoint();
        assertThat(lost(again, volume)).containsExactly(99, 100);
        again = opened();
        write(again, 99, 2, 100);
        again.checkpoint();
        assertThat(lost(again, volume)).isEmpty();
    }

    @Test
    void shouldWriteAnewWhatItCanRead_whenItFailedBefore() throws IOException {
        Pool pool = made();
        disk.failForceAfter(0);
        assertThatThrownBy(pool::flush).hasMessage("as planned");
        disk.spoil("journal/000000000001", 100L * BLOCK);

        Pool again = opened();

        assertThat(again.failure()).isEmpty();
        assertThat(lost(again, volume)).containsExactly(99, 100);
    }

    /** Nobody knows of which volume it is, and what lies behind it may need it. */
    @Test
    void shouldSayWhere_whenAHeaderInTheJournalCannotBeRead() throws IOException {
        made().close();
        disk.spoil("journal/000000000001", 0);
        assertThatThrownBy(this::opened)
                .hasMessageContaining("journal/000000000001 cannot be read at 0")
                .hasMessageContaining("--cut-journal");
        try (JournalCut cut = JournalCut.of(disk)) {
            assertThat(cut.make()).containsExactly("journal/000000000001.cut1");
        }
        assertThat(opened().catalogue().entries()).isEmpty();
    }

    @Test
    void shouldNeedNoSlotOfAMapThatDoesNotCount() throws IOException {
        Pool pool = made();
        pool.checkpoint();
        int snapshot = pool.snapshot(volume, new VolumeName("before"));
        pool.checkpoint();
        write(pool, 3, 1, 4);
        pool.checkpoint();
        disk.spoil("maps/" + volume, 0); // the one before
        Disk asItIs = disk.afterKill();
        assertThat(PoolCheck.of(asItIs, (_, _) -> {}))
                .anySatisfy(finding ->
                        assertThat(finding.what()).startsWith("slot 0 of page 0 cannot be read: if nothing of it"))
                .noneMatch(finding -> finding.kind() == PoolCheck.Kind.DAMAGE);

        Pool again = opened();

        assertThat(again.failure()).isEmpty();
        assertThat(lost(again, volume)).isEmpty();
        assertThat(lost(again, snapshot)).isEmpty();
        try (Disk.DiskFile map = disk.open("maps/" + volume)) {
            ByteBuffer slot = ByteBuffer.allocate(BLOCK);
            map.read(slot, 0);
            assertThat(slot.clear()).isEqualTo(ByteBuffer.allocate(BLOCK));
        }
        disk.spoil("maps/" + volume, BLOCK);
        assertThatThrownBy(this::opened).hasMessageContaining("a page of it is broken or missing");
    }

    /** A disk that is gone for a while takes nothing with it. */
    @Test
    void shouldLoseNothing_whenTheDiskCannotReadManyBlocks() throws IOException {
        Pool pool = made();
        pool.checkpoint();
        int snapshot = pool.snapshot(volume, new VolumeName("before"));
        pool.checkpoint();
        for (int block = 0; block < BLOCKS; block += 16) {
            write(pool, block, 1, block + 1);
        }
        pool.close();
        Away away = new Away(disk);
        pool = Pool.open(away, LIMITS, Runnable::run);
        away.isAway = true;
        assertThatThrownBy(pool::checkpoint).hasMessageContaining("more than 256 blocks");
        assertThat(pool.failure()).contains("cannot be read");
        pool = Pool.open(away, LIMITS, Runnable::run);
        assertThat(pool.failure()).contains("cannot be read");
        ByteBuffer into = ByteBuffer.allocate(BLOCK);
        var _ = pool.read(volume, 16, into); // which the journal has
        assertThat(into.getInt(0)).isEqualTo(17);

        away.isAway = false;
        pool = Pool.open(away, LIMITS, Runnable::run);

        assertThat(pool.failure()).isEmpty();
        assertThat(lost(pool, volume)).isEmpty();
        assertThat(lost(pool, snapshot)).isEmpty();
    }

    /** Whatever has failed before, and fails again. */
    @Test
    void shouldBeRead_whenWhatIsLeftToBeDoneFails() throws IOException {
        Pool pool = made();
        Away away = new Away(disk);
        disk.failForceAfter(0);
        assertThatThrownBy(pool::flush).hasMessage("as planned");
        for (String file : List.of("clusters", "sums", "maps/1", "catalogue-1", "journal/000000000001")) {
            away.unwritable = file;

            Pool again = Pool.open(away, LIMITS, Runnable::run);

            assertThat(again.failure()).as(file).contains("cannot be written");
            assertThat(lost(again, volume)).as(file).isEmpty();
            assertThatThrownBy(() -> write(again, 0, 1, 7)).hasMessageContaining("takes no changes");
        }
        away.unwritable = "";
        Pool again = Pool.open(away, LIMITS, Runnable::run);
        assertThat(again.failure()).isEmpty();
        assertThat(lost(again, volume)).isEmpty();
    }

    /** The memory of a process is a file that Linux cannot read everywhere. */
    @Test
    void shouldSayWhichFileCannotBeReadAndWhere(@TempDir Path folder) throws IOException {
        Files.createSymbolicLink(folder.resolve("clusters"), Path.of("/proc/self/mem"));
        try (FolderDisk linux = FolderDisk.open(folder)) {
            Disk.DiskFile file = linux.open("clusters");
            ByteBuffer into = ByteBuffer.allocate(3 * BLOCK);
            assertThatThrownBy(() -> file.read(into, 0)).hasMessageContaining("clusters cannot be read at 0: ");
            assertThat(Unread.reading(file, into.clear(), BLOCK).pages().cardinality())
                    .isEqualTo(3);
            file.close();
            assertThatThrownBy(() -> Unread.reading(file, into.clear(), 0)).isInstanceOf(ClosedChannelException.class);
        }
    }

    /** A disk of which clusters cannot be read, or one file cannot be written. */
    private static final class Away extends ForwardingDisk {
        private boolean isAway;
        private String unwritable = "";

        Away(Disk disk) {
            super(disk);
        }

        @Override
        public DiskFile open(String file) throws IOException {
            return new ForwardingFile(super.open(file)) {
                @Override
                public void read(ByteBuffer into, long offset) throws IOException {
                    if (isAway && file.equals("clusters")) {
                        throw new IOException("no such device");
                    }
                    super.read(into, offset);
                }

                @Override
                public void write(ByteBuffer from, long offset) throws IOException {
                    if (file.equals(unwritable)) {
                        throw new IOException(file + " cannot be written");
                    }
                    super.write(from, offset);
                }
            };
        }
    }
}
