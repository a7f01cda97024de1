package dev.retier.volume.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.volume.VolumeName;
import dev.retier.volume.disk.Disk.DiskFile;
import dev.retier.volume.disk.PoolCheck.Finding;
import dev.retier.volume.disk.PoolCheck.Kind;
import dev.retier.volume.pool.Geometry;
import dev.retier.volume.pool.JournalRecord.Stamp;
import dev.retier.volume.worlds.MemoryDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A journal that has lost what was on the disk, and one that has lost what no force has brought there. */
class BrokenJournalTest {
    /** For three records of a block. */
    private static final int SEGMENT = 3 * (64 + 64 + Geometry.BLOCK_BYTES);

    private static final Pool.Limits LIMITS = new Pool.Limits(SEGMENT, 64L * SEGMENT);
    private static final int RECORD = 64 + 64 + Geometry.BLOCK_BYTES;
    /** Of zeros, which do not count where nothing is behind them. */
    private static final int PADDING = 60;

    private static final int BLOCKS = 10;

    private final MemoryDisk disk = new MemoryDisk();
    private int volume;

    /** A volume whose ten blocks are in segments 2 to 5, of which the last one has one of them. */
    @BeforeEach
    void make() throws IOException {
        Pool.make(disk, new UUID(1, 2), Geometry.DEFAULT);
        Pool pool = Pool.open(disk, LIMITS, Runnable::run);
        volume = pool.create(new VolumeName("accounts"), 1 << 20);
        pool.checkpoint();
        for (int block = 0; block < BLOCKS; block++) {
            write(pool, block, block + 1);
        }
        pool.flush();
    }

    private void write(Pool pool, int block, int value) throws IOException {
        ByteBuffer data = ByteBuffer.allocate(Geometry.BLOCK_BYTES);
        while (data.hasRemaining()) {
            data.putInt(value);
        }
        pool.write(volume, new Stamp(1, block + 1), block, data.flip());
    }

    private static String segment(int number) {
        return "journal/00000000000" + number;
    }

    private void isBroken(String what) throws IOException {
        List<String> before = disk.list("journal");
        assertThatThrownBy(() -> Pool.open(disk, LIMITS, Runnable::run))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(what)
                .hasMessageContaining("retier volume check DIR --cut-journal");
        assertThat(disk.list("journal")).isEqualTo(before);
        assertThat(disk.list("")).doesNotContain("suspect");
        assertThat(PoolCheck.of(disk, (_, _) -> {}))
                .filteredOn(finding -> finding.kind() == Kind.DAMAGE)
                .singleElement()
                .extracting(Finding::what)
                .asString()
                .contains(what);
    }

    private void isWhole(MemoryDisk found, int blocks) throws IOException {
        Pool pool = Pool.open(found, LIMITS, Runnable::run);
        for (int block = 0; block < BLOCKS; block++) {
            ByteBuffer into = ByteBuffer.allocate(Geometry.BLOCK_BYTES);
            var _ = pool.read(volume, block, into);
            assertThat(into.getInt(0)).isEqualTo(block < blocks ? block + 1 : 0);
        }
    }

    @Test
    void shouldSayWhereAndHowMuch_whenAByteOfWhatWasFlushedIsAnother() throws IOException {
        disk.rot(segment(3), RECORD + 200);
        isBroken(segment(3) + " is broken at byte " + RECORD
                + ": record 6, which was on the disk there, is not good, nor is what comes up to record 11; "
                + (6 * RECORD - 3 * PADDING) + " bytes lie behind it.");
    }

    @Test
    void shouldSayIt_alsoOfTheVeryLastRecord() throws IOException {
        disk.rot(segment(5), 40);
        isBroken(segment(5) + " is broken at byte 0: record 11, which was on the disk there, is not good;");
    }

    @Test
    void shouldSayIt_whenASegmentIsGoneOrCut() throws IOException {
        disk.delete(segment(5));
        isBroken(segment(4) + " is broken at byte " + SEGMENT + ": record 11");
        try (DiskFile file = disk.open(segment(4))) {
            file.truncate(RECORD);
        }
        isBroken(segment(4) + " is broken at byte " + RECORD + ": record 9");
        disk.delete(segment(2));
        isBroken(segment(2) + " is not there, with which the journal of the newest checkpoint begins");
    }

    /** As one of a program of before is, or on a disk that had no room for the mark. */
    @Test
    void shouldSayIt_whenNoMarkIsThereAndALaterSegmentGoesOnElsewhere() throws IOException {
        disk.delete(JournalMark.NAME);
        isWhole(disk.afterKill(), BLOCKS);
        disk.delete(segment(3));
        isBroken(segment(3) + " is not there: record 5");
    }

    @Test
    void shouldGoOn_whenWhatNoForceHasBroughtToTheDiskIsNotThere() throws IOException {
        for (int seed = 0; seed < 100; seed++) {
            MemoryDisk cut = disk.afterKill();
            Pool pool = Pool.open(cut, LIMITS, Runnable::run);
            for (int block = 0; block < 1 + seed % BLOCKS; block++) {
                write(pool, block, block + 1);
            }
            isWhole(cut.afterPowerCut(new SplittableRandom(seed)), BLOCKS);
        }
    }

    /** The system has in its memory what the disk has not, and forces it with success. */
    @Test
    void shouldGoOn_whenAForceHasFailedAndThePowerFailsBeforeAllIsWrittenAnew() throws IOException {
        for (int calls = 1; calls < 40; calls++) {
            MemoryDisk failing = disk.afterKill();
            Pool pool = Pool.open(failing, LIMITS, Runnable::run);
            write(pool, 0, 1);
            failing.failForceAfter(0);
            assertThatThrownBy(pool::flush).hasMessage("as planned");
            MemoryDisk next = failing.afterKill();
            next.endAfter(calls);
            try {
                var _ = Pool.open(next, LIMITS, Runnable::run);
            } catch (IOException ended) {
                assertThat(ended).hasMessage("the process has ended");
            }
            isWhole(next.afterPowerCut(new SplittableRandom(calls)), BLOCKS);
        }
    }
}
