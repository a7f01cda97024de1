package dev.retier.volume.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.volume.NoSpaceException;
import dev.retier.volume.VolumeName;
import dev.retier.volume.pool.Geometry;
import dev.retier.volume.pool.JournalRecord.Stamp;
import dev.retier.volume.worlds.MemoryDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** A pool after the process that had it has ended, and what its disk does then. */
class PoolOpenedAnewTest {
    private static final Pool.Limits LIMITS = new Pool.Limits(1 << 16, 64L << 16);

    /** The kernel shows superblock and journal to the next process, and would let it force what is not on the disk. */
    @Test
    void shouldWriteItsJournalAnew_whenItCouldNotBeForcedAsItWasOpened() throws IOException {
        for (int good = 0; good < 2; good++) {
            wroteAnew(new MemoryDisk(), good);
        }
    }

    private static void wroteAnew(MemoryDisk disk, int good) throws IOException {
        Pool.make(disk, new UUID(1, 2), Geometry.DEFAULT);
        Pool pool = Pool.open(disk, LIMITS, Runnable::run);
        int volume = pool.create(new VolumeName("accounts"), 1 << 20);
        pool.flush();
        pool.write(
                volume,
                new Stamp(1, 1),
                0,
                ByteBuffer.allocate(Geometry.BLOCK_BYTES).putInt(0, 7));
        MemoryDisk world = disk.afterKill();
        world.failForceAfter(good);
        assertThatThrownBy(() -> Pool.open(world, LIMITS, Runnable::run)).isInstanceOf(IOException.class);

        Pool again = Pool.open(world, LIMITS, Runnable::run);
        again.flush();
        assertThat(again.losses()).as("clients send again").isEqualTo(1);
        assertThat(Pool.open(world.afterKill(), LIMITS, Runnable::run).losses())
                .as("those that come later, too")
                .isEqualTo(1);
        for (int seed = 0; seed < 20; seed++) {
            MemoryDisk found = world.afterPowerCut(new SplittableRandom(seed));
            ByteBuffer into = ByteBuffer.allocate(Geometry.BLOCK_BYTES);
            var _ = Pool.open(found, LIMITS, Runnable::run).read(volume, 0, into);
            assertThat(into.getInt(0)).as("seed %d, force %d", seed, good).isEqualTo(7);
        }
    }

    /** Until there is room for all that the journal has nothing is answered as kept. */
    @Test
    void shouldBeRead_whenItsJournalIsToBeWrittenAnewAndTheDiskIsFull() throws IOException {
        MemoryDisk disk = new MemoryDisk();
        Pool.make(disk, new UUID(1, 2), Geometry.DEFAULT);
        Pool pool = Pool.open(disk, LIMITS, Runnable::run);
        int volume = pool.create(new VolumeName("accounts"), 1 << 20);
        ByteBuffer data = ByteBuffer.allocate(Geometry.BLOCK_BYTES).putInt(0, 7);
        pool.write(volume, new Stamp(1, 1), 0, data.clear());
        disk.failForceAfter(0);
        assertThatThrownBy(pool::flush).hasMessage("as planned");
        MemoryDisk next = disk.afterKill();
        next.leave(0);
        try (Pool full = Pool.open(next, LIMITS, Runnable::run)) {
            ByteBuffer into = ByteBuffer.allocate(Geometry.BLOCK_BYTES);
            var _ = full.read(volume, 0, into);
            assertThat(into.getInt(0)).isEqualTo(7);
            assertThat(full.losses()).isEqualTo(1);
            requireWaitsForRoom(
                    full,
                    volume,
                    "make room in its file system, for the " + full.figures().journalBytes()
                            + " bytes that the journal has");
        }
        next.leave(1 << 20);
        try (Pool again = Pool.open(next, LIMITS, Runnable::run)) {
            again.flush();
        }
        MemoryDisk found = next.afterPowerCut(new SplittableRandom(1));
        ByteBuffer into = ByteBuffer.allocate(Geometry.BLOCK_BYTES);
        var _ = Pool.open(found, LIMITS, Runnable::run).read(volume, 0, into);
        assertThat(into.getInt(0)).isEqualTo(7);
    }

