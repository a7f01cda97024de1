package dev.retier.agent.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.agent.command.Answer;
import dev.retier.agent.command.CommandAsked;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditJournalTest {
    private static final Instant AT = Instant.parse("2026-11-29T10:00:00.5Z");

    @TempDir
    private Path folder = Path.of("");

    private static CommandAsked asked(int number) {
        return new CommandAsked(
                "l1-" + number, AT.plusSeconds(number), "anna", "10.0.0.9", "{\"command\":\"plan\"}", null);
    }

    private static CommandAsked ended(CommandAsked asked) {
        return asked.ended(AT.plusSeconds(60), Answer.of(Answer.Outcome.REFUSED, "below min\n\u001b[2J \"ü\""));
    }

    private AuditJournal open(long maxFileBytes) throws IOException {
        return AuditJournal.open(folder.resolve("node"), maxFileBytes);
    }

    private List<CommandAsked> read() throws IOException {
        return AuditJournal.read(folder.resolve("node"));
    }

    @Test
    void shouldTellEachCommandOnce_withItsEnd() throws IOException {
        try (AuditJournal journal = open(1 << 20)) {
            journal.append(asked(1));
            journal.append(asked(2));
            journal.append(ended(asked(1)));
        }

        assertThat(read()).containsExactly(ended(asked(1)), asked(2));
        assertThat(Files.getPosixFilePermissions(AuditJournal.file(folder.resolve("node"))))
                .isEqualTo(PosixFilePermissions.fromString("rw-r-----"));
    }

    @Test
    void shouldHaveNone_whenThereIsNoJournal() throws IOException {
        assertThat(read()).isEmpty();
    }

    @Test
    void shouldGoOnBehindALine_thatACrashCutShort() throws IOException {
        try (AuditJournal journal = open(1 << 20)) {
            journal.append(asked(1));
            Files.writeString(
                    AuditJournal.file(folder.resolve("node")), "{\"id\":\"l1-2\",\"at\"", StandardOpenOption.APPEND);
            journal.append(asked(3));
        }
        Files.write(
                AuditJournal.file(folder.resolve("node")), new byte[] {(byte) 0xff, '{'}, StandardOpenOption.APPEND);
        try (AuditJournal journal = open(1 << 20)) {
            journal.append(asked(4));
        }

        assertThat(read()).containsExactly(asked(1), asked(3), asked(4));
        assertThat(AuditJournal.unreadable(folder.resolve("node"))).isEqualTo(2);
    }

    @Test
    void shouldKeepTwoFiles_whenTheyAreFull() throws IOException {
        int lineBytes = asked(10).print().length() + 1;
        try (AuditJournal journal = open(3L * lineBytes)) {
            for (int i = 10; i < 20; i++) {
                journal.append(asked(i));
            }
        }

        assertThat(read()).extracting(CommandAsked::id).containsExactly("l1-16", "l1-17", "l1-18", "l1-19");
    }

    @Test
    void shouldMakeItsFileAnew_whenItWasMovedAway() throws IOException {
        Path file = AuditJournal.file(folder.resolve("node"));
        try (AuditJournal journal = open(1 << 20)) {
            journal.append(asked(1));
            Files.move(file, folder.resolve("taken-by-logrotate"));
            journal.append(asked(2));
            Files.delete(file);
            journal.append(asked(3));
        }

        assertThat(read()).containsExactly(asked(3));
    }

    @Test
    void shouldMakeItsFileAnew_whenAFullOneWasMovedAway() throws IOException {
        try (AuditJournal journal = open(1)) {
            journal.append(asked(1));
            Files.delete(AuditJournal.file(folder.resolve("node")));
            journal.append(asked(2));
        }

        assertThat(read()).containsExactly(asked(2));
    }

    @Test
    void shouldGoOn_whenARotationHasFailed() throws IOException {
        Path file = AuditJournal.file(folder.resolve("node"));
        try (AuditJournal journal = open(1)) {
            journal.append(asked(1));
            Files.delete(file);
            Files.createDirectory(file);
            assertThatThrownBy(() -> journal.append(asked(2))).isInstanceOf(IOException.class);
            Files.delete(file);
            journal.append(asked(3));
        }

        assertThat(read()).containsExactly(asked(3));
    }
}
