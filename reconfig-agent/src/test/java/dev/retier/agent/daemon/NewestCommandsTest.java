package dev.retier.agent.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.command.Answer;
import dev.retier.agent.command.CommandAsked;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class NewestCommandsTest {
    private static final Instant AT = Instant.parse("2026-11-29T10:00:00Z");

    private static CommandAsked asked(int number) {
        return new CommandAsked("l1-" + number, AT, "anna", "10.0.0.9", "{\"command\":\"plan\"}", null);
    }

    private static CommandAsked ended(int number, String detail) {
        return asked(number).ended(AT, Answer.of(Answer.Outcome.DONE, detail));
    }

    private static Stream<String> ids(NewestCommands commands) {
        return JsonMapper.shared()
                .readTree(commands.json())
                .path("commands")
                .valueStream()
                .map(one -> one.path("id").asString());
    }

    @Test
    void shouldHaveTheNewestFirst_withThoseOfAnEarlierLife() {
        NewestCommands commands = new NewestCommands(List.of(ended(1, ""), asked(2)));
        commands.add(ended(3, ""));

        assertThat(ids(commands)).as("but for one without an end").containsExactly("l1-3", "l1-1");
    }

    @Test
    void shouldForgetTheOldest_whenThereAreMany() {
        NewestCommands commands = new NewestCommands(
                IntStream.rangeClosed(1, 500).mapToObj(i -> ended(i, "")).toList());

        assertThat(ids(commands)).hasSize(NewestCommands.MOST).contains("l1-500", "l1-401");
    }

    @Test
    void shouldLeaveOutTheOldest_whenAPageIsFull() {
        NewestCommands commands = new NewestCommands(IntStream.rangeClosed(1, 50)
                .mapToObj(i -> ended(i, "d".repeat(2_000)))
                .toList());

        assertThat(commands.json().length()).isLessThan(NewestCommands.MOST_CHARACTERS + 10);
        assertThat(ids(commands)).contains("l1-50", "l1-40").doesNotContain("l1-1");
    }
}