    /** What is asked finds no room, which is a pause for what is sent again; that the pool has failed would be none. */
    private static void requireWaitsForRoom(Pool full, int volume, String why) throws IOException {
        assertThat(full.figures().journalBytes()).isGreaterThan(Geometry.BLOCK_BYTES);
        assertThat(full.failure()).contains(why);
        List<ThrowingCallable> asked = List.of(
                () -> full.write(volume, new Stamp(1, 9), 1, ByteBuffer.allocate(Geometry.BLOCK_BYTES)),
                () -> full.volume(volume, 1).zero(0, Geometry.BLOCK_BYTES),
                () -> full.delete(volume),
                full::requireChangeable,
                full::flush,
                full::checkpoint);
        for (ThrowingCallable each : asked) {
            assertThatThrownBy(each)
                    .isInstanceOf(NoSpaceException.class)
                    .hasMessage("the pool takes no changes: " + full.failure() + ", then start the server anew");
        }
    }

    /** File systems that never write over what they have need room for each write, and all for each new file. */
    @Test
    void shouldBeRead_whenThereIsNoRoomForWhatIsWrittenFirst() throws IOException {
        MemoryDisk disk = new MemoryDisk();
        Pool.make(disk, new UUID(1, 2), Geometry.DEFAULT);
        Pool first = Pool.open(disk, LIMITS, Runnable::run);
        first.create(new VolumeName("empty"), 1 << 20); // which has no map
        first.checkpoint();
        int volume = filled(first, "accounts");
        AtomicBoolean isFull = new AtomicBoolean(true);
        Disk filling = new ForwardingDisk(disk) {
            @Override
            public DiskFile open(String file) throws IOException {
                String folder = file.contains("/") ? file.substring(0, file.indexOf('/')) : "";
                if (isFull.get() && !list(folder).contains(file.substring(file.indexOf('/') + 1))) {
                    throw new NoSpaceException("as planned");
                }
                return new ForwardingFile(super.open(file)) {
                    @Override
                    public void write(ByteBuffer from, long offset) throws IOException {
                        if (isFull.get()) {
                            throw new NoSpaceException("as planned");
                        }
                        super.write(from, offset);
                    }
                };
            }
        };
        for (boolean isSuspect : new boolean[] {false, true}) {
            if (isSuspect) {
                disk.open("suspect").close();
            }
            try (Pool full = Pool.open(filling, LIMITS, Runnable::run)) {
                requireSeven(full, volume);
                assertThat(full.losses()).isEqualTo(isSuspect ? 1 : 0);
                requireWaitsForRoom(full, volume, "no room for what is written whenever it is opened: make some");
            }
        }
        isFull.set(false);
        try (Pool again = Pool.open(filling, LIMITS, Runnable::run)) {
            assertThat(again.failure()).isEmpty();
            requireSeven(again, volume);
            filled(again, "more");
            again.delete(again.catalogue().numberOf(new VolumeName("empty")).orElseThrow());
            again.checkpoint();
        }
    }

    private static void requireSeven(Pool pool, int volume) throws IOException {
        ByteBuffer into = ByteBuffer.allocate(Geometry.BLOCK_BYTES);
        var _ = pool.read(volume, 0, into);
        assertThat(into.getInt(0)).isEqualTo(7);
    }

    /** Whoever is killed as it makes one has made one, or left nothing that is in the way. */
    @Test
    void shouldBeMadeAgain_whenItsMakingHasEnded() throws IOException {
        int unmade = 0;
        for (int seed = 0; seed < 200; seed++) {
            MemoryDisk ending = new MemoryDisk();
            ending.endAfter(1 + seed % 12);
            try {
                Pool.make(ending, new UUID(1, 2), Geometry.DEFAULT);
                Pool.open(ending, LIMITS, Runnable::run).close();
            } catch (IOException ended) {
                assertThat(ended).hasMessage("the process has ended");
            }
            MemoryDisk left = seed % 2 == 0 ? ending.afterKill() : ending.afterPowerCut(new SplittableRandom(seed));
            if (!Pool.isThere(left)) {
                unmade++;
                Pool.make(left, new UUID(1, 3), Geometry.DEFAULT);
            }
            assertThat(Pool.isThere(left)).isTrue();
            try (Pool pool = Pool.open(left, LIMITS, Runnable::run)) {
                pool.create(new VolumeName("accounts"), 1 << 20);
            }
        }
        assertThat(unmade).isBetween(50, 150);
    }

