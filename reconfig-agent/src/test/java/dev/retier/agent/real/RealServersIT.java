package dev.retier.agent.real;

import static dev.retier.agent.fixture.Clusters.APP;
import static dev.retier.agent.fixture.Clusters.PROXY;
import static dev.retier.agent.fixture.Clusters.node;
import static dev.retier.agent.real.RealNodes.PATIENCE;
import static dev.retier.agent.real.RealNodes.answers;
import static dev.retier.agent.real.RealNodes.cluster;
import static dev.retier.agent.real.RealNodes.epoch;
import static dev.retier.agent.real.RealNodes.file;
import static dev.retier.agent.real.RealNodes.get;
import static dev.retier.agent.real.RealNodes.install;
import static dev.retier.agent.real.RealNodes.startAll;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.observe.ServerProbes;
import dev.retier.agent.real.RealInstance.Options;
import dev.retier.agent.render.Rendering;
import dev.retier.agent.server.InstallerEvents;
import dev.retier.agent.server.ManagedServer;
import dev.retier.agent.status.Observation;
import dev.retier.agent.status.ServerStatus;
import dev.retier.config.HostPort;
import dev.retier.state.Role;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files brought into force at real servers: by reload, by run-time change, in another role. */
class RealServersIT {
    private static final int LARGE_BYTES = 24 << 20;

    @TempDir
    @Nullable
    Path temporary;

    private Path folder = Path.of("");
    private final Installations installed = new Installations();

    @BeforeEach
    void useFolder() {
        folder = Objects.requireNonNull(temporary);
    }

    private RealInstance httpd(String name) {
        return RealInstance.httpd(folder.resolve(name), Options.USUAL.withText("this is " + name));
    }

    @Test
    void shouldChangeMembersAtRunTime_whenHttpdIsTheProxy() throws IOException {
        try (RealInstance proxy = httpd("node-1");
                StubApp second = new StubApp("this is node-2");
                StubApp third = new StubApp("this is node-3")) {
            shouldChangeAtRunTime(proxy, second, third);
        }
    }

    /** httpd leaves that port out of the name of a member. Nobody need listen there: it is not asked for anything. */
    @Test
    void shouldChangeMembersAtRunTime_whenOneServesAtThePortOfHttp() {
        try (RealInstance proxy = httpd("node-1");
                StubApp second = new StubApp("this is node-2")) {
            ServerConfig third = ServerConfig.webNode(
                    new HostPort("127.0.0.1", 80), new HostPort("127.0.0.1", 81), folder.resolve("node-3"));
            ClusterConfig config = cluster(proxy.server(), second.server(), third);
            RealNodes.writeFirst(config, 1, file(config, 1, PROXY, 2, List.of(2)));
            proxy.start();
            try (ManagedServer managed = installed.open(proxy.server())) {
                install(managed, file(config, 1, PROXY, 4, List.of(2, 3)));
                install(managed, file(config, 1, PROXY, 6, List.of(2)));
                assertThat(installed.results()).as("no reload").containsOnly(InstallerEvents.Result.CHANGED);
            }
        }
    }

    @Test
    void shouldChangeMembersAtRunTime_whenHaproxyIsTheProxy() throws IOException {
        try (RealInstance proxy = RealInstance.haproxy(folder.resolve("node-1"), "proxy.cfg", Options.USUAL);
                StubApp second = new StubApp("this is node-2");
                StubApp third = new StubApp("this is node-3")) {
            shouldChangeAtRunTime(proxy, second, third);
        }
    }

    private void shouldChangeAtRunTime(RealInstance proxy, StubApp second, StubApp third) throws IOException {
        ClusterConfig config = startAll(proxy, second, third);
        try (ManagedServer managed = installed.open(proxy.server())) {
            assertThat(answers(proxy.server(), 20)).containsOnlyKeys("this is node-2");
            Rendering other = file(config, 1, PROXY, 4, List.of(3));
            install(managed, other);
            assertThat(answers(proxy.server(), 20)).containsOnlyKeys("this is node-3");
            assertThat(epoch(proxy.server()))
                    .as("it says so")
                    .isEqualTo(other.mark().toString());
            assertThat(proxy.server().roleFile()).hasContent(other.content().strip());
            install(managed, file(config, 1, PROXY, 6, List.of(2, 3)));
            assertThat(answers(proxy.server(), 40)).containsOnlyKeys("this is node-2", "this is node-3");
            assertThat(installed.results()).as("no reload").containsOnly(InstallerEvents.Result.CHANGED);
        }
    }

