package dev.retier.volume.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.testsupport.Repeats;
import dev.retier.volume.Volume;
import dev.retier.volume.VolumeName;
import dev.retier.volume.pool.Catalogue;
import dev.retier.volume.pool.Geometry;
import dev.retier.volume.pool.JournalRecord;
import dev.retier.volume.pool.JournalRecord.Stamp;
import dev.retier.volume.worlds.MemoryDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

class SnapshotsTest {
    private static final int SEGMENT = 4 << 20;
    private static final Pool.Limits LIMITS = new Pool.Limits(SEGMENT, 4L * SEGMENT);
    private static final VolumeName NAME = new VolumeName("accounts");
    private static final VolumeName BEFORE = new VolumeName("before");
    private static final int BYTES = 150 * Geometry.BLOCK_BYTES;

    private final MemoryDisk disk = new MemoryDisk();

    private Pool made(Geometry geometry) throws IOException {
        Pool.make(disk, new UUID(1, 2), geometry);
        return opened();
    }

    private Pool opened() throws IOException {
        return Pool.open(disk, LIMITS, Runnable::run);
    }

    private static ByteBuffer block(int value) {
        return ByteBuffer.allocate(Geometry.BLOCK_BYTES).putInt(0, value);
    }

    private static int read(Pool pool, int volume, long block) throws IOException {
        ByteBuffer into = ByteBuffer.allocate(Geometry.BLOCK_BYTES);
        var _ = pool.read(volume, block, into);
        return into.getInt(0);
    }

    private static byte[] all(Volume volume) throws IOException {
        byte[] bytes = new byte[(int) volume.bytes()];
        volume.read(0, ByteBuffer.wrap(bytes));
        return bytes;
    }

    /** Requests divide neither blocks nor clusters: longhorn#4354 lost what lay beside them. */
    @Test
    void shouldStayAsTheyWere_whateverIsWrittenAtAnyByte() throws IOException {
        for (long seed = 1; seed <= Repeats.of(4); seed++) {
            Random random = new Random(seed);
            MemoryDisk own = new MemoryDisk();
            Pool.make(own, new UUID(1, 2), new Geometry(1 + random.nextInt(9)));
            Pool pool = Pool.open(own, LIMITS, Runnable::run);
            List<Integer> volumes = new ArrayList<>(List.of(pool.create(NAME, BYTES)));
            List<byte[]> models = new ArrayList<>(List.of(new byte[BYTES]));
            for (int step = 0; step < 200; step++) {
                int which = random.nextInt(volumes.size());
                Volume volume = pool.volume(volumes.get(which), 1);
                byte[] model = models.get(which);
                int offset = random.nextInt(BYTES);
                int length = random.nextInt(Math.min(BYTES - offset, 1 << random.nextInt(1, 17)) + 1);
                switch (random.nextInt(8)) {
                    case 0 -> {
                        volume.zero(offset, length);
                        Arrays.fill(model, offset, offset + length, (byte) 0);
                    }
                    case 1 -> {
                        if (volumes.size() < 6) {
                            volumes.add(pool.copy(volumes.get(which), new VolumeName("clone-" + step)));
                            models.add(model.clone());
                        }
                    }
                    case 2 -> pool.checkpoint();
                    default -> {
                        byte[] data = new byte[length];
                        random.nextBytes(data);
                        volume.write(offset, ByteBuffer.wrap(data));
                        System.arraycopy(data, 0, model, offset, length);
                    }
                }
            }
            for (int i = 0; i < volumes.size(); i++) {
                assertThat(all(pool.volume(volumes.get(i), 1)))
                        .as("seed %d, volume %d", seed, i)
                        .isEqualTo(models.get(i));
            }
        }
    }

    @Test
    void shouldShareClusters_andGiveThemBackWithTheLastOne() throws IOException {
        Pool pool = made(Geometry.DEFAULT);
        int volume = pool.create(NAME, 1 << 20);
        for (int block = 0; block < 256; block += 16) {
            pool.write(volume, new Stamp(1, block), block, block(block + 1));
        }
        pool.checkpoint();
        int snapshot = pool.snapshot(volume, BEFORE);
        pool.checkpoint();
        assertThat(pool.usedClusters()).as("those of the volume alone").isEqualTo(16);
        int clone = pool.copy(snapshot, new VolumeName("clone"));
        pool.checkpoint();
        pool.write(volume, new Stamp(1, 300), 1, block(1000));
        pool.write(clone, new Stamp(1, 1), 17, block(1001));
        pool.checkpoint();
        assertThat(pool.usedClusters()).as("and what was written since").isEqualTo(18);
        pool.rollBack(volume, snapshot);
        assertThat(read(pool, volume, 1)).isZero();
        assertThat(read(pool, volume, 0)).isEqualTo(1);
        pool.checkpoint();
        assertThat(pool.usedClusters()).isEqualTo(17);
        pool.delete(snapshot);
        pool.delete(volume);
        pool.checkpoint();
        assertThat(pool.usedClusters()).isEqualTo(16);
        Pool again = opened();
        assertThat(again.usedClusters()).isEqualTo(16);
        assertThat(read(again, clone, 16)).isEqualTo(17);
        assertThat(read(again, clone, 17)).isEqualTo(1001);
        again.delete(clone);
        again.checkpoint();
        assertThat(again.usedClusters()).isZero();
    }

