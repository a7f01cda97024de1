package dev.retier.agent.real;

import static dev.retier.agent.fixture.Clusters.APP;
import static dev.retier.agent.fixture.Clusters.PROXY;
import static dev.retier.agent.fixture.Clusters.node;
import static dev.retier.agent.real.RealNodes.PATIENCE;
import static dev.retier.agent.real.RealNodes.file;
import static dev.retier.agent.real.RealNodes.get;
import static dev.retier.agent.real.RealNodes.install;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.ServerControl;
import dev.retier.agent.observe.ServerProbes;
import dev.retier.agent.real.RealInstance.Options;
import dev.retier.agent.render.Rendering;
import dev.retier.agent.render.TemplateFiles;
import dev.retier.agent.server.InstallerEvents;
import dev.retier.agent.server.ManagedServer;
import dev.retier.agent.status.BalancerPage;
import dev.retier.agent.status.HaproxyServers;
import dev.retier.config.HostPort;
import dev.retier.state.Role;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Roles that are taken without a reload, and reloads by somebody else. */
class RolesWithoutReloadIT {
    @TempDir
    @Nullable
    Path temporary;

    private Path folder = Path.of("");
    private final Installations installed = new Installations();

    @BeforeEach
    void useFolder() {
        folder = Objects.requireNonNull(temporary);
    }

    /** Clients that go by no list, as those of a program that knows an address. */
    @Test
    void shouldAnswerWhoeverAsks_whenAnHttpdTakesOneRoleAfterTheOther() throws Exception {
        try (RealInstance server = RealInstance.httpd(folder.resolve("node-1"), Options.USUAL);
                StubApp second = new StubApp("this is node-2");
                StubApp third = new StubApp("this is node-3")) {
            ClusterConfig config = RealNodes.startAll(server, second, third);
            List<HostPort> address = List.of(server.server().address());
            try (ManagedServer managed = installed.open(server.server());
                    Hammer kept = Hammer.start(2, true, List.of("/dynamic/x"), () -> address);
                    Hammer fresh = Hammer.start(2, false, List.of("/dynamic/x"), () -> address)) {
                for (long stamp = 4; stamp < 164; stamp += 4) {
                    install(managed, file(config, 1, PROXY, stamp, List.of(2, 3)));
                    install(managed, file(config, 1, APP, stamp + 2, List.of()));
                }
                String log = Files.readString(server.folder().resolve("log/error.log"));
                assertThat(kept.failures()).as(log).isEmpty();
                assertThat(fresh.failures()).as(log).isEmpty();
                assertThat(kept.done() + fresh.done()).isGreaterThan(1_000);
                assertThat(installed.results()).as("no reload").containsOnly(InstallerEvents.Result.CHANGED);
            }
        }
    }

    /** None is out before another one is in, and who becomes a proxy has its members. */
    @Test
    void shouldHaveAnAppAtEachInstant_whenOneTakesThePlaceOfTheOther() throws Exception {
        try (RealInstance server = RealInstance.httpd(folder.resolve("node-1"), Options.USUAL);
                StubApp second = new StubApp("this is node-2")) {
            ClusterConfig config;
            try (StubApp third = new StubApp("this is node-3")) {
                config = RealNodes.startAll(server, second, third);
                try (ManagedServer managed = installed.open(server.server());
                        Hammer fresh = hammer(server)) {
                    for (long stamp = 4; stamp < 84; stamp += 4) {
                        install(managed, file(config, 1, PROXY, stamp, List.of(2)));
                        install(managed, file(config, 1, PROXY, stamp + 2, List.of(3)));
                    }
                    install(managed, file(config, 1, APP, 100, List.of()));
                    assertThat(fresh.failures()).isEmpty();
                }
            }
            try (ManagedServer managed = installed.open(server.server());
                    Hammer fresh = hammer(server)) {
                install(managed, file(config, 1, PROXY, 104, List.of(2)));
                assertThat(fresh.failures())
                        .as("its apps were 3 alone, which has ended")
                        .isEmpty();
            }
            assertThat(installed.results()).as("no reload").containsOnly(InstallerEvents.Result.CHANGED);
        }
    }

    private static Hammer hammer(RealInstance server) {
        List<HostPort> address = List.of(server.server().address());
        return Hammer.start(4, false, List.of("/dynamic/x"), () -> address);
    }

    /** Without it a reload by whoever makes a proxy answer everything itself. */
    @Test
    void shouldWriteItsFileAnew_whenSomebodyHasRemovedIt() throws IOException {
        try (RealInstance server = RealInstance.httpd(folder.resolve("node-1"), Options.USUAL);
                StubApp second = new StubApp("this is node-2");
                StubApp third = new StubApp("this is node-3")) {
            ClusterConfig config = RealNodes.startAll(server, second, third);
            try (ManagedServer managed = installed.open(server.server())) {
                install(managed, file(config, 1, PROXY, 4, List.of(2)));
                long before = server.generation();
                Files.delete(server.server().roleFile());
                server.reload();
                await().atMost(PATIENCE).until(() -> server.generation() != before);

                await().atMost(PATIENCE).until(() -> {
                    managed.observe(PATIENCE);
                    return Files.exists(server.server().roleFile())
                            && RealNodes.get(server.server().address(), "/dynamic/x")
                                    .body()
                                    .equals("this is node-2");
                });
            }
        }
    }

