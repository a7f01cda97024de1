package dev.retier.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.cli.tools.Tools;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class ToolCommandsTest {
    @Test
    void shouldNameAllThatTheyAre() {
        assertThat(new Tools().commands())
                .extracting(tool -> tool.getAnnotation(Command.class).name())
                .containsExactlyElementsOf(ToolCommands.NAMES);
    }

    @Test
    void shouldSayInWhichPackageACommandIs_whenItIsNotInstalled() {
        StringWriter err = new StringWriter();
        CommandLine elsewhere = new CommandLine(new RetierCommand());
        elsewhere.addSubcommand("load", new ElsewhereCommand()).setCaseInsensitiveEnumValuesAllowed(true);
        elsewhere.setExecutionExceptionHandler((failure, _, _) -> {
            err.append(failure.getMessage());
            return failure instanceof CommandFailure known ? known.exitCode().code() : -1;
        });
        elsewhere.setErr(new PrintWriter(err));

        int code = elsewhere.execute("load", "http://127.0.0.1:1", "-c", "8");

        assertThat(code).isEqualTo(64);
        assertThat(err.toString())
                .contains("load is in the package retier-tools")
                .contains("apt-get install");
    }
}
