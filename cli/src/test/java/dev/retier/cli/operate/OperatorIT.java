package dev.retier.cli.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.retier.agent.config.AgentConfig;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.connect.SharedStates;
import dev.retier.cli.CommandRun;
import dev.retier.cli.ExitCode;
import dev.retier.state.CasOutcome;
import dev.retier.state.RoleWord;
import dev.retier.state.SharedState;
import dev.retier.state.SlotReading;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The operator's commands as they are typed, against four agents over software iWARP beside four web-nodes. */
class OperatorIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final List<String> ALL = List.of("node-1", "node-2", "node-3", "node-4");
    private static final String SETTINGS = """
            timing: {sensitivity: 50ms, publish-interval: 50ms, read-deadline: 250ms, staleness: 3s, lease: 2s}
            decision: {moves-per-hour: 1}
            move: {drain-deadline: 5s, upstream-deadline: 9s, switch-deadline: 9s, prove-deadline: 9s, slow-start: 1h}
            """;

    @TempDir
    private Path folder;

    private CommandRun retier(OperatedCell cell, String command) {
        String[] words = Stream.concat(
                        Stream.of(command.split(" ")),
                        Stream.of("--config", cell.file().toString()))
                .toArray(String[]::new);
        return CommandRun.of(words);
    }

    /** A lock that another agent holds for a moment is no matter of this test. */
    private CommandRun order(OperatedCell cell, String command) {
        CommandRun[] last = new CommandRun[1];
        await().atMost(PATIENCE).until(() -> {
            last[0] = retier(cell, command);
            return last[0].code() != ExitCode.NO_LOCK.code();
        });
        return last[0];
    }

    private static JsonNode json(CommandRun run) {
        return JsonMapper.shared().readTree(run.out());
    }

    private String role(OperatedCell cell, String agent, String node) {
        CommandRun status = CommandRun.of(
                "status", "--agent", cell.agent(agent).adminAddress().toString(), "-o", "json");
        return json(status)
                .path("nodes")
                .valueStream()
                .filter(shown -> shown.path("node").asString().equals(node))
                .map(shown -> shown.path("role").asString())
                .findFirst()
                .orElseThrow();
    }

    private OperatedCell start() throws IOException {
        OperatedCell cell = OperatedCell.serve(folder, SETTINGS);
        cell.startAgents(ALL);
        await().atMost(PATIENCE).until(cell::isReady);
        return cell;
    }

    @Test
    void shouldMoveByHand_withinTheRails() throws IOException {
        try (OperatedCell cell = start()) {
            assertThat(retier(cell, "plan").code()).isZero();
            // Servers that have just started look busy for a moment.
            await().atMost(PATIENCE)
                    .untilAsserted(
                            () -> assertThat(retier(cell, "plan").out()).contains("shop", "stay", "NO_PRESSURE"));

            assertThat(retier(cell, "move node-3 --to shop/proxy --dry-run").code())
                    .isEqualTo(2);
            assertThat(role(cell, "node-1", "node-3")).isEqualTo("shop/app");

            CommandRun moved = order(cell, "move node-3 --to shop/proxy -o json");
            assertThat(moved.code()).as("%s %s", moved.out(), moved.err()).isZero();
            assertThat(json(moved).path("to").asString()).isEqualTo("shop/proxy");
            assertThat(json(moved).path("seconds").asDouble()).isPositive();
            assertThat(role(cell, "node-4", "node-3")).isEqualTo("shop/proxy");
            CommandRun asked = retier(cell, "status --node node-4 -o json");
            assertThat(json(asked).path("node").asString()).as(asked.err()).isEqualTo("node-4");

            CommandRun last = order(cell, "move node-4 --to shop/proxy --force");
            assertThat(last.code()).as("the last app stays").isEqualTo(3);
            assertThat(last.out()).contains("DONOR_AT_MINIMUM").doesNotContain("Exception");
            CommandRun rests = order(cell, "move node-3 --to shop/app");
            assertThat(rests.code()).isEqualTo(3);
            assertThat(rests.out()).contains("MOVE_BUDGET_SPENT", "spent its moves");

            CommandRun undone = order(cell, "undo -o json");
            assertThat(undone.code()).as("%s", undone.out()).isZero();
            assertThat(json(undone).path("to").asString()).isEqualTo("shop/app");

            JsonNode history = json(retier(cell, "history -o json"));
            assertThat(history.valueStream().map(move -> move.path("end").asString()))
                    .containsExactly("active", "active");
            assertThat(history.get(0).path("phases_seconds").has("drained")).isTrue();
            assertThat(retier(cell, "history --node node-3").out()).contains("shop/proxy", "drained");
        }
    }

    @Test
    void shouldKeepADrainedNodeOut_overRestartsOfItsAgent() throws IOException {
        try (OperatedCell cell = start()) {
            CommandRun drained = order(cell, "drain node-4");
            assertThat(drained.code()).as("%s %s", drained.out(), drained.err()).isZero();
            assertThat(role(cell, "node-1", "node-4")).isEqualTo("drained");
            assertThat(Files.readString(cell.config("node-4").node().server().roleFile()))
                    .contains("\"spare\"");
            assertThat(retier(cell, "undrain node-3").code()).isEqualTo(3);
            cell.closeAgent("node-4");
            String admin = cell.agent("node-1").adminAddress().toString();
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(
                                    CommandRun.of("status", "-o", "csv", "--agent", "127.0.0.1:1", "--agent", admin)
                                            .out())
                            .as("the second agent is asked; unknown is not idle")
                            .containsPattern("node-4,drained,active,\\d+,unknown,\"?\"?,\"?\"?,\\R"));
            cell.startAgents(List.of("node-4"));
            await().atMost(PATIENCE).until(cell::isReady);
            assertThat(role(cell, "node-1", "node-4")).isEqualTo("drained");

            CommandRun back = order(cell, "undrain node-4 --to shop/app");
            assertThat(back.code()).as("%s %s", back.out(), back.err()).isZero();
            assertThat(role(cell, "node-1", "node-4")).isEqualTo("shop/app");
            Path proxy = cell.config("node-1").node().server().roleFile();
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(Files.readString(proxy))
                            .as("it joins with a tenth of its share, node-3 has all of its")
                            .containsPattern("node-3[^}]*\"weight\" : 100[^0-9]")
                            .containsPattern("node-4[^}]*\"weight\" : 10[^0-9]"));
        }
    }

    @Test
    void shouldSayWhatChangesWouldBeWorth_besideWhatWasDecided() throws IOException {
        try (OperatedCell cell = start()) {
            String agent = cell.agent("node-1").adminAddress().toString();
            String worth =
                    "shop: stay, [A-Z_]+: .*\\R  possible: node-\\d from shop/\\w+ to shop/\\w+[^:]*: not worth it,"
                            + " [A-Z_]+: .*\\R    until the load changes: missing members \\+0\\.00, requests [+-]\\d";
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(
                                    CommandRun.of("explain", "--agent", agent).out())
                            .containsPattern(worth));
        }
    }

    @Test
    void shouldPauseAllAgents_andRememberIt() throws IOException {
        try (OperatedCell cell = start()) {
            assertThat(retier(cell, "pause").code()).isZero();
            await().atMost(PATIENCE).until(() -> ALL.stream().allMatch(node -> status(cell, node, "paused_cluster")));
            cell.closeAgent("node-1");
            cell.closeAgent("node-2");
            cell.startAgents(List.of("node-1", "node-2"));
            await().atMost(PATIENCE).until(cell::isReady);
            assertThat(status(cell, "node-2", "paused_cluster")).isTrue();
            assertThat(CommandRun.of(
                                    "status",
                                    "--agent",
                                    cell.agent("node-2").adminAddress().toString())
                            .out())
                    .contains("decisions of the cluster are paused");
            await().atMost(PATIENCE)
                    .until(() -> CommandRun.of(
                                    "explain", "--config", cell.file().toString(), "--node", "node-1")
                            .out()
                            .contains("PAUSED"));
            assertThat(retier(cell, "resume").code()).isZero();
            await().atMost(PATIENCE).until(() -> ALL.stream().noneMatch(node -> status(cell, node, "paused_cluster")));
            assertThat(retier(cell, "pause --here -o json").out()).contains("\"paused_here\" : true");
            assertThat(ALL.stream().filter(node -> status(cell, node, "paused_here")))
                    .containsExactly("node-1");
            assertThat(retier(cell, "resume --here").code()).isZero();
        }
    }

    @Test
    void shouldGiveANodeTheRoleOfItsJournal_whenAPeerHasWrittenAnother() throws IOException {
        try (OperatedCell cell = start()) {
            assertThat(retier(cell, "pause").code()).isZero();
            cell.closeAgent("node-4");
            try (SharedState peer = SharedStates.open(cell.config("node-4"), Instant.now())) {
                await().atMost(PATIENCE).until(() -> forge(peer, cell.config("node-1"), "node-3"));
            }
            await().atMost(PATIENCE).until(() -> role(cell, "node-2", "node-1").equals("shop/app"));

            assertThat(retier(cell, "repair node-1 --dry-run").code()).isEqualTo(2);
            CommandRun repaired = retier(cell, "repair node-1 -o json");
            assertThat(repaired.code())
                    .as("%s %s", repaired.out(), repaired.err())
                    .isZero();
            assertThat(json(repaired).path("journal").asString()).isEqualTo("shop/proxy");
            await().atMost(PATIENCE).until(() -> role(cell, "node-2", "node-1").equals("shop/proxy"));
            assertThat(retier(cell, "repair node-1").out()).contains("it is what the journal has");
            assertThat(retier(cell, "repair node-9").code()).isEqualTo(64);
            assertThat(retier(cell, "repair node-4").err()).contains("no control socket of node-4");
        }
    }

    /** Gives a node the role of another, as no agent would. */
    private static boolean forge(SharedState peer, AgentConfig victim, String like) {
        NodeConfig model = victim.cluster().nodeNamed(like).orElseThrow();
        return peer.look().get(victim.node().id()) instanceof SlotReading.Known known
                && peer.compareAndSetRole(
                                victim.node().id(),
                                known.roleWord(),
                                RoleWord.active(
                                        known.roleWord().epoch() + 1,
                                        known.roleWord().fence(),
                                        model.initialRole()))
                        instanceof CasOutcome.Won;
    }

    private static boolean status(OperatedCell cell, String node, String key) {
        return JsonMapper.shared()
                .readTree(cell.agent(node).statusJson())
                .path(key)
                .asBoolean();
    }

    @Test
    void shouldShowWhatAFileWouldBecome_andNameMistakes() throws IOException {
        try (OperatedCell cell = start()) {
            CommandRun same = retier(cell, "diff");
            assertThat(same.code()).as("%s", same.out()).isZero();
            CommandRun other = retier(cell, "diff --to shop/app");
            assertThat(other.code()).isEqualTo(2);
            assertThat(other.out()).containsPattern("-.*\"proxy\"").containsPattern("\\+.*\"app\"");

            CommandRun nobody = retier(cell, "move node-9 --to shop/app");
            assertThat(nobody.code()).isEqualTo(64);
            assertThat(nobody.err()).contains("node-9", "there are node-1, node-2, node-3, node-4");
            assertThat(retier(cell, "move node-1 --to shop/cellar").err())
                    .contains("shop/cellar is no role", "one of the sites shop");
            CommandRun absent = CommandRun.of(
                    "plan", "--socket", folder.resolve("none.sock").toString());
            assertThat(absent.code()).isEqualTo(1);
            assertThat(absent.err()).contains("none.sock", "as a user who may open its socket");
            assertThat(CommandRun.of("plan").code()).isEqualTo(64);
        }
    }
}
