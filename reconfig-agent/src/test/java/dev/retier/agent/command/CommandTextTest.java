package dev.retier.agent.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.command.Command.Manner;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommandTextTest {
    private static final Manner FORCED = new Manner(false, true);
    private static final List<Command> ALL = List.of(
            new Command.Plan(),
            new Command.Move("web-1", "shop/proxy", FORCED),
            new Command.Drain("web-1", new Manner(true, false)),
            new Command.Undrain("web-1", null, FORCED),
            new Command.Undrain("web-1", "shop/app", FORCED),
            new Command.Undo(FORCED),
            new Command.Repair("node-1", true),
            new Command.Pause(true),
            new Command.Resume(false),
            new Command.Diff(null),
            new Command.Diff("spare"));

    @Test
    void shouldReadWhatItPrints() {
        assertThat(ALL)
                .allSatisfy(command -> assertThat(CommandText.parse(CommandText.print(command)))
                        .contains(command));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "move",
                "[]",
                "{\"command\":\"frobnicate\"}",
                "{\"node\":\"web-1\"}",
                "{\"command\":\"move\",\"node\":\"web-1\"}",
                "{\"command\":\"move\",\"node\":7,\"to\":\"spare\"}",
                "{\"command\":\"move\",\"node\":\"web-1\",\"to\":\"spare\",\"force\":\"yes\"}",
                "{\"command\":\"pause\",\"secret\":\"x\"}",
                "{\"command\":\"plan\",\"command\":\"pause\"}",
                "{\"command\":\"drain\"}"
            })
    void shouldRefuse_whenALineIsNoCommand(String line) {
        assertThat(CommandText.parse(line)).isEmpty();
    }

    @Test
    void shouldRefuse_whenAValueOrALineIsTooLong() {
        assertThat(CommandText.parse("{\"command\":\"drain\",\"node\":\"" + "x".repeat(129) + "\"}"))
                .isEmpty();
        assertThat(CommandText.parse("{\"command\":\"plan\"" + " ".repeat(CommandText.MAX_LENGTH) + "}"))
                .isEmpty();
    }

    @Test
    void shouldReadAnswers_andNothingElse() {
        Answer answer = Answer.of(Answer.Outcome.NO_LOCK, "by 3");
        assertThat(Answer.parse(answer.print())).contains(answer);
        assertThat(Answer.parse("{\"outcome\":\"splendid\"}")).isEmpty();
        assertThat(Answer.parse("no")).isEmpty();
    }
}
