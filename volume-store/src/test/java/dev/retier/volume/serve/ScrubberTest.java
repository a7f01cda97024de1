package dev.retier.volume.serve;

import static org.awaitility.Awaitility.await;

import dev.retier.volume.VolumeName;
import dev.retier.volume.disk.Pool;
import dev.retier.volume.pool.Geometry;
import dev.retier.volume.worlds.MemoryDisk;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ScrubberTest {
    private static final int MIB = 1 << 20;

    /** What it was to read when it began is not there any more: all is read again, and again. */
    @Test
    void shouldGoOn_whenAVolumeBecomesSmallerMeanwhile() throws Exception {
        MemoryDisk disk = new MemoryDisk();
        Pool.make(disk, new UUID(1, 2), Geometry.DEFAULT);
        try (Pool pool = Pool.open(disk, new Pool.Limits(4 * MIB, 64 * MIB), Runnable::run)) {
            int volume = pool.create(new VolumeName("accounts"), 8 * MIB);
            pool.volume(volume, 1).write(0, something(8 * MIB));
            pool.checkpoint();
            Tally tally = new Tally(ServerListener.NONE);
            Scrubber scrubber = new Scrubber(
                    pool, tally, new ServerConfig.Care(false, 20 * MIB, Duration.ofMillis(1)), Means.SYSTEM);
            try {
                await().until(() -> scrubbed(tally) >= 2 * MIB);
                pool.resize(volume, MIB);
                long before = scrubbed(tally);
                await().until(() -> scrubbed(tally) >= before + 4 * MIB);
            } finally {
                scrubber.close();
            }
        }
    }

    private static ByteBuffer something(int count) {
        byte[] bytes = new byte[count];
        Arrays.fill(bytes, (byte) 1);
        return ByteBuffer.wrap(bytes);
    }

    private static long scrubbed(Tally tally) {
        return tally.counted().getOrDefault(VolumeMetric.SCRUBBED_BYTES, 0L);
    }
}
