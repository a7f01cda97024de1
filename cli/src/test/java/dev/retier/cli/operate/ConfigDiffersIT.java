package dev.retier.cli.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.retier.cli.CommandRun;
import dev.retier.cli.ExitCode;
import dev.retier.link.NodeId;
import dev.retier.testsupport.Logged;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** Agents with cluster files that differ, over software iWARP beside four web-nodes. */
class ConfigDiffersIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String SETTINGS = """
            timing: {sensitivity: 50ms, publish-interval: 50ms, read-deadline: 250ms, staleness: 3s, lease: 2s}
            move: {drain-deadline: 5s, upstream-deadline: 9s, switch-deadline: 9s, prove-deadline: 9s}
            """;

    @TempDir
    private Path folder;

    private static CommandRun status(OperatedCell cell, String agent, String format) {
        return CommandRun.of(
                "status", "--agent", cell.agent(agent).adminAddress().toString(), "-o", format);
    }

    /** The nodes of which that agent says that their files differ from its own. */
    private static List<String> differing(OperatedCell cell, String agent) {
        return JsonMapper.shared()
                .readTree(status(cell, agent, "json").out())
                .path("nodes")
                .valueStream()
                .filter(node -> node.path("config_differs").asBoolean())
                .map(node -> node.path("node").asString())
                .toList();
    }

    @Test
    void shouldShowItAndMoveNothing_whenOneAgentHasAnotherSiteName() throws IOException {
        try (Logged logged = new Logged();
                OperatedCell cell = OperatedCell.serve(folder, SETTINGS)) {
            cell.startAgents(List.of("node-1", "node-2", "node-3"));
            cell.rewrite("shop", "boutique");
            cell.startAgents(List.of("node-4"));
            cell.rewrite("shop", "shop");

            await().atMost(PATIENCE).untilAsserted(() -> {
                assertThat(differing(cell, "node-1")).containsExactly("node-4");
                assertThat(differing(cell, "node-4")).containsExactly("node-1", "node-2", "node-3");
                assertThat(status(cell, "node-1", "table").out()).contains("differs", "CONFIG_DIFFERS");
            });
            await().atMost(PATIENCE).until(cell::isReady);
            String config = cell.file().toString();
            CommandRun refused = CommandRun.of("move", "node-3", "--to", "shop/proxy", "--config", config);
            assertThat(refused.code()).isEqualTo(ExitCode.REFUSED.code());
            assertThat(refused.out() + refused.err()).contains("CONFIG_DIFFERS", "node-4");
            assertThat(cell.agent("node-3").view().maxEpoch()).isZero();

            assertThat(logged.warnings("node-4 has another cluster file"))
                    .as("one at each of the others")
                    .hasSize(3);

            cell.closeAgent("node-4");
            cell.startAgents(List.of("node-4"));
            await().atMost(PATIENCE)
                    .until(() -> cell.isReady()
                            && differing(cell, "node-1").isEmpty()
                            && differing(cell, "node-4").isEmpty());
            await().atMost(PATIENCE)
                    .until(() -> CommandRun.of("move", "node-3", "--to", "shop/proxy", "--config", config)
                                    .code()
                            == 0);
        }
    }

    @Test
    void shouldDifferUntilAllHaveIt_whenAFileThatIsTakenOverWhileRunningIsRolledOut() throws IOException {
        List<String> all = List.of("node-1", "node-2", "node-3", "node-4");
        try (OperatedCell cell = OperatedCell.serve(folder, SETTINGS)) {
            cell.startAgents(all);
            await().atMost(PATIENCE).until(cell::isReady);
            cell.rewrite("app: {min: 1, max: 3}", "app: {min: 2, max: 3}");

            assertThat(cell.agent("node-2").reconfigure(cell.cluster()).restart())
                    .isEmpty();
            await().atMost(PATIENCE).untilAsserted(() -> {
                assertThat(cell.agent("node-1").view().differing()).containsExactly(new NodeId(2));
                assertThat(differing(cell, "node-2")).containsExactly("node-1", "node-3", "node-4");
            });

            List.of("node-1", "node-3", "node-4")
                    .forEach(name -> cell.agent(name).reconfigure(cell.cluster()));
            await().atMost(PATIENCE)
                    .until(() -> cell.isReady()
                            && all.stream()
                                    .allMatch(name -> differing(cell, name).isEmpty()));
        }
    }
}