    /** Members that are out keep httpd from asking one in error again at once, as it does where all are in error. */
    @Test
    void shouldAskItsOnlyAppAgain_asSoonAsThatIsBack() {
        try (RealInstance server = RealInstance.httpd(folder.resolve("node-1"), Options.USUAL);
                StubApp third = new StubApp("this is node-3")) {
            HostPort address;
            try (StubApp second = new StubApp("this is node-2")) {
                RealNodes.startAll(server, second, third);
                address = second.address();
            }
            assertThat(RealNodes.get(server.server().address(), "/dynamic/x").status())
                    .isEqualTo(503);
            try (StubApp _ = new StubApp("it is back", address)) {
                assertThat(RealNodes.answers(server.server(), 10)).isEqualTo(Map.of("it is back", 10L));
            }
        }
    }

    @Test
    void shouldTellHttpdWhatEachMachineCanDo_whenTheyAreUnequal() {
        try (RealInstance server = RealInstance.httpd(folder.resolve("node-1"), Options.USUAL);
                StubApp second = new StubApp("this is node-2");
                StubApp third = new StubApp("this is node-3")) {
            ClusterConfig config = RealNodes.startAll(server, second, third);
            try (ManagedServer managed = installed.open(server.server())) {
                install(managed, RealNodes.unequal(config, 4, Map.of(2, 3_000.0, 3, 1_000.0)));
                assertThat(settings(server))
                        .isEqualTo(Map.of(
                                "http://" + second.address(), new BalancerPage.Setting(true, 300),
                                "http://" + third.address(), new BalancerPage.Setting(true, 100)));
                install(managed, RealNodes.unequal(config, 6, Map.of(2, 1_000.0, 3, 4_000.0)));
                assertThat(settings(server))
                        .isEqualTo(Map.of(
                                "http://" + second.address(), new BalancerPage.Setting(true, 100),
                                "http://" + third.address(), new BalancerPage.Setting(true, 400)));
                assertThat(RealNodes.answers(server.server(), 80)).hasSize(2);
                assertThat(installed.results()).as("no reload").containsOnly(InstallerEvents.Result.CHANGED);
            }
        }
    }

    private static Map<String, BalancerPage.Setting> settings(RealInstance server) {
        String page =
                RealNodes.get(server.server().admin(), "/.retier/balancer").body();
        return BalancerPage.parse(page, TemplateFiles.APPS).orElseThrow().members();
    }

    @Test
    void shouldTellHaproxyWhatEachMachineCanDo_whenTheyAreUnequal() throws IOException {
        try (RealInstance server = RealInstance.haproxy(folder.resolve("node-1"), "proxy.cfg", Options.USUAL);
                StubApp second = new StubApp("this is node-2");
                StubApp third = new StubApp("this is node-3")) {
            ClusterConfig config = RealNodes.startAll(server, second, third);
            try (ManagedServer managed = installed.open(server.server())) {
                install(managed, RealNodes.unequal(config, 4, Map.of(2, 4_000.0, 3, 1_000.0)));
                assertThat(weights(server))
                        .isEqualTo(Map.of(
                                "node-2", new HaproxyServers.Setting(true, 256),
                                "node-3", new HaproxyServers.Setting(true, 64)));
                install(managed, RealNodes.unequal(config, 6, Map.of(2, 1_000.0, 3, 2_000.0)));
                assertThat(weights(server))
                        .isEqualTo(Map.of(
                                "node-2", new HaproxyServers.Setting(true, 128),
                                "node-3", new HaproxyServers.Setting(true, 256)));
                assertThat(RealNodes.answers(server.server(), 40)).hasSize(2);
                assertThat(installed.results()).as("no reload").containsOnly(InstallerEvents.Result.CHANGED);
            }
        }
    }

