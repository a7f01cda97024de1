package dev.retier.volume.disk;

import dev.retier.testsupport.Repeats;
import dev.retier.volume.VolumeName;
import dev.retier.volume.cache.CachePolicy;
import dev.retier.volume.pool.Geometry;
import dev.retier.volume.worlds.MemoryDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.UUID;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * One block of a volume, of which two threads write parts and read all, while flushes and checkpoints bring it to the
 * disk: each write and read is as if it had happened in one moment between its call and its return.
 */
@Tag("lincheck")
@Param(name = "part", gen = IntGen.class, conf = "0:3")
@Param(name = "value", gen = IntGen.class, conf = "1:9")
public class BlockLinearizabilityIT {
    private static final int PARTS = 4;
    private static final int PART_BYTES = Geometry.BLOCK_BYTES / PARTS;
    private static final int TEN = 10;
    private static final Kept KEPT = new Kept();

    /** One pool for all invocations: what came before is overwritten. */
    public BlockLinearizabilityIT() throws IOException {
        KEPT.volume.write(0, ByteBuffer.allocate(Geometry.BLOCK_BYTES));
    }

    @Operation
    public void write(@Param(name = "part") int part, @Param(name = "value") int value) throws IOException {
        byte[] data = new byte[PART_BYTES];
        Arrays.fill(data, (byte) value);
        KEPT.volume.write((long) part * PART_BYTES, ByteBuffer.wrap(data));
    }

    /** The parts as digits, as a server reads them: from the cache alone, if they are there. */
    @Operation
    public int read() throws IOException {
        ByteBuffer block = ByteBuffer.allocate(Geometry.BLOCK_BYTES);
        if (!KEPT.volume.readNow(0, block)) {
            KEPT.volume.read(0, block.clear());
        }
        int digits = 0;
        for (int part = 0; part < PARTS; part++) {
            ByteBuffer own = block.slice(part * PART_BYTES, PART_BYTES);
            if (own.slice(0, PART_BYTES - 1).mismatch(own.slice(1, PART_BYTES - 1)) >= 0) {
                throw new IllegalStateException("part " + part + " is not of one write");
            }
            digits = digits * TEN + own.get(0);
        }
        return digits;
    }

    @Operation
    public void flush() throws IOException {
        KEPT.volume.flush();
    }

    @Operation
    public void checkpoint() throws IOException {
        KEPT.pool.checkpoint();
    }

    @Test
    @Timeout(600)
    void shouldBeLinearizable_whenTwoThreadsUseOneBlock() {
        new StressOptions()
                .iterations(Repeats.of(6))
                .invocationsPerIteration(200)
                .threads(2)
                .actorsPerThread(4)
                .actorsBefore(1)
                .actorsAfter(1)
                .minimizeFailedScenario(false)
                .sequentialSpecification(Block.class)
                .check(BlockLinearizabilityIT.class);
    }

    /** What it shall be like. */
    public static final class Block {
        private final int[] parts = new int[PARTS];

        public void write(int part, int value) {
            parts[part] = value;
        }

        public int read() {
            int digits = 0;
            for (int value : parts) {
                digits = digits * TEN + value;
            }
            return digits;
        }

        public void flush() {
            // no read tells whether it was done
        }

        public void checkpoint() {
            // no read tells whether it was done
        }
    }

    private static final class Kept {
        private static final int SEGMENT = 64 << 10;

        final Pool pool;
        final PoolVolume volume;

        Kept() {
            Disk disk = new YieldingDisk(new MemoryDisk());
            try {
                Pool.make(disk, new UUID(1, 1), new Geometry(2));
                BlockCache cache = BlockCache.of(Geometry.BLOCK_BYTES, CachePolicy.MQ);
                pool = Pool.open(disk, new Pool.Limits(SEGMENT, 8L * SEGMENT), cache, Runnable::run);
                volume = pool.volume(pool.create(new VolumeName("one"), Geometry.BLOCK_BYTES), 1);
            } catch (IOException impossible) {
                throw new IllegalStateException("a disk that nobody has broken", impossible);
            }
        }
    }
}