    @Test
    void shouldReloadAndProve_whenNginxIsTheProxy() {
        try (RealInstance proxy = RealInstance.nginx(folder.resolve("node-1"), "node.conf", Options.USUAL);
                StubApp second = new StubApp("this is node-2");
                StubApp third = new StubApp("this is node-3")) {
            ClusterConfig config = startAll(proxy, second, third);
            long pid = proxy.pid();
            try (ManagedServer managed = installed.open(proxy.server())) {
                assertThat(answers(proxy.server(), 10)).containsOnlyKeys("this is node-2");
                Rendering other = file(config, 1, PROXY, 4, List.of(3));
                install(managed, other);
                assertThat(answers(proxy.server(), 20)).containsOnlyKeys("this is node-3");
                assertThat(epoch(proxy.server())).isEqualTo(other.mark().toString());
                assertThat(proxy.pid()).isEqualTo(pid);
                Rendering sameMembers = file(config, 1, PROXY, 5, List.of(3));
                install(managed, sameMembers);
                assertThat(epoch(proxy.server()))
                        .as("another stamp alone is no reason to reload")
                        .isEqualTo(other.mark().toString());
            }
        }
    }

    @Test
    void shouldServeTheOtherRole_whenHttpdIsSwitched() {
        try (RealInstance node = httpd("node-1");
                StubApp second = new StubApp("this is node-2");
                StubApp third = new StubApp("this is node-3")) {
            ClusterConfig config = startAll(node, second, third);
            long pid = node.pid();
            try (ManagedServer managed = installed.open(node.server())) {
                assertThat(get(node.server().address(), "/dynamic/x").body()).isEqualTo("this is node-2");
                ServerStatus asApp = install(managed, file(config, 1, APP, 4, List.of()));
                assertThat(asApp.role()).isEqualTo("app");
                assertThat(get(node.server().address(), "/dynamic/x").body()).isEqualTo("this is node-1");
                assertThat(epoch(node.server())).startsWith("4-");
                assertThat(get(node.server().address(), "/dynamic/x", "X-Retier-Hop", "test")
                                .body())
                        .isEqualTo("this is node-1");
                ServerStatus asProxy = install(managed, file(config, 1, PROXY, 6, List.of(2, 3)));
                assertThat(asProxy.role()).isEqualTo("proxy");
                assertThat(answers(node.server(), 40)).containsOnlyKeys("this is node-2", "this is node-3");
                assertThat(get(node.server().address(), "/dynamic/x", "X-Retier-Hop", "test")
                                .body())
                        .as("what another node of the cluster has sent on is not sent on again")
                        .isEqualTo("this is node-1");
                assertThat(node.pid()).isEqualTo(pid);
                assertThat(installed.results()).as("no reload").containsOnly(InstallerEvents.Result.CHANGED);
            }
        }
    }

    /** Why a drain need not wait for what a server holds: every kind answers it in the role in which it began. */
    @Test
    void shouldAnswerWhatItHolds_whenTheProxyLeavesItsRole() {
        try (RealInstance httpd = httpd("httpd");
                RealInstance nginx = RealInstance.nginx(folder.resolve("nginx"), "node.conf", Options.USUAL);
                RealInstance haproxy = RealInstance.haproxy(folder.resolve("haproxy"), "proxy.cfg", Options.USUAL)) {
            shouldAnswerWhatItHolds(httpd, APP);
            shouldAnswerWhatItHolds(nginx, Role.SPARE);
            shouldAnswerWhatItHolds(haproxy, Role.SPARE);
        }
    }

    private void shouldAnswerWhatItHolds(RealInstance proxy, Role next) {
        CompletableFuture<@Nullable Void> go = new CompletableFuture<>();
        try (StubApp slow = new StubApp("late but whole", go)) {
            ClusterConfig config = cluster(proxy.server(), slow.server());
            RealNodes.writeFirst(config, 1, file(config, 1, PROXY, 2, List.of(2)));
            proxy.start();
            try (ManagedServer managed = installed.open(proxy.server());
                    ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
                List<Future<String>> answers = IntStream.range(0, 6)
                        .mapToObj(_ -> clients.submit(() -> get(proxy.server().address(), "/dynamic/x", PATIENCE)
                                .body()))
                        .toList();
                await().atMost(PATIENCE).until(() -> slow.requests() >= 6);
                install(managed, file(config, 1, next, 4, List.of()));
                assertThat(ServerProbes.objection(config, config.node(node(1)), next, 4, Duration.ofSeconds(5)))
                        .as(
                                "%s proves that it serves nothing, or as an app",
                                proxy.server().kind())
                        .isEmpty();
                assertThat(answers).as("all are still held").noneMatch(Future::isDone);
                go.complete(null);
                assertThat(answers)
                        .as(
                                "%s answers what it held before the switch",
                                proxy.server().kind())
                        .allSatisfy(answer -> assertThat(answer.get()).isEqualTo("late but whole"));
            }
        }
    }

