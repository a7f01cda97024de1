package dev.retier.volume.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.volume.VolumeName;
import dev.retier.volume.pool.Geometry;
import dev.retier.volume.pool.JournalRecord.Stamp;
import dev.retier.volume.worlds.MemoryDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What takes little of the journal and much of the memory of what it tells. */
class FullIndexTest {
    private static final int BLOCK = Geometry.BLOCK_BYTES;
    private static final int BLOCKS = 4096;

    private final MemoryDisk disk = new MemoryDisk();

    private Pool made(long journalBytes) throws IOException {
        Pool.make(disk, new UUID(1, 2), Geometry.DEFAULT);
        return Pool.open(disk, new Pool.Limits(1 << 20, journalBytes), Runnable::run);
    }

    /** Each has all rows of its volume, and takes 128 bytes of the journal. */
    @Test
    void shouldMakeACheckpoint_whenManySnapshotsHaveManyRows() throws IOException {
        Pool pool = made(16 << 20);
        int volume = pool.create(new VolumeName("accounts"), (long) BLOCKS * BLOCK);
        for (int block = 0; block < BLOCKS; block += 2) {
            pool.zero(volume, new Stamp(1, block + 1), block, 1);
        }
        long trims = pool.figures().journalBytes();
        for (int i = 0; i < 400; i++) {
            pool.snapshot(volume, new VolumeName("at-" + i));
        }
        assertThat(pool.figures().journalBytes()).isLessThan(trims);
    }

    @Test
    void shouldWriteNothing_whereATrimFindsNothing() throws IOException {
        Pool pool = made(16 << 20);
        PoolVolume volume = pool.volume(pool.create(new VolumeName("accounts"), (long) BLOCKS * BLOCK), 1);
        isNoChange(pool, volume, 0, BLOCKS);
        volume.write(100L * BLOCK, block(7));
        isNoChange(pool, volume, 0, 100);
        isNoChange(pool, volume, 101, BLOCKS - 101);
        isChange(pool, volume, 100);
        isNoChange(pool, volume, 0, BLOCKS);
        volume.write(100L * BLOCK, block(8));
        pool.checkpoint();
        isNoChange(pool, volume, 0, 96);
        isNoChange(pool, volume, 112, BLOCKS - 112);
        isChange(pool, volume, 100);
        isNoChange(pool, volume, 100, 1);
        volume.write(BLOCK, block(9));
        int source = pool.catalogue().numberOf(new VolumeName("accounts")).orElseThrow();
        int clone = pool.copy(source, new VolumeName("copy"));
        isChange(pool, pool.volume(clone, 1), 1);
    }

    /** What is asked of a pool that takes no changes is refused, also where there is nothing to do. */
    @Test
    void shouldRefuseTrims_onceThePoolHasFailed() throws IOException {
        Pool pool = made(16 << 20);
        PoolVolume volume = pool.volume(pool.create(new VolumeName("accounts"), (long) BLOCKS * BLOCK), 1);
        disk.failForceAfter(0);
        assertThatThrownBy(pool::flush).hasMessage("as planned");
        assertThatThrownBy(() -> volume.zero(0, BLOCK)).hasMessageContaining("takes no changes");
    }

    private static ByteBuffer block(int value) {
        return ByteBuffer.allocate(BLOCK).putInt(0, value);
    }

    private static void isNoChange(Pool pool, PoolVolume volume, long first, long blocks) throws IOException {
        long before = pool.figures().journalBytes();
        volume.zero(first * BLOCK, blocks * BLOCK);
        assertThat(pool.figures().journalBytes()).isEqualTo(before);
    }

    private static void isChange(Pool pool, PoolVolume volume, long block) throws IOException {
        long before = pool.figures().journalBytes();
        volume.zero(block * BLOCK, BLOCK);
        assertThat(pool.figures().journalBytes()).isGreaterThan(before);
        ByteBuffer into = ByteBuffer.allocate(BLOCK);
        volume.read(block * BLOCK, into);
        assertThat(into.getInt(0)).isZero();
    }
}
