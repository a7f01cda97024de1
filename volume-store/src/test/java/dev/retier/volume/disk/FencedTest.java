package dev.retier.volume.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.volume.Volume;
import dev.retier.volume.VolumeName;
import dev.retier.volume.pool.Geometry;
import dev.retier.volume.pool.JournalRecord.Stamp;
import dev.retier.volume.worlds.MemoryDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What comes late of an attachment that was taken does not get into the journal, whoever let it come so far. */
class FencedTest {
    private static final int SEGMENT = 64 * 1024;
    private static final Pool.Limits LIMITS = new Pool.Limits(SEGMENT, 64L * SEGMENT);
    private static final int BLOCK = Geometry.BLOCK_BYTES;

    private final MemoryDisk disk = new MemoryDisk();

    private Pool opened(Keeper keeper) throws IOException {
        if (!Pool.isThere(disk)) {
            Pool.make(disk, new UUID(1, 2), Geometry.DEFAULT);
        }
        return Pool.open(disk, LIMITS, keeper);
    }

    private static int made(Pool pool) throws IOException {
        return pool.create(new VolumeName("accounts"), 1 << 20);
    }

    private static ByteBuffer block(int value) {
        return ByteBuffer.allocate(BLOCK).putInt(0, value);
    }

    private static int read(Volume volume) throws IOException {
        ByteBuffer into = ByteBuffer.allocate(BLOCK);
        volume.read(0, into);
        return into.getInt(0);
    }

    private static void requireFenced(Volume volume) {
        assertThatThrownBy(() -> volume.write(0, block(8))).isInstanceOf(FencedException.class);
        assertThatThrownBy(() -> volume.write(5, block(8))).isInstanceOf(FencedException.class);
        assertThatThrownBy(() -> volume.zero(0, BLOCK)).isInstanceOf(FencedException.class);
    }

    @Test
    void shouldRefuseChangesOfALowerEpoch_alsoInTheNextProcess() throws IOException {
        int number;
        try (Pool pool = opened(Runnable::run)) {
            number = made(pool);
            pool.attach(number, 1, 11);
            Volume older = pool.volume(number, 1);
            older.write(0, block(7));
            pool.attach(number, 2, 12);
            requireFenced(older);
            assertThatThrownBy(() -> older.write(0, block(8)))
                    .hasMessage("accounts has been attached with epoch 2 since, and this comes by epoch 1: attach it"
                            + " anew");
            assertThat(pool.failure()).isEmpty();
            assertThat(read(older)).as("what it wrote before").isEqualTo(7);
        }
        try (Pool again = opened(Runnable::run)) {
            assertThat(read(again.volume(number, 2)))
                    .as("what it wrote when it might is not refused now")
                    .isEqualTo(7);
            requireFenced(again.volume(number, 1));
            again.volume(number, 2).write(0, block(9));
            assertThat(read(again.volume(number, 2))).isEqualTo(9);
        }
    }

    /** Half of all epochs are negative as Java has them. */
    @Test
    void shouldTakeEpochsAsUnsigned() throws IOException {
        try (Pool pool = opened(Runnable::run)) {
            int number = made(pool);
            pool.attach(number, Integer.MIN_VALUE, 11);
            pool.volume(number, Integer.MIN_VALUE).write(0, block(7));
            requireFenced(pool.volume(number, Integer.MAX_VALUE));
            pool.volume(number, -1).write(0, block(9));
            assertThat(read(pool.volume(number, 1))).isEqualTo(9);
        }
    }

    /** It was let through before somebody else had the volume, and is appended after that. */
    @Test
    void shouldRefuseAChange_whoseVolumeIsTakenWhileItWaitsForRoom() throws IOException {
        Pool[] pool = new Pool[1];
        int[] number = new int[1];
        pool[0] = opened(checkpoint -> {
            disk.leave(Long.MAX_VALUE);
            try {
                pool[0].attach(number[0], 2, 12);
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
            checkpoint.run();
        });
        number[0] = made(pool[0]);
        pool[0].attach(number[0], 1, 11);
        disk.leave(0);
        assertThatThrownBy(() -> pool[0].write(number[0], new Stamp(1, 1), 0, block(8)))
                .isInstanceOf(FencedException.class);
        assertThat(pool[0].entry(number[0]).epoch()).as("it came in between").isEqualTo(2);
        assertThat(read(pool[0].volume(number[0], 2))).isZero();
        pool[0].close();
    }
}