    @Test
    void shouldAnswerWhatItHolds_whenHttpdIsAnAppNoMore() throws IOException {
        try (RealInstance node = httpd("node-1");
                StubApp second = new StubApp("this is node-2")) {
            ClusterConfig config = cluster(node.server(), second.server());
            RealNodes.writeFirst(config, 1, file(config, 1, APP, 2, List.of(2)));
            Files.write(node.folder().resolve("www/dynamic/large"), new byte[LARGE_BYTES]);
            node.start();
            HostPort address = node.server().address();
            try (ManagedServer managed = installed.open(node.server());
                    Socket client = new Socket(address.host(), address.port())) {
                client.getOutputStream()
                        .write("GET /dynamic/large HTTP/1.1\r\nHost: shop\r\nConnection: close\r\n\r\n"
                                .getBytes(StandardCharsets.US_ASCII));
                assertThat(client.getInputStream().readNBytes(12)).asString().isEqualTo("HTTP/1.1 200");
                install(managed, file(config, 1, PROXY, 4, List.of(2)));
                assertThat(get(address, "/dynamic/x").body()).isEqualTo("this is node-2");
                assertThat(client.getInputStream().readAllBytes().length)
                        .as("more than any socket buffers: it was in the server during the switch")
                        .isGreaterThan(LARGE_BYTES);
            }
        }
    }

    @Test
    void shouldKeepStatusPagesFromOthers_whenHttpdIsTheProxy() {
        try (RealInstance node = httpd("node-1");
                StubApp second = new StubApp("this is node-2");
                StubApp third = new StubApp("this is node-3")) {
            startAll(node, second, third);
            assertThat(get(node.server().admin(), "/.retier/status?auto").status())
                    .isEqualTo(200);
            assertThat(get(node.server().admin(), "/.retier/balancer").status()).isEqualTo(200);
            try (Hammer forwarded = Hammer.start(
                    1,
                    false,
                    List.of("/.retier/status HTTP/1.1\r\nVia: 1.1 edge\r\nX-Ignored: "),
                    () -> List.of(node.server().admin()))) {
                await().atMost(PATIENCE).until(() -> !forwarded.failures().isEmpty());
                assertThat(forwarded.failures()).allMatch(failure -> failure.contains(": 403 "));
                assertThat(forwarded.done()).isZero();
            }
        }
    }

    @Test
    void shouldTellItsLoad_whenAsked() {
        try (RealInstance node = httpd("node-1");
                StubApp second = new StubApp("this is node-2");
                StubApp third = new StubApp("this is node-3")) {
            ClusterConfig config = startAll(node, second, third);
            try (ManagedServer managed = installed.open(node.server());
                    Hammer load = Hammer.start(
                            2,
                            true,
                            List.of("/dynamic/x"),
                            () -> List.of(node.server().address()))) {
                install(managed, file(config, 1, PROXY, 4, List.of(2)));
                ServerStatus before = Objects.requireNonNull(RealNodes.status(managed.observe(Duration.ofSeconds(5))));
                long begun = load.done();
                await().atMost(PATIENCE).until(() -> load.done() >= begun + 500);
                await().atMost(PATIENCE).untilAsserted(() -> {
                    Observation seen = managed.observe(Duration.ofSeconds(5));
                    assertThat(seen).isInstanceOf(Observation.Whole.class);
                    ServerStatus after = Objects.requireNonNull(RealNodes.status(seen));
                    assertThat(after.requests() - before.requests()).isGreaterThanOrEqualTo(400);
                    assertThat(after.busySeconds()).isGreaterThan(before.busySeconds());
                    assertThat(after.capacityUnitsPerSecond()).isPositive();
                });
            }
        }
    }

    @Test
    void shouldGoOnWithWhatTheServerRuns_whenTheAgentIsStartedAnew() {
        try (RealInstance proxy = httpd("node-1");
                StubApp second = new StubApp("this is node-2");
                StubApp third = new StubApp("this is node-3")) {
            ClusterConfig config = startAll(proxy, second, third);
            try (ManagedServer managed = installed.open(proxy.server())) {
                install(managed, file(config, 1, PROXY, 4, List.of(3)));
            }
            try (ManagedServer again = installed.open(proxy.server())) {
                assertThat(again.installedStamp()).isEqualTo(4);
                install(again, file(config, 1, PROXY, 5, List.of(3)));
                assertThat(installed.results())
                        .as("no reload for a new agent")
                        .containsOnly(InstallerEvents.Result.CHANGED);
                assertThat(answers(proxy.server(), 10)).containsOnlyKeys("this is node-3");
                assertThat(RealNodes.refused(again, file(config, 1, PROXY, 3, List.of(2))))
                        .contains("older");
            }
        }
    }
}
