package dev.retier.volume.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.volume.Volume;
import dev.retier.volume.VolumeName;
import dev.retier.volume.pool.Geometry;
import dev.retier.volume.pool.JournalRecord.Stamp;
import dev.retier.volume.worlds.MemoryDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Volumes as large as they may be. */
class LargestVolumeTest {
    private static final Pool.Limits LIMITS = new Pool.Limits(4 << 20, 16 << 20);
    private static final VolumeName NAME = new VolumeName("accounts");
    private static final int BLOCK = Geometry.BLOCK_BYTES;

    @Test
    void shouldRefuseWhatIsLarger() throws IOException {
        MemoryDisk disk = new MemoryDisk();
        Pool.make(disk, new UUID(1, 2), Geometry.DEFAULT);
        Pool pool = Pool.open(disk, LIMITS, Runnable::run);
        for (long bytes : new long[] {Volume.MOST_BYTES + BLOCK, 80_000L << 40}) {
            assertThatThrownBy(() -> pool.create(NAME, bytes))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("1 PiB at most");
        }
        int volume = pool.create(NAME, BLOCK);
        assertThatThrownBy(() -> pool.resize(volume, Volume.MOST_BYTES + BLOCK))
                .isInstanceOf(IllegalArgumentException.class);
        pool.resize(volume, Volume.MOST_BYTES);
    }

    /** Its map is a file of 256 GiB, of holes but for one page. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldBeOpenedAtOnce_whenLittleOfItWasWritten(@TempDir Path folder) throws IOException {
        long last = Volume.MOST_BYTES / BLOCK - 1;
        AtomicLong read = new AtomicLong();
        int volume;
        try (Pool pool = opened(folder, read)) {
            volume = pool.create(NAME, Volume.MOST_BYTES);
            ByteBuffer data = ByteBuffer.allocate(BLOCK).putInt(0, 7);
            pool.write(volume, new Stamp(1, 1), last, data.clear());
            pool.checkpoint();
        }
        assertThat(Files.size(folder.resolve("maps/" + volume))).isGreaterThan(256L << 30);
        read.set(0);

        try (Pool pool = opened(folder, read)) {
            assertThat(read.get()).isBetween(1L, 4L << 20);
            ByteBuffer into = ByteBuffer.allocate(BLOCK);
            var _ = pool.read(volume, last, into);
            assertThat(into.getInt(0)).isEqualTo(7);
        }
    }

    private static Pool opened(Path folder, AtomicLong read) throws IOException {
        FolderDisk disk = FolderDisk.open(folder);
        if (!Pool.isThere(disk)) {
            Pool.make(disk, new UUID(1, 2), Geometry.DEFAULT);
        }
        Disk counted = new ForwardingDisk(disk) {
            @Override
            public DiskFile open(String file) throws IOException {
                return new ForwardingFile(super.open(file)) {
                    @Override
                    public void read(ByteBuffer into, long offset) throws IOException {
                        read.addAndGet(file.startsWith("maps/") ? into.remaining() : 0);
                        super.read(into, offset);
                    }
                };
            }
        };
        return Pool.open(counted, LIMITS, Runnable::run);
    }
}
