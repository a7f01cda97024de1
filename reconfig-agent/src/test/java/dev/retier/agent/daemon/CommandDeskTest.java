package dev.retier.agent.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.agent.access.Caller;
import dev.retier.agent.access.CallerRole;
import dev.retier.agent.command.Answer;
import dev.retier.agent.command.Command;
import dev.retier.agent.command.CommandAsked;
import dev.retier.agent.http.EventRing;
import dev.retier.agent.journal.AuditJournal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CommandDeskTest {
    private static final Caller ANNA = new Caller("anna", CallerRole.OPERATOR, "10.0.0.9");

    @TempDir
    private Path folder = Path.of("");

    private CommandDesk desk(Path in) {
        return new CommandDesk(
                "node-1", in, "l1", new EventRing("l1"), _ -> Answer.of(Answer.Outcome.REFUSED, "below min"));
    }

    @Test
    void shouldKeepWhoAskedAndHowItEnded() throws Exception {
        try (CommandDesk desk = desk(folder)) {
            desk.carryOut(new Command.Plan(), ANNA);
        }

        List<CommandAsked> kept = AuditJournal.read(folder);
        assertThat(kept).hasSize(1);
        assertThat(kept.getFirst().by()).isEqualTo("anna");
        assertThat(kept.getFirst().from()).isEqualTo("10.0.0.9");
        assertThat(kept.getFirst().end()).extracting(CommandAsked.End::outcome).isEqualTo("refused");
    }

    @Test
    void shouldObeyAllTheSame_whenItsJournalCannotBeWritten() throws Exception {
        Path file = Files.writeString(folder.resolve("in the way"), "");
        try (CommandDesk desk = desk(file)) {
            assertThat(desk.carryOut(new Command.Plan(), ANNA).outcome()).isEqualTo(Answer.Outcome.REFUSED);
        }
    }

    @Test
    void shouldTellTheNewest_alsoOfAnEarlierLife() throws Exception {
        try (CommandDesk before = desk(folder)) {
            before.carryOut(new Command.Pause(false), ANNA);
        }
        try (CommandDesk desk = desk(folder)) {
            assertThat(desk.newestJson()).containsOnlyOnce("\"by\":\"anna\"").contains("\"pause\"");
            desk.carryOut(new Command.Plan(), ANNA);
            assertThat(desk.newestJson()).containsSubsequence("\"plan\"", "\"pause\"");
        }
    }

    @Test
    void shouldKeepThatItFailed_whenTheAgentDoes() throws Exception {
        EventRing events = new EventRing("l1");
        CommandDesk.Obeying mistaken = _ -> {
            throw new IllegalStateException("planned to fail");
        };
        try (CommandDesk desk = new CommandDesk("node-1", folder, "l1", events, mistaken)) {
            assertThatThrownBy(() -> desk.carryOut(new Command.Plan(), ANNA)).isInstanceOf(IllegalStateException.class);
        }

        assertThat(AuditJournal.read(folder)).singleElement().satisfies(asked -> {
            assertThat(asked.end()).extracting(CommandAsked.End::outcome).isEqualTo("failed");
            assertThat(asked.end())
                    .extracting(CommandAsked.End::detail)
                    .asString()
                    .contains("planned to fail");
        });
    }

    @Test
    void shouldKeepWhatWasRefused_withItsEndAtOnce() throws Exception {
        try (CommandDesk desk = desk(folder)) {
            desk.refused(new Command.Pause(false), ANNA, "may not");
        }

        assertThat(AuditJournal.read(folder)).singleElement().satisfies(asked -> {
            assertThat(asked.by()).isEqualTo("anna");
            assertThat(asked.end()).extracting(CommandAsked.End::outcome).isEqualTo("refused");
            assertThat(asked.end()).extracting(CommandAsked.End::detail).isEqualTo("may not");
        });
        assertThat(Files.readAllLines(AuditJournal.file(folder))).hasSize(1);
    }

    /** An operator whose command ends with the agent is still told how. */
    @Test
    void shouldAnswerAllTheSame_whenItIsClosed() throws IOException, InterruptedException {
        CommandDesk desk = desk(folder);
        desk.close();

        assertThat(desk.carryOut(new Command.Plan(), ANNA).outcome()).isEqualTo(Answer.Outcome.REFUSED);
    }
}
