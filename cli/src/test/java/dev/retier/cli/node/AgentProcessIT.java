package dev.retier.cli.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.retier.agent.command.PastMove;
import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.journal.Journal;
import dev.retier.agent.move.MovePhase;
import dev.retier.agent.move.RollbackReason;
import dev.retier.agent.server.HttpFetch;
import dev.retier.cli.CommandRun;
import dev.retier.cli.ExitCode;
import dev.retier.cli.Main;
import dev.retier.cli.operate.OperatedCell;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The agent of one node, and in some tests its server, as processes of their own; all others in this process. */
class AgentProcessIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int TERMINATED = 128 + 15;
    private static final String NODE = "node-4";
    /** Before it is spare, an app is to be quiet for three seconds here: a signal comes in the middle of that. */
    private static final String SETTINGS = """
            mode: act
            timing: {sensitivity: 50ms, publish-interval: 50ms, read-deadline: 250ms, staleness: 3s, lease: 2s}
            move: {drain-deadline: 8s, quiet-time: 3s, upstream-deadline: 9s, switch-deadline: 9s, prove-deadline: 9s}
            """;

    @TempDir
    private Path folder;

    private OperatedCell cell;
    private Process agent;
    private @Nullable Process server;
    private String admin;

    @BeforeEach
    void startCell() throws IOException {
        cell = OperatedCell.serve(folder, SETTINGS);
        cell.startAgents(List.of("node-1", "node-2", "node-3"));
        admin = cell.config(NODE).node().agentAdmin().toString();
        agent = startProcess();
        await().atMost(PATIENCE).until(cell::isReady);
    }

    @AfterEach
    void endAll() throws InterruptedException {
        agent.destroyForcibly().waitFor();
        if (server != null) {
            server.destroyForcibly().waitFor();
        }
        cell.close();
    }

    private Process startProcess() throws IOException {
        return start("agent", "--config", cell.file().toString(), "--node", NODE);
    }

    /** The server of the node as a process, in place of the one in this process. */
    private Process startServer() throws IOException {
        ServerConfig own = cell.config(NODE).node().server();
        Path settings = Files.writeString(
                folder.resolve("web-node.json"), """
                {"node": "%s", "listen": "%s", "admin": "%s", "role-file": "%s", "capacity-units-per-second": 1000}
                """.formatted(NODE, own.address(), own.admin(), own.roleFile()));
        return start("web-node", "--config", settings.toString());
    }

    private Process start(String... arguments) throws IOException {
        return start(System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")), arguments);
    }

    /** What users run: without the files by which tests say what is logged. */
    private static String withoutConfigurations(String classPath) {
        return Arrays.stream(classPath.split(File.pathSeparator, -1))
                .filter(entry -> !entry.contains("test-support") && !Files.exists(Path.of(entry, "logback-test.xml")))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private Process start(String classPath, String[] arguments) throws IOException {
        // Whoever runs the tests in the background may have had the signal ignored, which children inherit.
        List<String> words = new ArrayList<>(List.of(
                "/usr/bin/env",
                "--default-signal=HUP",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classPath,
                Main.class.getName()));
        words.addAll(List.of(arguments));
        return new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
                .start();
    }

    private Path log() {
        return folder.resolve("agent.log");
    }

    private void signal(String name) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("/bin/sh", "-c", "kill -" + name + " " + agent.pid())
                        .start()
                        .waitFor())
                .isZero();
    }

    private List<PastMove> journal() {
        return PastMove.of(Journal.entries(cell.config(NODE).journalDirectory()));
    }

    private boolean hasReached(MovePhase phase) {
        return !journal().isEmpty() && journal().getLast().end() == phase;
    }

    private boolean isDraining() {
        return !journal().isEmpty() && journal().getLast().end() == MovePhase.UPSTREAM_PROVEN;
    }

    private String socket(String name) {
        return cell.config(name).controlSocket().toString();
    }

    private CompletableFuture<CommandRun> move() {
        String socket = socket("node-1");
        return CompletableFuture.supplyAsync(() -> {
            CommandRun[] last = new CommandRun[1];
            await().atMost(PATIENCE).until(() -> {
                last[0] = CommandRun.of("move", NODE, "--to", "spare", "--force", "--socket", socket);
                return last[0].code() != ExitCode.NO_LOCK.code();
            });
            return last[0];
        });
    }

    /** In exactly one role again, as every agent sees it, and the server in it. */
    private void assertServesAs(String role) {
        String word = role.substring(role.indexOf('/') + 1);
        await().atMost(PATIENCE).ignoreExceptionsInstanceOf(IOException.class).untilAsserted(() -> {
            assertThat(cell.isReady()).isTrue();
            assertThat(shown("node-1").path("role").asString()).isEqualTo(role);
            assertThat(shown("node-1").path("phase").asString()).isEqualTo("active");
            assertThat(Files.readString(cell.config(NODE).node().server().roleFile()))
                    .contains("\"" + word + "\"");
            assertThat(shown("node-1").path("server").asString()).isEqualTo("up");
            try (HttpFetch fetch =
                    new HttpFetch(cell.config(NODE).node().server().admin())) {
                assertThat(fetch.get("/status", PATIENCE).body()).contains("\"role\":\"" + word + "\"");
            }
        });
    }

    private JsonNode shown(String by) {
        return JsonMapper.shared()
                .readTree(cell.agent(by).statusJson())
                .path("nodes")
                .valueStream()
                .filter(node -> node.path("node").asString().equals(NODE))
                .findFirst()
                .orElseThrow();
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void shouldEnd_whenTheFileOfItsServerIsWrittenByTheAgentOfAnotherCluster() throws Exception {
        String text = Files.readString(cell.file());
        Path other = Files.writeString(
                folder.resolve("other.yaml"),
                text.replace("name: operated", "name: other")
                        .replace(
                                folder.resolve("journal").toString(),
                                folder.resolve("other-journal").toString()));
        CommandRun run = CommandRun.of("agent", "--config", other.toString(), "--node", NODE);
        assertThat(run.code()).as("%s", run).isEqualTo(ExitCode.FAILED.code());
        assertThat(run.err())
                .contains(cell.config(NODE).node().server().roleFile() + ": another agent or edge of this machine");
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void shouldUndoItsMove_whenItIsTerminated() throws Exception {
        CompletableFuture<CommandRun> move = move();
        await().atMost(PATIENCE).until(this::isDraining);
        signal("TERM");
        assertThat(agent.waitFor(cell.cluster().move().total().toSeconds() + 10, TimeUnit.SECONDS))
                .isTrue();
        assertThat(agent.exitValue()).isEqualTo(TERMINATED);
        assertThat(journal().getLast().end()).isEqualTo(MovePhase.ROLLED_BACK);
        assertThat(journal().getLast().reason()).isEqualTo(RollbackReason.AGENT_LEAVING);
        assertThat(move.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).code())
                .as("%s", move.join())
                .isEqualTo(ExitCode.ROLLED_BACK.code());
        agent = startProcess();
        assertServesAs("shop/app");
    }

    /** Its server is gone while it should switch, so that the signal comes in the middle of that, and comes back. */
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void shouldFinishItsMove_whenItIsTerminatedOnceTheSwitchHasBegun() throws Exception {
        CompletableFuture<CommandRun> move = move();
        await().atMost(PATIENCE).until(this::isDraining);
        cell.endServer(NODE);
        await().atMost(PATIENCE).until(() -> hasReached(MovePhase.SWITCHING));
        signal("TERM");
        cell.startServer(NODE);
        assertThat(agent.waitFor(cell.cluster().move().total().toSeconds() + 10, TimeUnit.SECONDS))
                .isTrue();
        assertThat(agent.exitValue()).isEqualTo(TERMINATED);
        assertThat(journal().getLast().end()).as("%s", journal()).isEqualTo(MovePhase.ACTIVE);
        assertThat(move.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).code())
                .as("%s", move.join())
                .isZero();
        agent = startProcess();
        assertServesAs("spare");
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void shouldFindItsMoveAndUndoIt_whenItWasKilled() throws Exception {
        CompletableFuture<CommandRun> move = move();
        await().atMost(PATIENCE).until(this::isDraining);
        agent.destroyForcibly().waitFor();
        agent = startProcess();
        await().atMost(PATIENCE).until(() -> journal().getLast().end() == MovePhase.ROLLED_BACK);
        assertThat(journal().getLast().reason()).isEqualTo(RollbackReason.FOUND_UNFINISHED);
        assertThat(move.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).code()).isNotZero();
        assertServesAs("shop/app");
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void shouldEndInOneRole_whenItsServerIsKilledInItsMove() throws Exception {
        cell.endServer(NODE);
        server = startServer();
        assertServesAs("shop/app");
        CompletableFuture<CommandRun> move = move();
        await().atMost(PATIENCE).until(this::isDraining);
        server.destroyForcibly().waitFor();
        server = startServer();
        CommandRun ended = move.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertThat(journal().getLast().end().isFinal()).as("%s", ended).isTrue();
        assertServesAs(hasReached(MovePhase.ACTIVE) ? "spare" : "shop/app");
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void shouldEndInOneRole_whenItAndItsServerAreKilledInItsMove() throws Exception {
        cell.endServer(NODE);
        server = startServer();
        assertServesAs("shop/app");
        CompletableFuture<CommandRun> move = move();
        await().atMost(PATIENCE).until(this::isDraining);
        server.destroyForcibly();
        agent.destroyForcibly().waitFor();
        server.waitFor();
        server = startServer();
        agent = startProcess();
        await().atMost(PATIENCE).until(() -> journal().getLast().end() == MovePhase.ROLLED_BACK);
        assertThat(move.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).code()).isNotZero();
        assertServesAs("shop/app");
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void shouldReadItsFileAgain_whenItIsToldTo() throws Exception {
        cell.rewrite("mode: act", "mode: recommend");
        signal("HUP");
        await().atMost(PATIENCE).until(() -> status().path("mode").asString().equals("recommend"));

        cell.rewrite("staleness: 3s, lease: 2s", "staleness: 4s, lease: 3s");
        signal("HUP");
        await().atMost(PATIENCE).until(() -> Files.readString(log()).contains("restart the agent for"));
        assertThat(Files.readString(log())).contains("timing.staleness, timing.lease");
        assertThat(status().path("mode").asString()).as("nothing of it").isEqualTo("recommend");

        Files.writeString(cell.file(), "name: [broken");
        signal("HUP");
        await().atMost(PATIENCE).until(() -> Files.readString(log()).contains("cluster.yaml:1"));
        assertThat(status().path("mode").asString()).isEqualTo("recommend");
        assertThat(agent.isAlive()).isTrue();
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void shouldOrderNothing_whenItIsAShadow() throws Exception {
        agent.destroy();
        agent.waitFor();
        agent = start("agent", "--config", cell.file().toString(), "--node", NODE, "--shadow");
        await().atMost(PATIENCE).until(() -> status().has("shadow"));
        assertThat(status().path("mode").asString())
                .as("of a file that says act")
                .isEqualTo("recommend");
        assertThat(status().path("shadow").path("agreed").asLong(-1)).isZero();
        assertThat(CommandRun.of("explain", "--agent", admin).out()).contains("this agent is a shadow");
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void shouldWriteEachLineAsJson_whenItIsAskedTo() throws Exception {
        agent.destroyForcibly().waitFor();
        Files.writeString(log(), "");
        String classPath = withoutConfigurations(
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
        agent = start(
                classPath,
                new String[] {"agent", "--config", cell.file().toString(), "--node", NODE, "--log-format", "json"});
        assertServesAs("shop/app");
        CommandRun own = CommandRun.of("pause", "--socket", socket(NODE));
        assertThat(own.code()).as("%s", own).isZero();
        assertThat(move().get(PATIENCE.toSeconds(), TimeUnit.SECONDS).code()).isZero();
        signal("TERM");
        assertThat(agent.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        List<JsonNode> lines = Files.readAllLines(log()).stream()
                .map(JsonMapper.shared()::readTree)
                .toList();
        assertThat(lines).allMatch(line -> line.path("time").asString().endsWith("Z"));
        assertThat(lines)
                .anyMatch(line -> line.path("formattedMessage").asString().contains("serves on"))
                .anyMatch(line -> line.path("outcome").asString().equals("done")
                        && !line.path("by").asString().isEmpty())
                .anyMatch(line ->
                        line.path("site").asString().equals("shop") && line.has("reason") && !line.has("move_id"));
        List<JsonNode> steps =
                lines.stream().filter(line -> line.has("move_id")).toList();
        assertThat(steps).isNotEmpty().allSatisfy(step -> {
            assertThat(step.path("node").asString()).isEqualTo(NODE);
            assertThat(step.path("site").asString()).isEqualTo("shop");
            assertThat(step.path("tier").asString()).isEqualTo("spare");
            assertThat(step.path("epoch").isNumber()).isTrue();
            assertThat(step.path("move_id").asString())
                    .isEqualTo(NODE + "/" + step.path("epoch").asLong());
            assertThat(step.path("duration_ms").isNumber()).isTrue();
        });
        assertThat(steps.getLast().path("phase").asString()).isEqualTo("active");
    }

    /** The warning comes once it has read its file, and before it serves. */
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void shouldOutliveTheSignal_whenItIsStillStarting() throws Exception {
        agent.destroy();
        agent.waitFor();
        Files.writeString(log(), "");
        agent = startProcess();
        await().pollInterval(Duration.ofMillis(1))
                .atMost(PATIENCE)
                .until(() -> Files.readString(log()).contains("has neither an edge"));
        cell.rewrite("mode: act", "mode: recommend");
        signal("HUP");
        await().atMost(PATIENCE).until(() -> status().path("mode").asString().equals("recommend"));
        assertThat(agent.isAlive()).isTrue();
    }

    private JsonNode status() {
        return JsonMapper.shared()
                .readTree(
                        CommandRun.of("status", "--agent", admin, "-o", "json").out());
    }
}
