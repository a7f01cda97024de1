package dev.retier.volume.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.volume.NoSpaceException;
import dev.retier.volume.pool.Geometry;
import dev.retier.volume.pool.JournalCodec;
import dev.retier.volume.pool.JournalRecord;
import dev.retier.volume.pool.JournalRecord.Stamp;
import dev.retier.volume.worlds.MemoryDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTest {
    private static final int RECORDS = 100;

    private final MemoryDisk disk = new MemoryDisk();
    private final Set<Long> lengths = new TreeSet<>();

    private static JournalRecord record(int block) {
        return new JournalRecord.Written(1, new Stamp(1, block + 1), block, ByteBuffer.allocate(4096));
    }

    private void append(boolean isForced) throws IOException {
        try (Journal journal = new Journal(disk, 1 << 20)) {
            journal.begin(journal.scan(1, 1, (_, _) -> {}));
            for (int block = 0; block < RECORDS; block++) {
                journal.append(record(block));
                if (isForced) {
                    journal.force();
                }
                try (Disk.DiskFile file = disk.open(
                        Journal.FOLDER + "/" + disk.list(Journal.FOLDER).getFirst())) {
                    lengths.add(file.size());
                }
            }
        }
    }

    private List<Long> found() throws IOException {
        List<Long> blocks = new ArrayList<>();
        try (Journal journal = new Journal(disk, 1 << 20)) {
            journal.begin(journal.scan(1, 1, (record, _) -> blocks.add(((JournalRecord.Written) record).firstBlock())));
        }
        return blocks;
    }

    @Test
    void shouldMakeItsFileLongerSeldom_whenItIsForcedAgainAndAgain() throws IOException {
        append(true);
        assertThat(lengths).as("100 records of 4 KiB, 256 KiB at once").hasSizeLessThan(5);
        assertThat(found()).hasSize(RECORDS).isSorted();
    }

    @Test
    void shouldWriteNothingAhead_whenItIsNotForced() throws IOException {
        append(false);
        assertThat(lengths).hasSize(RECORDS);
        assertThat(found()).hasSize(RECORDS).isSorted();
    }

    /** The kernel tells once, whoever asks: here who begins a segment. */
    @Test
    void shouldForceNoMore_whenAForceHasFailed() throws IOException {
        try (Journal journal = new Journal(disk, 1 << 16)) {
            journal.begin(journal.scan(1, 1, (_, _) -> {}));
            journal.append(record(1));
            disk.failForceAfter(0);
            assertThatThrownBy(journal::roll).hasMessage("as planned");
            assertThatThrownBy(journal::force).hasMessageContaining("could not be brought to the disk before");
        }
    }

    @Test
    void shouldFindNothingBehind_whenTheRestWasMadeAhead() throws IOException {
        append(true);
        try (Journal journal = new Journal(disk, 1 << 20)) {
            assertThat(journal.scan(1, 1, (_, _) -> {}).bytesBehind()).isZero();
        }
    }

    /** What a client has written is data, also where it looks like the next record. */
    @Test
    void shouldFindNothingOfARecordThatFoundNoRoom_whateverItHas() throws IOException {
        try (Journal journal = new Journal(disk, 1 << 20)) {
            journal.begin(journal.scan(1, 1, (_, _) -> {}));
            JournalRecord good = record(7);
            JournalRecord forged = record(8);
            ByteBuffer data = ByteBuffer.allocate(16 * Geometry.BLOCK_BYTES);
            data.position(JournalCodec.lengthBytes(good) - JournalCodec.dataOffset(16));
            JournalCodec.emit(2, forged, data);
            disk.leave(8 * Geometry.BLOCK_BYTES);
            JournalRecord tooLong = new JournalRecord.Written(1, new Stamp(1, 1), 0, data.clear());
            assertThatThrownBy(() -> journal.append(tooLong)).isInstanceOf(NoSpaceException.class);
            disk.leave(1 << 20);
            journal.append(good);
        }
        assertThat(found()).containsExactly(7L);
    }

    @Test
    void shouldFindNothingBehind_whenItsFileEndsWithinTheLastRecord() throws IOException {
        append(false);
        try (Disk.DiskFile file = disk.open(Journal.FOLDER + "/000000000001")) {
            file.truncate(file.size() - 1);
        }
        try (Journal journal = new Journal(disk, 1 << 20)) {
            assertThat(journal.scan(1, 1, (_, _) -> {}).bytesBehind()).isZero();
        }
    }

    /** As where a quota or inodes have run out: then there is no file to take away, either. */
    @Test
    void shouldGoWithoutItsReserve_whenThereIsNoRoomForAFile(@TempDir Path folder) throws IOException {
        Disk full = new ForwardingDisk(FolderDisk.open(folder)) {
            @Override
            public DiskFile open(String file) throws IOException {
                if (file.equals(JournalReserve.NAME)) {
                    throw new NoSpaceException("no room for a file");
                }
                return super.open(file);
            }
        };
        try (full;
                Journal journal = new Journal(full, 1 << 20)) {
            journal.begin(journal.scan(1, 1, (_, _) -> {}));
            assertThat(journal.append(record(7)).segment()).isEqualTo(1);
            assertThat(full.list(Journal.FOLDER)).containsExactly("000000000001");
        }
    }

    @Test
    void shouldCountWhatItHas_whileOneAppendsAndAnotherFrees() throws Exception {
        try (Journal journal = new Journal(new MemoryDisk(), 128)) {
            journal.begin(journal.scan(1, 1, (_, _) -> {}));
            AtomicLong reached = new AtomicLong(1);
            AtomicBoolean isOver = new AtomicBoolean();
            CompletableFuture<Void> freeing = CompletableFuture.runAsync(() -> {
                while (!isOver.get()) {
                    try {
                        journal.free(reached.get());
                    } catch (IOException impossible) {
                        throw new UncheckedIOException(impossible);
                    }
                }
            });
            for (int segment = 0; segment < 20_000; segment++) {
                reached.set(journal.append(new JournalRecord.Zeroed(1, new JournalRecord.Stamp(1, 1), 0, 1))
                        .segment());
            }
            isOver.set(true);
            freeing.get();
            journal.free(reached.get());
            assertThat(journal.bytes()).isEqualTo(128);
        }
    }
}