    /** The file of the server may say a shorter journal than that of the process before. */
    @Test
    void shouldReadSegmentsOfTheLengthThatTheyHave() throws IOException {
        MemoryDisk disk = new MemoryDisk();
        Pool.make(disk, new UUID(1, 2), Geometry.DEFAULT);
        Pool pool = Pool.open(disk, LIMITS, Runnable::run);
        int volume = pool.create(new VolumeName("accounts"), 1 << 20);
        for (int block = 0; block < 40; block++) {
            ByteBuffer data = ByteBuffer.allocate(Geometry.BLOCK_BYTES).putInt(0, block + 1);
            pool.write(volume, new Stamp(1, block), block, data.clear());
        }
        Pool.Limits shorter = new Pool.Limits(1 << 13, 64L << 13);
        for (Pool.Limits limits : List.of(shorter, LIMITS)) {
            pool = Pool.open(disk, limits, Runnable::run);
            for (int block = 0; block < 40; block++) {
                ByteBuffer into = ByteBuffer.allocate(Geometry.BLOCK_BYTES);
                var _ = pool.read(volume, block, into);
                assertThat(into.getInt(0)).as("block %d", block).isEqualTo(block + 1);
            }
            pool.write(volume, new Stamp(1, 41), 41, ByteBuffer.allocate(Geometry.BLOCK_BYTES));
        }
    }

    /** Of the newest superblock, too, which lets go of what the one before needs. */
    @Test
    void shouldKeepWhatWasFlushed_whenACheckpointCouldNotBeForced() throws IOException {
        for (int good = 0; good < 8; good++) {
            MemoryDisk failing = new MemoryDisk();
            Pool.make(failing, new UUID(1, 2), Geometry.DEFAULT);
            Pool pool = Pool.open(failing, LIMITS, Runnable::run);
            int volume = pool.create(new VolumeName("accounts"), 1 << 20);
            pool.write(
                    volume,
                    new Stamp(1, 1),
                    0,
                    ByteBuffer.allocate(Geometry.BLOCK_BYTES).putInt(0, 7));
            pool.flush();
            failing.failForceAfter(good);
            try {
                pool.checkpoint();
            } catch (IOException failed) {
                assertThat(failed).hasMessage("as planned");
            }
            for (int calls = 1; calls < 40; calls++) {
                MemoryDisk ending = failing.afterKill();
                ending.endAfter(calls);
                try {
                    var _ = Pool.open(ending, LIMITS, Runnable::run);
                } catch (IOException ended) {
                    assertThat(ended).hasMessage("the process has ended");
                }
                ByteBuffer into = ByteBuffer.allocate(Geometry.BLOCK_BYTES);
                Pool found = Pool.open(ending.afterPowerCut(new SplittableRandom(calls)), LIMITS, Runnable::run);
                var _ = found.read(volume, 0, into);
                assertThat(into.getInt(0)).as("force %d, call %d", good, calls).isEqualTo(7);
            }
        }
    }

    /** It goes by the superblock before then: what the newest one needs is there when somebody has put that right. */
    @Test
    void shouldChangeNothing_whenItIsRefused() throws IOException {
        MemoryDisk disk = new MemoryDisk();
        Pool.make(disk, new UUID(1, 2), Geometry.DEFAULT);
        int first;
        int second;
        try (Pool pool = Pool.open(disk, LIMITS, Runnable::run)) {
            first = filled(pool, "first");
            pool.checkpoint();
            second = filled(pool, "second");
            pool.checkpoint();
        }
        disk.rot("pool", 40); // that of checkpoint 2
        assertThatThrownBy(() -> Pool.open(disk, LIMITS, Runnable::run)).isInstanceOf(IOException.class);

        disk.rot("pool", 40);
        try (Pool pool = Pool.open(disk, LIMITS, Runnable::run)) {
            assertThat(pool.failure()).isEmpty();
            for (int volume : List.of(first, second)) {
                ByteBuffer into = ByteBuffer.allocate(Geometry.BLOCK_BYTES);
                var _ = pool.read(volume, 0, into);
                assertThat(into.getInt(0)).isEqualTo(7);
            }
        }
    }

    private static int filled(Pool pool, String name) throws IOException {
        int volume = pool.create(new VolumeName(name), 1 << 20);
        ByteBuffer data = ByteBuffer.allocate(Geometry.BLOCK_BYTES).putInt(0, 7);
        pool.write(volume, new Stamp(1, 1), 0, data.clear());
        return volume;
    }
}
