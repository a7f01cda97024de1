package dev.retier.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.cli.demo.Demo;
import dev.retier.cli.demo.DemoResult;
import dev.retier.cli.demo.DemoSettings;
import dev.retier.cli.demo.PassResult;
import dev.retier.cli.demo.PassResult.EndedMove;
import dev.retier.cli.demo.PassResult.TierSizes;
import dev.retier.load.drive.Connections;
import dev.retier.load.report.EndReason;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** All parts real: web-nodes, agents, the shared state over soft-iwarp, and load. */
class DemoIT {
    private static final int NODES = 5;
    private static final long REQUESTS_PER_BURST = 2_500;

    @TempDir
    private Path directory;

    private final StringWriter out = new StringWriter();

    private DemoResult run() throws Exception {
        DemoSettings settings = new DemoSettings(
                NODES,
                null,
                null,
                REQUESTS_PER_BURST,
                Duration.ofSeconds(10),
                Duration.ofMillis(50),
                Duration.ofMillis(200),
                32,
                Connections.SPREAD,
                1,
                List.of());
        assertThat(settings.problems()).isEmpty();
        return new Demo(settings, new PrintWriter(out, true), false).run(directory);
    }

    @Test
    void shouldMoveNodesToThePressedTierWithoutLosingARequest() throws Exception {
        DemoResult result = run();

        assertThat(result.rigid().moves()).isEmpty();
        PassResult reconfigured = result.reconfigured();
        assertThat(reconfigured.load().end()).isEqualTo(EndReason.TRACE_END);
        assertThat(reconfigured.load().totals().failed()).as(out.toString()).isZero();
        assertThat(reconfigured.load().totals().answered()).isEqualTo(2 * REQUESTS_PER_BURST);
        assertThat(reconfigured.moves()).extracting(EndedMove::to).contains("shop/proxy", "shop/app");
        assertThat(reconfigured.moves()).extracting(EndedMove::outcome).containsOnly("active");
        assertThat(reconfigured.sizes())
                .extracting(TierSizes::proxies)
                .as("proxies while static requests come, and while dynamic ones come")
                .contains(NODES - 1, 1);
        assertThat(reconfigured.sizes()).allMatch(sizes -> sizes.proxies() >= 1 && sizes.apps() >= 1);
    }
}