    private static Map<String, HaproxyServers.Setting> weights(RealInstance server) throws IOException {
        Path socket = Objects.requireNonNull(server.server().controlled().socket());
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            String command = "show servers state " + TemplateFiles.APPS + "\n";
            channel.write(ByteBuffer.wrap(command.getBytes(StandardCharsets.UTF_8)));
            byte[] answer = Channels.newInputStream(channel).readAllBytes();
            return HaproxyServers.parse(new String(answer, StandardCharsets.UTF_8));
        }
    }

    @Test
    void shouldBecomeASpareAndAProxyAgain_whenHaproxyIsSwitched() throws IOException {
        try (RealInstance proxy = RealInstance.haproxy(folder.resolve("node-1"), "proxy.cfg", Options.USUAL);
                StubApp second = new StubApp("this is node-2");
                StubApp third = new StubApp("this is node-3")) {
            ClusterConfig config = RealNodes.startAll(proxy, second, third);
            try (ManagedServer managed = installed.open(proxy.server())) {
                install(managed, file(config, 1, Role.SPARE, 4, List.of()));
                assertThat(get(proxy.server().address(), "/dynamic/x").status()).isEqualTo(503);
                assertThat(ServerProbes.objection(config, config.node(node(1)), Role.SPARE, 4, Duration.ofSeconds(5)))
                        .isEmpty();
                install(managed, file(config, 1, PROXY, 6, List.of(2, 3)));
                assertThat(RealNodes.answers(proxy.server(), 40)).containsOnlyKeys("this is node-2", "this is node-3");
                assertThat(installed.results()).as("no reload").containsOnly(InstallerEvents.Result.CHANGED);
            }
        }
    }

    /** Its members wait for the interval, for the sake of its connections; a role does not, as it has none. */
    @Test
    void shouldNotWaitForTheInterval_whenNginxTakesAnotherRole() {
        Options patient = Options.USUAL.withLimits(
                new ServerControl.Limits(Duration.ofMinutes(1), Duration.ofSeconds(20), Duration.ofSeconds(8)));
        try (RealInstance proxy = RealInstance.nginx(folder.resolve("node-1"), "node.conf", patient);
                StubApp second = new StubApp("this is node-2");
                StubApp third = new StubApp("this is node-3")) {
            ClusterConfig config = RealNodes.startAll(proxy, second, third);
            try (ManagedServer managed = installed.open(proxy.server())) {
                install(managed, file(config, 1, PROXY, 4, List.of(3)));
                install(managed, file(config, 1, Role.SPARE, 6, List.of()));
                install(managed, file(config, 1, PROXY, 8, List.of(2)));
                assertThat(RealNodes.answers(proxy.server(), 10)).containsOnlyKeys("this is node-2");
            }
        }
    }

    @Test
    void shouldTellItAgain_whenSomebodyElseReloadsHttpd() throws IOException {
        shouldTellItAgain(RealInstance.httpd(folder.resolve("node-1"), Options.USUAL));
    }

    @Test
    void shouldTellItAgain_whenSomebodyElseReloadsHaproxy() throws IOException {
        shouldTellItAgain(RealInstance.haproxy(folder.resolve("node-1"), "proxy.cfg", Options.USUAL));
    }

    @Test
    void shouldPutItsRoleBack_whenSomebodyElseChangesTheFlagOfHttpd() throws IOException {
        try (RealInstance server = RealInstance.httpd(folder.resolve("node-1"), Options.USUAL);
                StubApp second = new StubApp("this is node-2");
                StubApp third = new StubApp("this is node-3")) {
            ClusterConfig config = RealNodes.startAll(server, second, third);
            Path flag = server.server()
                    .roleFile()
                    .resolveSibling(server.server().roleFile().getFileName() + ".proxy");
            try (ManagedServer managed = installed.open(server.server())) {
                install(managed, file(config, 1, PROXY, 4, List.of(2, 3)));
                Files.delete(flag);
                awaitMended(managed, flag, true);
                assertThat(RealNodes.answers(server.server(), 10)).containsOnlyKeys("this is node-2", "this is node-3");
                install(managed, file(config, 1, APP, 6, List.of()));
                assertThat(flag).doesNotExist();
                Files.createFile(flag);
                awaitMended(managed, flag, false);
                assertThat(installed.results()).as("no reload").containsOnly(InstallerEvents.Result.CHANGED);
            }
        }
    }

    private static void awaitMended(ManagedServer managed, Path flag, boolean isThere) {
        await().atMost(PATIENCE).until(() -> {
            managed.observe(Duration.ofSeconds(1));
            return Files.exists(flag) == isThere;
        });
    }

    /** A reload may have read the file before the agent wrote it, and come into force after it told the server. */
    private void shouldTellItAgain(RealInstance instance) throws IOException {
        try (instance;
                StubApp second = new StubApp("this is node-2");
                StubApp third = new StubApp("this is node-3")) {
            ClusterConfig config = RealNodes.startAll(instance, second, third);
            String before = Files.readString(instance.server().roleFile());
            try (ManagedServer managed = installed.open(instance.server())) {
                Rendering next = file(config, 1, PROXY, 4, List.of(3));
                install(managed, next);
                assertThat(RealNodes.answers(instance.server(), 10)).containsOnlyKeys("this is node-3");
                Files.writeString(instance.server().roleFile(), before);
                long generation = instance.generation();
                instance.reload();
                await().atMost(PATIENCE).until(() -> instance.generation() != generation);
                Files.writeString(instance.server().roleFile(), next.content());

                await().atMost(PATIENCE).untilAsserted(() -> {
                    managed.observe(Duration.ofSeconds(1));
                    assertThat(RealNodes.answers(instance.server(), 10)).containsOnlyKeys("this is node-3");
                    assertThat(RealNodes.epoch(instance.server()))
                            .isEqualTo(next.mark().toString());
                });
                assertThat(installed.results())
                        .as("and needs no reload of its own")
                        .containsOnly(InstallerEvents.Result.CHANGED);
            }
        }
    }
}
