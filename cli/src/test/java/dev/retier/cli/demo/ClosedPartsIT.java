package dev.retier.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.load.drive.Connections;
import dev.retier.load.report.EndReason;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** All parts real: web-nodes, agents, the shared state over soft-iwarp, and load; some of them end meanwhile. */
class ClosedPartsIT {
    private static final long REQUESTS_PER_BURST = 2_500;

    @TempDir
    private Path directory;

    private final StringWriter out = new StringWriter();

    @Test
    void shouldGoOnServingAndSaySo_whenAWebNodeAndAnAgentAreClosed() throws Exception {
        DemoSettings settings = new DemoSettings(
                5,
                null,
                null,
                REQUESTS_PER_BURST,
                Duration.ofSeconds(10),
                Duration.ofMillis(50),
                Duration.ofMillis(200),
                32,
                Connections.SPREAD,
                1,
                List.of(Closure.parse("web-node:2@2s"), Closure.parse("agent:4@3s")));
        assertThat(settings.problems()).isEmpty();

        PassResult pass;
        try (Demo.Passes passes = new Demo(settings, new PrintWriter(out, true), false).begin()) {
            pass = passes.reconfigured(directory);
        }

        assertThat(pass.load().end()).isEqualTo(EndReason.TRACE_END);
        assertThat(pass.load().totals().answered())
                .as("a client that meets the closed port counts a failure; the others go on")
                .isGreaterThan(2 * REQUESTS_PER_BURST * 97 / 100);
        assertThat(pass.incidents())
                .anyMatch(line -> line.contains("web-node of node-2 closed"))
                .anyMatch(line -> line.contains("node-2 is left out"))
                .anyMatch(line -> line.contains("agent of node-4 closed"));
        assertThat(out.toString()).contains("web-node of node-2 closed", "node-2 is left out");
    }
}
