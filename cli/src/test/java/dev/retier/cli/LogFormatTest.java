package dev.retier.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class LogFormatTest {
    private static final LoggerContext CONTEXT = new LoggerContext();
    private static final String NASTY = "a \"quote\", \u001b[2J, a\nline, ü and \\";

    private static LoggingEvent event() {
        LoggingEvent event = new LoggingEvent(
                "here",
                CONTEXT.getLogger("dev.retier.agent"),
                Level.WARN,
                "{} of {}",
                new IllegalStateException(NASTY),
                new Object[] {NASTY, 7});
        event.setTimeStamp(1_767_225_600_123L);
        event.setKeyValuePairs(List.of(new KeyValuePair("epoch", 7L), new KeyValuePair("reason", NASTY)));
        return event;
    }

    private static String line(LogFormat format) {
        return new String(LogConfiguration.encoder(CONTEXT, format).encode(event()), StandardCharsets.UTF_8);
    }

    @Test
    void shouldBeOneObjectALine_asJson() {
        String line = line(LogFormat.JSON);
        assertThat(line).endsWith("\n");
        assertThat(line.strip()).doesNotContain("\n").doesNotContain("\u001b");
        JsonNode parsed = JsonMapper.shared().readTree(line);
        assertThat(parsed.path("time").asString()).isEqualTo("2026-01-01T00:00:00.123Z");
        assertThat(parsed.path("level").asString()).isEqualTo("WARN");
        assertThat(parsed.path("loggerName").asString()).isEqualTo("dev.retier.agent");
        assertThat(parsed.path("formattedMessage").asString()).isEqualTo(NASTY + " of 7");
        assertThat(parsed.path("epoch").isNumber()).isTrue();
        assertThat(parsed.path("reason").asString()).isEqualTo(NASTY);
        assertThat(parsed.path("throwable").path("message").asString()).isEqualTo(NASTY);
    }

    @Test
    void shouldShowNoKeys_asText() {
        assertThat(line(LogFormat.TEXT))
                .contains("WARN  agent: " + NASTY + " of 7\n")
                .doesNotContain("reason=");
    }

    @Test
    void shouldBeTakenBeforeTheCommandAndBehindIt() {
        assertThat(asked("--log-format", "json", "version")).isEqualTo(LogFormat.JSON);
        assertThat(asked("version", "--log-format", "json")).isEqualTo(LogFormat.JSON);
        assertThat(asked("version")).isEqualTo(LogFormat.TEXT);
    }

    private static LogFormat asked(String... arguments) {
        CommandLine main = Main.commandLine();
        main.parseArgs(arguments);
        return ((RetierCommand) main.getCommandSpec().userObject()).logFormat();
    }

    @Test
    void shouldRefuseAnotherOne() {
        CommandRun run = CommandRun.of("version", "--log-format", "xml");
        assertThat(run.code()).isEqualTo(ExitCode.USAGE.code());
        assertThat(run.err()).contains("--log-format").contains("TEXT, JSON");
    }
}
