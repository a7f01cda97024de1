package dev.retier.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.load.drive.Connections;
import dev.retier.load.measure.TargetTotals;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** All parts real, and clients that keep their connections while their proxy is there. */
class StayingClientsIT {
    private static final int NODES = 5;
    private static final long REQUESTS_PER_BURST = 7_000;

    @TempDir
    private Path directory;

    private final StringWriter out = new StringWriter();

    /** Before proxies let connections go, those that came answered next to nothing. */
    @Test
    void shouldSpreadOverAllProxiesWithoutLosingARequest_whenTheirTierGrows() throws Exception {
        DemoSettings settings = new DemoSettings(
                NODES,
                null,
                null,
                REQUESTS_PER_BURST,
                Duration.ofSeconds(1),
                Duration.ofMillis(50),
                Duration.ofMillis(200),
                32,
                Connections.STAY,
                1,
                List.of());

        PassResult pass;
        try (Demo.Passes passes = new Demo(settings, new PrintWriter(out, true), false).begin()) {
            pass = passes.reconfigured(directory);
        }

        assertThat(pass.load().totals().failed()).as(out.toString()).isZero();
        assertThat(pass.load().totals().answered()).isEqualTo(2 * REQUESTS_PER_BURST);
        String shares = pass.load().targets().stream()
                .map(target -> target.target() + ": " + target.answered())
                .collect(Collectors.joining(", "));
        assertThat(pass.load().targets())
                .as("proxies that answered their share of the static burst")
                .filteredOn(target -> target.answered() > REQUESTS_PER_BURST / 10)
                .as(shares)
                .extracting(TargetTotals::target)
                .hasSizeGreaterThanOrEqualTo(NODES - 1);
    }
}
