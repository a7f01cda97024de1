package dev.retier.volume.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.volume.NoSpaceException;
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

/** What lies behind a broken place of a journal is given up. */
class JournalCutTest {
    /** For three records of a block. */
    private static final int SEGMENT = 3 * (64 + 64 + Geometry.BLOCK_BYTES);

    private static final Pool.Limits LIMITS = new Pool.Limits(SEGMENT, 64L * SEGMENT);
    private static final String BROKEN = "journal/000000000003";
    private static final VolumeName NAME = new VolumeName("accounts");

    private final MemoryDisk disk = new MemoryDisk();
    private int volume;
    private ByteBuffer before = ByteBuffer.allocate(0);

    /** Eight blocks written: four are good, the fifth is the first one that is not. */
    @BeforeEach
    void make() throws IOException {
        Pool.make(disk, new UUID(1, 2), Geometry.DEFAULT);
        Pool pool = Pool.open(disk, LIMITS, Runnable::run);
        volume = pool.create(NAME, 1 << 20);
        pool.attach(volume, 7, 1234);
        pool.checkpoint();
        for (int block = 0; block < 8; block++) {
            if (block == 6) {
                pool.zero(volume, new Stamp(7, 100), 0, 4);
                pool.create(new VolumeName("orders"), 1 << 20);
            }
            ByteBuffer data = ByteBuffer.allocate(Geometry.BLOCK_BYTES).putInt(0, block + 1);
            pool.write(volume, new Stamp(7, block + 1), block, data.clear());
        }
        pool.flush();
        disk.rot(BROKEN, SEGMENT / 3 + 200);
        before = bytes(disk, BROKEN);
    }

    private static ByteBuffer bytes(Disk of, String name) throws IOException {
        try (DiskFile file = of.open(name)) {
            ByteBuffer bytes = ByteBuffer.allocate((int) file.size());
            file.read(bytes, 0);
            return bytes.flip();
        }
    }

    private void isCut(Disk found) throws IOException {
        Pool pool = Pool.open(found, LIMITS, Runnable::run);
        for (int block = 0; block < 8; block++) {
            ByteBuffer into = ByteBuffer.allocate(Geometry.BLOCK_BYTES);
            var _ = pool.read(volume, block, into);
            assertThat(into.getInt(0)).isEqualTo(block < 4 ? block + 1 : 0);
        }
        assertThat(pool.catalogue().volumes()).containsOnlyKeys(volume);
        assertThat(pool.entry(volume).epoch()).as("who had it is fenced").isGreaterThan(7);
        assertThat(pool.entry(volume).writer()).isZero();
        pool.write(volume, new Stamp(9, 1), 0, ByteBuffer.allocate(Geometry.BLOCK_BYTES));
        pool.checkpoint();
    }

    @Test
    void shouldSayWhatIsLost_andChangeNothingBefore() throws IOException {
        List<Finding> findings;
        try (JournalCut cut = JournalCut.of(disk)) {
            findings = cut.findings();
        }
        assertThat(findings)
                .filteredOn(finding -> finding.kind() == Kind.LOST)
                .containsExactly(
                        new Finding(
                                Kind.LOST,
                                "journal",
                                "all from record 7 on, as far as is known up to 12; 5 of these can still be read"),
                        new Finding(Kind.LOST, "accounts", "3 blocks written, 1 trims, 3 writes"),
                        new Finding(Kind.LOST, "orders", "1 creations: it is gone"));
        assertThatThrownBy(() -> Pool.open(disk, LIMITS, Runnable::run)).hasMessageContaining(BROKEN);
    }

    @Test
    void shouldHaveWhatWasThereBefore_andKeepWhatIsCutOff() throws IOException {
        try (JournalCut cut = JournalCut.of(disk)) {
            assertThat(cut.make()).first().isEqualTo(BROKEN + ".cut1");
        }
        ByteBuffer kept = bytes(disk, BROKEN + ".cut1");
        assertThat(kept.position(SEGMENT / 3)).isEqualTo(before.position(SEGMENT / 3));
        isCut(disk);
        assertThatThrownBy(() -> JournalCut.of(disk)).hasMessageContaining("is not broken");
    }

    @Test
    void shouldHaveTheNewestCheckpoint_whenTheFirstSegmentIsGone() throws IOException {
        disk.delete("journal/000000000002");
        try (JournalCut cut = JournalCut.of(disk)) {
            cut.make();
        }
        Pool pool = Pool.open(disk, LIMITS, Runnable::run);
        assertThat(pool.catalogue().volumes()).containsOnlyKeys(volume);
    }

    /** It is as broken as before, or all is done. */
    @Test
    void shouldBeDoneByTheNext_whenItEndsAnywhere() throws IOException {
        int broken = 0;
        for (int calls = 1; calls < 60; calls++) {
            MemoryDisk ending = disk.afterKill();
            ending.endAfter(calls);
            try (JournalCut cut = JournalCut.of(ending)) {
                cut.make();
            } catch (IOException ended) {
                assertThat(ended).hasMessage("the process has ended");
            }
            MemoryDisk left = calls % 2 == 0 ? ending.afterKill() : ending.afterPowerCut(new SplittableRandom(calls));
            try {
                Pool.open(left.afterKill(), LIMITS, Runnable::run).close();
            } catch (IOException refused) {
                assertThat(refused).hasMessageContaining("cut-journal");
                broken++;
                try (JournalCut cut = JournalCut.of(left)) {
                    cut.make();
                }
            }
            isCut(left);
        }
        assertThat(broken).isBetween(10, 50);
    }

    @Test
    void shouldChangeNothing_whenThereIsNoRoomToKeepWhatIsCutOff() throws IOException {
        disk.leave(2 * Geometry.BLOCK_BYTES);
        List<String> all = disk.list("journal");
        try (JournalCut cut = JournalCut.of(disk)) {
            assertThatThrownBy(cut::make).isInstanceOf(NoSpaceException.class);
        }
        assertThat(disk.list("journal")).isEqualTo(all);
        assertThat(bytes(disk, BROKEN)).isEqualTo(before);
    }
}