    /** A snapshot that is made while a checkpoint is under way has what that brings, too. */
    @Test
    void shouldHaveWhatACheckpointBrings_whenMadeMeanwhile() throws IOException {
        Pool pool = made(Geometry.DEFAULT);
        int volume = pool.create(NAME, 1 << 20);
        pool.write(volume, new Stamp(1, 1), 0, block(7));
        int first = pool.snapshot(volume, BEFORE);
        pool.write(volume, new Stamp(1, 2), 0, block(8));
        pool.checkpoint();
        int second = pool.snapshot(volume, new VolumeName("second"));
        int rolled = pool.copy(first, new VolumeName("of-first"));
        pool.rollBack(volume, first);
        int third = pool.snapshot(volume, new VolumeName("third"));
        pool.write(volume, new Stamp(1, 3), 0, block(9));

        for (int round = 0; round < 2; round++) {
            assertThat(read(pool, first, 0)).isEqualTo(7);
            assertThat(read(pool, second, 0)).isEqualTo(8);
            assertThat(read(pool, rolled, 0)).isEqualTo(7);
            assertThat(read(pool, third, 0)).isEqualTo(7);
            assertThat(read(pool, volume, 0)).isEqualTo(9);
            pool.checkpoint();
        }
    }

    /** What had been looked up was freed meanwhile; zeros were never in it, and an export would have had them. */
    @Test
    void shouldRefuseARead_whenItsSnapshotIsDeletedMeanwhile() throws IOException {
        Pool.make(disk, new UUID(1, 2), Geometry.DEFAULT);
        Queue<Appender.Begin<?>> next = new ConcurrentLinkedQueue<>();
        Pool pool = Pool.open(new Overtaking(disk, "clusters", next), LIMITS, Runnable::run);
        int volume = pool.create(NAME, 1 << 20);
        pool.write(volume, new Stamp(1, 1), 0, block(7));
        for (boolean isOnce : new boolean[] {false, true}) {
            int snapshot = pool.snapshot(volume, BEFORE);
            pool.checkpoint();
            PoolVolume reading = pool.volume(snapshot, 0);
            next.add(() -> {
                pool.delete(snapshot);
                pool.checkpoint();
                return pool;
            });

            assertThatThrownBy(() -> reading.read(0, ByteBuffer.allocate(Geometry.BLOCK_BYTES), isOnce))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("there is no volume or snapshot " + snapshot + " any more");
            assertThat(next).as("it came in between").isEmpty();
            assertThatThrownBy(() -> pool.reader().pieces(snapshot, 0, 1))
                    .as("holes are read as zeros, too")
                    .hasMessage("there is no volume or snapshot " + snapshot + " any more");
        }
        assertThat(read(pool, volume, 0)).isEqualTo(7);
    }

    @Test
    void shouldRefuse_whatCannotBe() throws IOException {
        Pool pool = made(Geometry.DEFAULT);
        int volume = pool.create(NAME, 1 << 20);
        int other = pool.create(new VolumeName("other"), 1 << 20);
        int snapshot = pool.snapshot(volume, BEFORE);

        assertThatThrownBy(() -> pool.snapshot(volume, BEFORE)).hasMessage("there is a snapshot before already");
        assertThat(pool.snapshot(other, BEFORE)).as("of another volume").isGreaterThan(snapshot);
        assertThat(pool.create(BEFORE, 4096)).as("a volume").isGreaterThan(snapshot);
        assertThatThrownBy(() -> pool.copy(snapshot, NAME)).hasMessage("there is a volume accounts already");
        assertThatThrownBy(() -> pool.delete(volume)).hasMessage("accounts has snapshots: delete them first");
        assertThatThrownBy(() -> pool.rollBack(other, snapshot)).hasMessage("before is no snapshot of that volume");
        String refused = "before is a snapshot, which nobody changes";
        assertThatThrownBy(() -> pool.write(snapshot, new Stamp(1, 1), 0, block(1)))
                .hasMessage(refused);
        assertThatThrownBy(() -> pool.zero(snapshot, new Stamp(1, 1), 0, 1)).hasMessage(refused);
        assertThatThrownBy(() -> pool.resize(snapshot, 4096)).hasMessage(refused);
        assertThatThrownBy(() -> pool.snapshot(snapshot, NAME)).hasMessage(refused);
        assertThatThrownBy(() -> pool.attach(snapshot, 1, 1)).hasMessage(refused);
        assertThat(pool.catalogue().entries().get(snapshot))
                .isEqualTo(new Catalogue.Entry(BEFORE, 1 << 20, 0, 0, volume, volume, JournalRecord.Maker.NOBODY));
    }
}
