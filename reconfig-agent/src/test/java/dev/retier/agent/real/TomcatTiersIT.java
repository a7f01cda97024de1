package dev.retier.agent.real;

import static dev.retier.agent.fixture.Clusters.APP;
import static dev.retier.agent.fixture.Clusters.PROXY;
import static dev.retier.agent.real.RealNodes.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.retier.agent.config.MainProcess;
import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.config.ServerControl;
import dev.retier.agent.config.ServerKind;
import dev.retier.agent.event.MoveEvent;
import dev.retier.agent.move.MovePhase;
import dev.retier.agent.real.RealInstance.Options;
import dev.retier.agent.view.NodeView;
import dev.retier.config.HostPort;
import dev.retier.link.NodeId;
import dev.retier.state.LoadRecord.Health;
import dev.retier.state.Role;
import dev.retier.testsupport.ExternalTool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A node with HAProxy for when it is a proxy, and Debian's Tomcat for when it is an app, which is told nothing. */
class TomcatTiersIT {
    private static final String OWN = "by Tomcat of node-1";
    private static final List<String> STOP = List.of("/bin/sh", "-c", "kill \"$0\"", ServerControl.PID);

    @TempDir
    private Path folder = Path.of("");

    private Path base = Path.of("");
    private Path gate = Path.of("");
    private Path started = Path.of("");

    @BeforeEach
    void prepare() {
        ExternalTool.find(Tomcats.HOME + "/bin/catalina.sh");
        base = folder.resolve("tomcat");
        gate = folder.resolve("gate");
        started = folder.resolve("started");
    }

    /** Its restart notes that it was asked to; its application comes up once the gate is there. */
    private RealInstance tomcat(List<String> stop) throws IOException {
        return tomcat(stop, ServerControl.Limits.DEFAULTS.startDeadline());
    }

    private RealInstance tomcat(List<String> stop, Duration startDeadline) throws IOException {
        ServerControl.Limits limits = ServerControl.Limits.DEFAULTS;
        HostPort address = Ports.free();
        Tomcats.prepare(base, address, OWN);
        Tomcats.gate(base, gate);
        Files.createFile(gate);
        List<String> start = Tomcats.catalina(base, "start");
        List<String> restart =
                new ArrayList<>(List.of("/bin/sh", "-c", "echo x >>\"$0\"; exec \"$@\"", started.toString()));
        restart.addAll(start);
        Path note = folder.resolve("journal/node-1/role-other");
        ServerConfig server = new ServerConfig(
                ServerKind.OTHER,
                address,
                address,
                note,
                "/static/retier-proof",
                new ServerControl(
                        note,
                        new MainProcess.InFile(base.resolve("run/tomcat.pid")),
                        "",
                        null,
                        null,
                        new ServerControl.Commands("java", List.of(), List.of(), restart, stop),
                        new ServerControl.Limits(
                                limits.reloadInterval(),
                                limits.checkDeadline(),
                                limits.convergeDeadline(),
                                startDeadline),
                        List.of()),
                ServerKind.OTHER.tiers());
        return RealInstance.of(base, server, start);
    }

    private RealCell start(RealInstance tomcat) {
        return start(tomcat, RealCell.LONGEST_SWITCH);
    }

