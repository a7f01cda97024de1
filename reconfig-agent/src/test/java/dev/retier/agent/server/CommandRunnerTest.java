package dev.retier.agent.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CommandRunnerTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    /** Set in nearly every environment, and needed by no command of a test. */
    private static final String VARIABLE = "HOME";

    @Test
    void shouldHideTheVariableFromACommand_whenItIsWithheld() throws InterruptedException {
        assumeTrue(System.getenv(VARIABLE) != null, "this environment has no " + VARIABLE);

        WithheldVariables.withhold(VARIABLE);

        CommandRunner.Outcome outcome =
                CommandRunner.run(List.of("/bin/sh", "-c", "echo \"[${" + VARIABLE + "-nothing}]\""), PATIENCE);
        assertThat(outcome.output()).isEqualTo("[nothing]\n");
    }

    @Test
    void shouldKeepTheBegin_whenACommandSaysMoreThanMemoryIsFor() throws InterruptedException {
        CommandRunner.Outcome outcome =
                CommandRunner.run(List.of("/usr/bin/head", "-c", "20000000", "/dev/zero"), PATIENCE);
        assertThat(outcome.isGood()).isTrue();
        assertThat(outcome.isCut()).isTrue();
        assertThat(outcome.output().length()).isLessThan(9_000_000);
    }

    /**
     * As on a busy machine, where what was said is read later. It ends while its output is waited for: what comes after
     * the end of a process whose output nobody waits for is lost in the JDK.
     */
    @Test
    void shouldReadWhatComesLate_whenNobodyIsLeftBehind() throws InterruptedException {
        List<String> words = List.of("/bin/sh", "-c", "(sleep 2; echo late) & echo soon; sleep 0.3");

        assertThat(CommandRunner.ask(words, PATIENCE).output()).isEqualTo("soon\nlate\n");
        assertThat(CommandRunner.run(words, PATIENCE).output())
                .as("of a server that it has started")
                .isEqualTo("soon\n");
    }

    @Test
    void shouldKeepOtherVariables_whenOneIsWithheld() {
        Map<String, String> environment = new HashMap<>(Map.of("RETIER_SECRET_OF_A_TEST", "s", "LANG", "C"));

        WithheldVariables.withhold("RETIER_SECRET_OF_A_TEST");
        WithheldVariables.removeFrom(environment);

        assertThat(environment).isEqualTo(Map.of("LANG", "C"));
    }
}
