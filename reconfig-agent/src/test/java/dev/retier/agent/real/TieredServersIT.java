package dev.retier.agent.real;

import static dev.retier.agent.fixture.Clusters.APP;
import static dev.retier.agent.fixture.Clusters.PROXY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.retier.agent.config.ServerControl;
import dev.retier.agent.move.MovePhase;
import dev.retier.agent.real.RealInstance.Options;
import dev.retier.config.HostPort;
import dev.retier.state.Role;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A node with two servers: HAProxy while it is a proxy, httpd while it is an app. */
class TieredServersIT {
    private static final String OWN = "by the app server of node-1";

    @TempDir
    @Nullable
    Path temporary;

    private Path folder = Path.of("");

    @BeforeEach
    void useFolder() {
        folder = Objects.requireNonNull(temporary);
    }

    private RealInstance httpd(String name, String text) {
        return RealInstance.httpd(folder.resolve(name), Options.USUAL.withText(text));
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void shouldServeByTheServerOfItsRole_whileNoRequestIsLost() {
        RealInstance app = httpd("node-1-app", OWN);
        List<RealInstance> servers = List.of(
                RealInstance.haproxy(folder.resolve("node-1"), "proxy.cfg", Options.USUAL),
                httpd("node-2", "by node-2"),
                httpd("node-3", "by node-3"));
        RealInstance edge = RealInstance.haproxy(folder.resolve("edge"), "edge.cfg", Options.USUAL);
        try (RealCell cell = RealCell.start(folder, servers, Map.of(1, app), edge, 2);
                Hammer closing = Hammer.start(2, false, List.of("/dynamic/x"), () -> List.of(cell.edgeAddress()));
                Hammer kept = Hammer.start(2, true, List.of("/dynamic/x"), () -> List.of(cell.edgeAddress()))) {
            HostPort haproxy = servers.getFirst().server().address();
            for (int round = 0; round < 3; round++) {
                assertThat(cell.targets()).contains(haproxy);
                assertThat(answers(cell)).doesNotContain(OWN);

                move(cell, APP);
                assertThat(cell.targets()).doesNotContain(haproxy);
                await().atMost(RealNodes.PATIENCE).until(() -> answers(cell).contains(OWN));
                assertThat(RealNodes.get(haproxy, "/dynamic/x").status())
                        .as("it waits and sends nothing on")
                        .isEqualTo(503);

                move(cell, PROXY);
            }
            assertThat(closing.failures()).isEmpty();
            assertThat(kept.failures()).isEmpty();
            assertThat(closing.done() + kept.done()).isGreaterThan(200);
        }
    }

    /** One that the agent may stop, by that script, and start. */
    private RealInstance stopped(String script) {
        RealInstance plain = httpd("node-1-app", OWN);
        ServerControl.Commands usual = plain.server().controlled().commands();
        return RealInstance.httpd(
                folder.resolve("node-1-app"),
                Options.USUAL
                        .withText(OWN)
                        .withCommands(new ServerControl.Commands(
                                usual.program(),
                                usual.check(),
                                usual.reload(),
                                plain.startCommand(),
                                List.of("/bin/sh", "-c", script, ServerControl.PID))));
    }

    /** It answers until its command has done its work: that is no answer of one that runs. */
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void shouldStartItAgain_whenItIsNeededWhileItIsBeingStopped() {
        Path asked = folder.resolve("asked");
        RealInstance app = stopped("echo >" + asked + "; sleep 3; kill -TERM \"$0\"; sleep 1");
        List<RealInstance> servers = List.of(
                RealInstance.haproxy(folder.resolve("node-1"), "proxy.cfg", Options.USUAL),
                httpd("node-2", "by node-2"),
                httpd("node-3", "by node-3"));
        RealInstance edge = RealInstance.haproxy(folder.resolve("edge"), "edge.cfg", Options.USUAL);
        try (RealCell cell = RealCell.start(folder, servers, Map.of(1, app), edge, 2)) {
            long before = app.pid();
            await().atMost(RealNodes.PATIENCE).until(() -> Files.exists(asked));

            assertThat(cell.move(1, APP).phase()).isEqualTo(MovePhase.ACTIVE);

            await().atMost(RealNodes.PATIENCE).until(() -> app.isAlive() && app.pid() != before);
            await().atMost(RealNodes.PATIENCE).until(() -> answers(cell).contains(OWN));
        }
    }

    /** Its processes are there while it is needed, and for some seconds after. */
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void shouldStopTheServerThatHasNothingToDo_andStartItForAMove() {
        RealInstance app = stopped("kill -WINCH \"$0\"");
        List<RealInstance> servers = List.of(
                RealInstance.haproxy(folder.resolve("node-1"), "proxy.cfg", Options.USUAL),
                httpd("node-2", "by node-2"),
                httpd("node-3", "by node-3"));
        RealInstance edge = RealInstance.haproxy(folder.resolve("edge"), "edge.cfg", Options.USUAL);
        try (RealCell cell = RealCell.start(folder, servers, Map.of(1, app), edge, 2);
                Hammer load = Hammer.start(2, false, List.of("/dynamic/x"), () -> List.of(cell.edgeAddress()))) {
            await().atMost(RealNodes.PATIENCE).until(() -> !app.isAlive());

            move(cell, APP);
            assertThat(app.isAlive()).isTrue();
            await().atMost(RealNodes.PATIENCE).until(() -> answers(cell).contains(OWN));
            long begunNanos = System.nanoTime();
            move(cell, PROXY);

            await().atMost(RealNodes.PATIENCE).until(() -> !app.isAlive());
            assertThat(System.nanoTime() - begunNanos)
                    .as("warm for a while")
                    .isGreaterThan(Duration.ofSeconds(10).toNanos());
            cell.restartAgent(1);
            cell.awaitSettled();
            assertThat(app.isAlive()).as("nobody needs it").isFalse();
            assertThat(load.failures()).isEmpty();
        }
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
