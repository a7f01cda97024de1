package dev.retier.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.config.SecretSource;
import dev.retier.agent.server.WithheldVariables;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ShellTest {
    private static final Set<String> NEEDED = Set.of("PATH", "HOME", "JAVA_HOME", "TMPDIR", "LC_ALL");

    @Test
    void shouldHideTheSecretsVariable_whenACommandIsRun() throws InterruptedException {
        String variable = System.getenv().keySet().stream()
                .filter(name -> !NEEDED.contains(name))
                .findFirst()
                .orElseThrow();
        assertThat(Shell.ended(List.of("/usr/bin/env")).output()).contains(variable + "=");

        WithheldVariables.withhold(new SecretSource.InEnvironment(variable));

        assertThat(Shell.ended(List.of("/usr/bin/env")).output().lines())
                .noneMatch(line -> line.startsWith(variable + "="))
                .contains("LC_ALL=C");
    }
}
