package dev.retier.volume.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.volume.VolumeName;
import dev.retier.volume.disk.Disk.DiskFile;
import dev.retier.volume.pool.Checksums;
import dev.retier.volume.pool.Geometry;
import dev.retier.volume.pool.Superblock;
import dev.retier.volume.worlds.MemoryDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import java.util.UUID;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;

/** Pools of programs before and after this one. */
class FormatsTest {
    private static final Pool.Limits LIMITS = new Pool.Limits(64 << 10, 1 << 20);
    private static final int CRC_OFFSET = 64;

    private final MemoryDisk disk = new MemoryDisk();

    /** As the program of 2026-11-28 wrote it, which knew no snapshots: with a checkpoint, and a journal behind it. */
    private void load(String name) throws IOException {
        try (ZipInputStream zip =
                new ZipInputStream(Objects.requireNonNull(getClass().getResourceAsStream(name)))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                try (DiskFile file = disk.open(entry.getName())) {
                    file.write(ByteBuffer.wrap(zip.readAllBytes()), 0);
                }
            }
        }
    }

    private static int read(Pool pool, long block) throws IOException {
        ByteBuffer into = ByteBuffer.allocate(Geometry.BLOCK_BYTES);
        var _ = pool.read(1, block, into);
        return into.getInt(0);
    }

    private int formatOf(int slot) throws IOException {
        try (DiskFile file = disk.open("pool")) {
            ByteBuffer bytes = ByteBuffer.allocate(Superblock.BYTES);
            file.read(bytes, (long) slot * Superblock.BYTES);
            return Superblock.formatOf(bytes.clear()).orElseThrow();
        }
    }

    @Test
    void shouldReadAndUpgradeAPool_ofFormat1() throws IOException {
        load("pool-1.zip");
        assertThat(formatOf(0)).isEqualTo(1);
        assertThat(formatOf(1)).isEqualTo(1);

        Pool pool = Pool.open(disk, LIMITS, Runnable::run);

        assertThat(formatOf(0))
                .as("no program of before finds one that it knows")
                .isEqualTo(Superblock.FORMAT);
        assertThat(formatOf(1)).isEqualTo(Superblock.FORMAT);
        for (int round = 0; round < 2; round++) {
            assertThat(pool.catalogue().entries()).containsOnlyKeys(1);
            assertThat(pool.entry(1).name()).isEqualTo(new VolumeName("accounts"));
            assertThat(pool.entry(1).epoch()).isEqualTo(5);
            assertThat(pool.entry(1).writer()).isEqualTo(1234);
            assertThat(read(pool, 0)).isEqualTo(7);
            assertThat(read(pool, 1)).isEqualTo(9);
            assertThat(read(pool, 200)).isEqualTo(10);
            pool.snapshot(1, new VolumeName("before-" + round));
            pool.delete(2 + round + 1);
            pool = Pool.open(disk, LIMITS, Runnable::run);
        }
    }

    /** It was written when what is kept of who made a volume had come without another number. */
    @Test
    void shouldUpgradeAPool_ofFormat2() throws IOException {
        Pool.make(disk, new UUID(1, 2), Geometry.DEFAULT);
        Pool.open(disk, LIMITS, Runnable::run).create(new VolumeName("accounts"), 4096);
        say(0, '0', '2');
        try (Pool pool = Pool.open(disk, LIMITS, Runnable::run)) {
            assertThat(pool.catalogue().entries()).containsOnlyKeys(1);
        }
        assertThat(formatOf(0)).isEqualTo(3);
        assertThat(formatOf(1)).isEqualTo(3);
    }

    @Test
    void shouldRead_whenThereIsNoRoomForTheUpgrade() throws IOException {
        load("pool-1.zip");
        disk.leave(0);
        Pool full = Pool.open(disk, LIMITS, Runnable::run);
        assertThat(read(full, 1)).isEqualTo(9);
        assertThat(read(full, 200)).isEqualTo(10);
        assertThatThrownBy(() -> full.create(new VolumeName("more"), 4096))
                .hasMessageContaining("what an earlier process has left must be brought to the disk first, and that is"
                        + " full: make room");
        full.close();
        disk.leave(1 << 20);
        try (Pool pool = Pool.open(disk, LIMITS, Runnable::run)) {
            pool.create(new VolumeName("more"), 4096);
            assertThat(read(pool, 200)).isEqualTo(10);
        }
        assertThat(formatOf(0)).isEqualTo(3);
    }

    private void say(int slot, char ten, char one) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(Superblock.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        try (DiskFile file = disk.open("pool")) {
            file.read(bytes, 0);
            bytes.clear().put(6, (byte) ten).put(7, (byte) one);
            bytes.putInt(CRC_OFFSET, Checksums.of(bytes, 0, CRC_OFFSET));
            file.write(bytes, (long) slot * Superblock.BYTES);
        }
    }

    @Test
    void shouldRefuseAPoolOfALaterFormat() throws IOException {
        Pool.make(disk, new UUID(1, 2), Geometry.DEFAULT);
        say(1, '1', '7');

        assertThatThrownBy(() -> Pool.open(disk, LIMITS, Runnable::run))
                .isInstanceOf(IOException.class)
                .hasMessage("the pool is of format 17, and this program knows those up to 3: use the newer one that"
                        + " wrote it");
    }
}
