package dev.retier.cli.token;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.access.CallerRole;
import dev.retier.agent.access.Tokens;
import dev.retier.cli.CommandRun;
import java.util.List;
import org.junit.jupiter.api.Test;

class TokenCommandTest {
    @Test
    void shouldPrintATokenAndTheLineThatKnowsIt() {
        CommandRun run = CommandRun.of("token", "new", "prometheus", "--role", "viewer");
        assertThat(run.code()).as(run.err()).isZero();
        List<String> lines = run.out().lines().toList();
        assertThat(lines.getFirst()).hasSize(43).matches("[A-Za-z0-9_-]+");
        assertThat(Tokens.parse(lines.getLast(), "tokens").owner(lines.getFirst()))
                .contains(new Tokens.Owner("prometheus", CallerRole.VIEWER));
        assertThat(CommandRun.of("token", "new", "prometheus", "--role", "viewer")
                        .out())
                .doesNotContain(lines.getFirst());
    }

    @Test
    void shouldRefuseRolesAndNamesThatAreNone() {
        assertThat(CommandRun.of("token", "new", "x", "--role", "none").code()).isEqualTo(64);
        CommandRun run = CommandRun.of("token", "new", "a:b", "--role", "operator");
        assertThat(run.out()).as("no token that no line is for").isEmpty();
        assertThat(run.code()).isEqualTo(64);
        assertThat(run.err()).contains("\"a:b\" is no name");
    }
}
