package dev.retier.volume.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.volume.Volume;
import dev.retier.volume.VolumeName;
import dev.retier.volume.disk.Pool;
import dev.retier.volume.pool.Checksums;
import dev.retier.volume.pool.Geometry;
import dev.retier.volume.worlds.MemoryDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class EndMarkTest {
    private static final long BYTES = 8L << 30;

    private final Volume volume;

    EndMarkTest() throws IOException {
        MemoryDisk disk = new MemoryDisk();
        Pool.make(disk, new UUID(1, 2), Geometry.DEFAULT);
        Pool pool = Pool.open(disk, new Pool.Limits(1 << 20, 4 << 20), Runnable::run);
        volume = pool.volume(pool.create(new VolumeName("file"), BYTES), 1);
    }

    private void write(int version, long length) throws IOException {
        ByteBuffer mark = ByteBuffer.allocate(32).order(ByteOrder.LITTLE_ENDIAN);
        mark.putInt(0x4c49_4652).putInt(version).putLong(length).putInt(Checksums.of(mark, 0, 16));
        volume.write(0, mark.clear());
    }

    @Test
    void shouldSayHowLongTheFileIs() throws IOException {
        assertThat(EndMark.read(volume)).as("nothing was ever written").isEmpty();
        EndMark.write(volume, 5, false);
        assertThat(EndMark.read(volume)).contains(5L);
        write(1, BYTES - 4096);
        assertThat(EndMark.read(volume)).contains(BYTES - 4096);
    }

    @Test
    void shouldSayWhatIsWrong_andWhatHelps() throws IOException {
        write(1, BYTES - 4095);
        assertThatThrownBy(() -> EndMark.read(volume))
                .hasMessageContaining(
                        "has " + (BYTES - 4095) + " bytes, and the volume has room for " + (BYTES - 4096));
        write(2, 5);
        assertThatThrownBy(() -> EndMark.read(volume))
                .hasMessage("the file on the volume is of version 2, and this program knows 1: use the newer one that"
                        + " wrote it");
        volume.zero(0, 4096);
        assertThat(EndMark.read(volume)).isEmpty();
        volume.write(BYTES - 70_000, ByteBuffer.allocate(1));
        assertThatThrownBy(() -> EndMark.read(volume))
                .hasMessageContaining("something else than a file")
                .hasMessageContaining("there are bytes from " + ((BYTES - 70_000) / 4096 * 4096) + " on");
    }
}
