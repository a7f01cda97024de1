package dev.retier.agent.journal;

import static dev.retier.agent.fixture.Clusters.APP;
import static dev.retier.agent.fixture.Clusters.PROXY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.agent.ReconfigException;
import dev.retier.agent.fixture.TinyDisk;
import dev.retier.agent.move.MovePhase;
import dev.retier.agent.move.MoveRecord;
import dev.retier.agent.move.Recovery;
import dev.retier.agent.move.RollbackReason;
import dev.retier.state.RoleWord;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTest {
    private static final Clock NOON = Clock.fixed(Instant.parse("2026-01-02T12:00:00Z"), ZoneOffset.UTC);
    private static final RoleWord ORDER = RoleWord.active(6, 3, APP).ordered(10, 4, PROXY);
    private static final MoveRecord ORDERED = new MoveRecord(ORDER, MovePhase.ORDERED, null);
    private static final MoveRecord DRAINED = new MoveRecord(ORDER, MovePhase.DRAINED, null);
    private static final MoveRecord UPSTREAM_PROVEN = new MoveRecord(ORDER, MovePhase.UPSTREAM_PROVEN, null);
    private static final MoveRecord ROLLED_BACK =
            new MoveRecord(ORDER, MovePhase.ROLLED_BACK, RollbackReason.PROOF_FAILED);

    @TempDir
    @Nullable
    Path temporary;

    private Path folder = Path.of("");

    @BeforeEach
    void nameFolder() {
        folder = Objects.requireNonNull(temporary).resolve("node-1");
    }

    private void write(MoveRecord... entries) {
        try (Journal journal = Journal.open(folder, 1_000_000, NOON)) {
            for (MoveRecord entry : entries) {
                journal.append(entry);
            }
        }
    }

    @Test
    void shouldTakeBackWhatDidNotFit_whenTheDiskIsFull() throws Exception {
        try (TinyDisk disk = new TinyDisk(folder);
                Journal journal = Journal.open(folder, 1_000_000, NOON)) {
            journal.append(ORDERED);
            disk.fill();
            int more = 0;
            while (isAppended(journal)) {
                more++;
            }
            disk.free();
            journal.append(ROLLED_BACK);

            List<MoveRecord> records = Journal.read(folder);
            assertThat(records).hasSize(2 + more).startsWith(ORDERED).endsWith(ROLLED_BACK);
        }
    }

    @Test
    void shouldLeaveNothing_whenItHasTriedWhetherThereIsRoom() throws Exception {
        try (Journal journal = Journal.open(folder, 1_000_000, NOON)) {
            journal.append(ORDERED);
            List<String> before = lines();

            journal.attempt(ROLLED_BACK);
            assertThat(lines()).isEqualTo(before);

            journal.append(DRAINED);
            assertThat(lines()).hasSize(before.size() + 1).startsWith(before.getFirst());
        }
        assertThat(Journal.read(folder)).containsExactly(ORDERED, DRAINED);
    }

    private List<String> lines() throws IOException {
        return Files.readAllLines(folder.resolve("journal.jsonl"));
    }

    /** Of a length that no page of a disk is a multiple of, so that the last one fits in part. */
    private static boolean isAppended(Journal journal) {
        try {
            journal.append(UPSTREAM_PROVEN);
            return true;
        } catch (ReconfigException full) {
            assertThat(full).hasMessageContaining("free space");
            return false;
        }
    }

    @Test
    void shouldSayWhatToDo_whenItIsTooLargeToRead() throws IOException {
        write(ORDERED);
        try (RandomAccessFile file =
                new RandomAccessFile(folder.resolve("journal.jsonl").toFile(), "rw")) {
            file.setLength(3L << 30);
        }
        assertThatThrownBy(this::write)
                .isInstanceOf(ReconfigException.class)
                .hasMessageContaining("journal.jsonl")
                .hasMessageContaining("move it away");
    }

    @Test
    void shouldReadWhatWasWritten_whenOpenedAgain() {
        write(ORDERED, DRAINED);
        write(ROLLED_BACK);
        assertThat(Journal.read(folder)).containsExactly(ORDERED, DRAINED, ROLLED_BACK);
    }

    @Test
    void shouldWriteLinesForPeople_whenAppended() throws IOException {
        write(ROLLED_BACK);
        assertThat(Files.readString(folder.resolve("journal.jsonl")))
                .isEqualTo("{\"at\":\"2026-01-02T12:00:00Z\",\"epoch\":10,\"from\":\"1/app\",\"to\":\"1/proxy\","
                        + "\"phase\":\"ROLLED_BACK\",\"reason\":\"PROOF_FAILED\",\"word\":\""
                        + Long.toHexString(ORDER.encode()) + "\",\"check\":\"7a317716\"}\n");
    }

    @Test
    void shouldBeEmpty_whenThereIsNone() {
        assertThat(Journal.read(folder)).isEmpty();
    }

    @Test
    void shouldDropTheLastLine_whenACrashCutIt() throws IOException {
        write(ORDERED);
        Files.writeString(folder.resolve("journal.jsonl"), "{\"at\":\"20", StandardOpenOption.APPEND);
        assertThat(Journal.read(folder)).containsExactly(ORDERED);
        write(DRAINED);
        assertThat(Journal.read(folder)).containsExactly(ORDERED, DRAINED);
    }

    /** A disk may lose more than a crash can cut: then nobody knows what the newest line said. */
    @Test
    void shouldRefuse_whenWhatHasNoEndIsNotTheBeginningOfALine() throws IOException {
        Path file = folder.resolve("journal.jsonl");
        write(ORDERED, DRAINED);
        byte[] whole = Files.readAllBytes(file);
        for (String damage :
                List.of("\0".repeat(whole.length), "garbage", "{\"at\":\"20\0\0\0", "{\"at\":" + "1".repeat(2_000))) {
            Files.writeString(file, damage, StandardCharsets.ISO_8859_1);
            assertThatThrownBy(this::write)
                    .isInstanceOf(ReconfigException.class)
                    .hasMessageContaining("journal.jsonl:1: not a line of a journal, and no newer one follows");
            assertThat(Files.size(file)).as("nothing is dropped").isEqualTo(damage.length());
        }
        Files.write(file, whole);
        append("\0\0\0");
        assertThatThrownBy(this::write).hasMessageContaining("journal.jsonl:3");
    }

    @Test
    void shouldSayWhatIsKnown_whenTheNewestLineIsDamaged() throws IOException {
        write(ORDERED, ROLLED_BACK);
        append("garbage\n");
        assertThatThrownBy(() -> Journal.read(folder))
                .isInstanceOf(ReconfigException.class)
                .hasMessageContaining("journal.jsonl:3: not a line of a journal, and no newer one follows")
                .hasMessageContaining("the last whole line says 1/app of epoch 10: remove this line");
    }

    @Test
    void shouldSayWhatIsKnown_whenNothingWholeIsThere() throws IOException {
        write();
        append("garbage\n");
        assertThatThrownBy(() -> Journal.read(folder))
                .isInstanceOf(ReconfigException.class)
                .hasMessageContaining("move the file away to start as configured");
    }

    private void append(String text) throws IOException {
        Files.writeString(
                folder.resolve("journal.jsonl"), text, StandardCharsets.ISO_8859_1, StandardOpenOption.APPEND);
    }

    /** The role is in the newest line, so that a node need not forget it for an older one. */
    @Test
    void shouldLeaveOutADamagedLine_whenAWholeAndNewerOneFollows() throws IOException {
        write(ORDERED);
        append("{\"at\":\"2026-01-02T12:0\u00ff\u0000\n" + JournalLine.print(ROLLED_BACK, NOON.instant()));
        assertThat(Journal.read(folder)).containsExactly(ORDERED, ROLLED_BACK);
    }

    /** As an agent did whose disk was full, and who could not take back what had not fitted. */
    @Test
    void shouldReadTheRecordBehindATornOne_whenTheyAreOneLine() throws IOException {
        write(ORDERED);
        String line = Files.readString(folder.resolve("journal.jsonl"));
        Files.writeString(folder.resolve("journal.jsonl"), "");
        write(ORDERED);
        append(line.substring(0, 40) + JournalLine.print(ROLLED_BACK, NOON.instant()));
        assertThat(Journal.read(folder)).containsExactly(ORDERED, ROLLED_BACK);
    }

    @Test
    void shouldNotBelieveALine_whenItIsNotAsItWasWritten() throws IOException {
        write(ORDERED);
        String line = JournalLine.print(DRAINED, NOON.instant());
        append(line.replace("DRAINED", "ACTIVE"));
        assertThatThrownBy(() -> Journal.read(folder)).isInstanceOf(ReconfigException.class);
        append(line.replace("check", "chick"));
        assertThatThrownBy(() -> Journal.read(folder)).isInstanceOf(ReconfigException.class);
    }

    /** What follows a damaged line, and is older than what came before it, is no sign of what was lost. */
    @Test
    void shouldRefuse_whenOnlyOlderLinesFollowADamagedOne() throws IOException {
        RoleWord earlier = RoleWord.active(3, 3, PROXY).ordered(6, 3, APP);
        write(ORDERED, ROLLED_BACK);
        append("garbage\n" + JournalLine.print(new MoveRecord(earlier, MovePhase.ACTIVE, null), NOON.instant()));
        assertThatThrownBy(() -> Journal.read(folder))
                .isInstanceOf(ReconfigException.class)
                .hasMessageContaining("journal.jsonl:3");
    }

    @Test
    void shouldReadLinesOfEarlierVersions_whenTheyHaveNoCheck() throws IOException {
        write();
        append(JournalLine.print(ORDERED, NOON.instant()).replaceFirst(",\"check\":\"[0-9a-f]{8}\"", ""));
        assertThat(Journal.read(folder)).containsExactly(ORDERED);
    }

    @Test
    void shouldWriteNothingBehindATornLine_whenItCannotBeTakenBack() throws Exception {
        Path file = folder.resolve("journal.jsonl");
        Path aside = folder.resolve("aside");
        try (TinyDisk disk = new TinyDisk(folder);
                Journal journal = Journal.open(folder, 1_000_000, NOON)) {
            journal.append(ORDERED);
            disk.fill();
            Files.move(file, aside);
            int more = 0;
            while (isAppended(journal)) {
                more++;
            }
            Files.move(aside, file);
            assertThat(Files.readString(file)).as("a part of a record is left").doesNotEndWith("\n");
            disk.free();
            journal.append(ROLLED_BACK);
            assertThat(Files.readString(file).lines())
                    .hasSize(2 + more)
                    .allMatch(line -> JournalLine.parse(line).isPresent());
        }
    }

    @Test
    void shouldKeepTwoFilesOfBoundedSize_whenItGrows() throws IOException {
        try (Journal journal = Journal.open(folder, 500, NOON)) {
            for (int i = 0; i < 100; i++) {
                journal.append(ORDERED);
            }
            journal.append(DRAINED);
        }
        assertThat(folder.toFile().list()).containsExactlyInAnyOrder("journal.jsonl", "journal.1.jsonl");
        assertThat(Files.size(folder.resolve("journal.jsonl"))).isLessThan(800);
        assertThat(Journal.read(folder)).hasSizeLessThan(12).endsWith(DRAINED);
    }

    @Test
    void shouldGoOn_whenANewFileCouldNotBeMadeForAWhile() throws IOException {
        Path inTheWay = folder.resolve("journal.jsonl.new");
        try (Journal journal = Journal.open(folder, 1, NOON)) {
            journal.append(ORDERED);
            Path inside = Files.createFile(Files.createDirectory(inTheWay).resolve("file"));
            assertThatThrownBy(() -> journal.append(ROLLED_BACK)).isInstanceOf(ReconfigException.class);
            assertThat(Journal.read(folder)).containsExactly(ORDERED);
            Files.delete(inside);
            journal.append(ROLLED_BACK);
            assertThat(Journal.read(folder)).containsExactly(ORDERED, ROLLED_BACK);
        }
    }

    @Test
    void shouldSayWhatToDo_whenTheFolderCannotBeUsed() throws IOException {
        Files.writeString(folder, "a file where a folder belongs");
        assertThatThrownBy(() -> Journal.open(folder, 500, NOON))
                .isInstanceOf(ReconfigException.class)
                .hasMessageContaining("set journal-directory");
    }

    @Test
    void shouldStartAsConfigured_whenThereIsNoJournal() {
        assertThat(Recovery.initialWord(List.of(), APP)).isEqualTo(RoleWord.active(0, 0, APP));
    }

    @Test
    void shouldStartWhereTheLastMoveEnded_whenThereIsAJournal() {
        MoveRecord active = new MoveRecord(ORDER, MovePhase.ACTIVE, null);
        assertThat(Recovery.initialWord(List.of(ORDERED, active), APP)).isEqualTo(ORDER.completed());
        assertThat(Recovery.initialWord(List.of(ORDERED, ROLLED_BACK), APP)).isEqualTo(ORDER.rolledBack());
        assertThat(Recovery.initialWord(List.of(ORDERED, DRAINED), APP)).isEqualTo(ORDER);
    }

    @Test
    void shouldTellHowFarAMoveHadCome_whenAskedForItsOrder() {
        assertThat(Recovery.reached(List.of(ORDERED, DRAINED), ORDER)).isEqualTo(MovePhase.DRAINED);
        RoleWord other = ORDER.completed().ordered(11, 5, APP);
        assertThat(Recovery.reached(List.of(ORDERED, DRAINED), other)).isEqualTo(MovePhase.ORDERED);
    }
}