    private RealCell start(RealInstance tomcat, Duration longestSwitch) {
        List<RealInstance> servers = List.of(
                RealInstance.haproxy(folder.resolve("node-1"), "proxy.cfg", Options.USUAL),
                RealInstance.httpd(folder.resolve("node-2"), Options.USUAL.withText("by node-2")),
                RealInstance.httpd(folder.resolve("node-3"), Options.USUAL.withText("by node-3")));
        RealInstance edge = RealInstance.haproxy(folder.resolve("edge"), "edge.cfg", Options.USUAL);
        RealCell cell = RealCell.start(folder, servers, Map.of(1, tomcat), edge, new RealCell.Shape(2, longestSwitch));
        cell.awaitSettled();
        // A HAProxy whose first check came before its app was up waits for the next one.
        await().atMost(PATIENCE).until(() -> answers(cell).equals(List.of("by node-3")));
        return cell;
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void shouldServeByTomcatWhileItIsAnApp_andLoseNoRequest() throws Exception {
        try (RealCell cell = start(tomcat(List.of()));
                Hammer closing = Hammer.start(2, false, List.of("/dynamic/x"), () -> List.of(cell.edgeAddress()));
                Hammer kept = Hammer.start(2, true, List.of("/dynamic/x"), () -> List.of(cell.edgeAddress()))) {
            for (int round = 0; round < 3; round++) {
                assertThat(answers(cell)).doesNotContain(OWN);
                move(cell, APP);
                await().atMost(PATIENCE).until(() -> answers(cell).contains(OWN));
                assertThat(answers(cell)).isSubsetOf(OWN, "by node-3");
                move(cell, PROXY);
            }
            assertThat(closing.failures()).isEmpty();
            assertThat(kept.failures()).isEmpty();
            assertThat(closing.done() + kept.done()).isGreaterThan(200);
        }
    }

    /** It was stopped by the agent, as its node was a proxy. */
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void shouldCountOnceItAnswers_whenTomcatComesUpSlowly() throws Exception {
        RealInstance tomcat = tomcat(STOP);
        try (RealCell cell = start(tomcat);
                Hammer load = Hammer.start(2, false, List.of("/dynamic/x"), () -> List.of(cell.edgeAddress()))) {
            long before = tomcat.pid();
            await().atMost(PATIENCE)
                    .until(() -> ProcessHandle.of(before).isEmpty()); // catalina.sh asks for zombies too
            Files.delete(gate);
            CompletableFuture<MoveEvent> move = CompletableFuture.supplyAsync(() -> cell.move(1, APP));

            await().atMost(PATIENCE).until(tomcat::isAlive);
            await().during(Duration.ofSeconds(5))
                    .atMost(PATIENCE)
                    .until(() -> !move.isDone() && !answers(cell).contains(OWN));
            Files.createFile(gate);

            assertThat(move.get(60, TimeUnit.SECONDS).phase()).isEqualTo(MovePhase.ACTIVE);
            await().atMost(PATIENCE).until(() -> answers(cell).contains(OWN));
            assertThat(started).content().as("once").isEqualTo("x\n");
            assertThat(load.failures()).isEmpty();
        }
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void shouldBeLeftOutAndNotStarted_whenTomcatIsKilled() throws Exception {
        RealInstance tomcat = tomcat(STOP);
        try (RealCell cell = start(tomcat)) {
            move(cell, APP);
            await().atMost(PATIENCE).until(() -> answers(cell).contains(OWN));

            RealInstance.killForRestart(List.of(tomcat));
            await().atMost(Duration.ofSeconds(5)).until(() -> health(cell) == Health.DOWN);
            await().atMost(PATIENCE).until(() -> answers(cell).equals(List.of("by node-3")));
            assertThat(started)
                    .as("who has crashed is started by whoever runs it")
                    .doesNotExist();

            tomcat.start();
            await().atMost(PATIENCE).until(() -> answers(cell).contains(OWN));
        }
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void shouldNotBeStarted_whenAnAdministratorHasStoppedIt() throws Exception {
        RealInstance tomcat = tomcat(STOP, Duration.ofSeconds(3));
        try (RealCell cell = start(tomcat, Duration.ofSeconds(8))) {
            RealInstance.killForRestart(List.of(tomcat));

            assertThat(cell.move(1, APP).phase()).isEqualTo(MovePhase.ROLLED_BACK);
            cell.awaitSettled();

            assertThat(started).doesNotExist();
            assertThat(answers(cell)).containsExactly("by node-3");
        }
    }

    private static Health health(RealCell cell) {
        return cell.agent(1).view().nodes().get(new NodeId(1)) instanceof NodeView.Known known
                ? known.load().serverHealth()
                : Health.UP;
    }

    private static void move(RealCell cell, Role to) {
        assertThat(cell.move(1, to).phase()).isEqualTo(MovePhase.ACTIVE);
        cell.awaitSettled();
    }

    /** What the edge answers, by whomever. */
    private static List<String> answers(RealCell cell) {
        return IntStream.range(0, 20)
                .mapToObj(_ ->
                        RealNodes.get(cell.edgeAddress(), "/dynamic/x").body().strip())
                .distinct()
                .toList();
    }
}
