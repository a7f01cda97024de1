package dev.retier.agent.real;

import static dev.retier.agent.fixture.Clusters.APP;
import static dev.retier.agent.fixture.Clusters.PROXY;
import static dev.retier.agent.real.RealNodes.PATIENCE;
import static dev.retier.agent.real.RealNodes.cluster;
import static dev.retier.agent.real.RealNodes.file;
import static dev.retier.agent.real.RealNodes.get;
import static dev.retier.agent.real.RealNodes.install;
import static dev.retier.agent.real.RealNodes.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.config.ServerControl;
import dev.retier.agent.config.ServerControl.Commands;
import dev.retier.agent.config.ServerControl.Limits;
import dev.retier.agent.config.ServerKind;
import dev.retier.agent.fixture.TinyDisk;
import dev.retier.agent.real.RealInstance.Options;
import dev.retier.agent.render.Rendering;
import dev.retier.agent.server.InstallerEvents;
import dev.retier.agent.server.ManagedServer;
import dev.retier.agent.server.ManagedServers;
import dev.retier.agent.status.Observation;
import dev.retier.config.HostPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever goes wrong with a new file, the old configuration serves on, and the reason is told. */
class ServerFailuresIT {
    @TempDir
    @Nullable
    Path temporary;

    private Path folder = Path.of("");
    private final StubApp app = new StubApp("this is the app");

    @BeforeEach
    void useFolder() {
        folder = Objects.requireNonNull(temporary);
    }

    @AfterEach
    void closeApp() {
        app.close();
    }

    private static ManagedServer open(ServerConfig server) {
        ManagedServer managed = ManagedServers.open("test", server, InstallerEvents.NONE);
        managed.start();
        return managed;
    }

    /** A proxy of stamp 2 before the stub app. */
    private ClusterConfig start(RealInstance proxy) {
        ClusterConfig config = cluster(proxy.server(), app.server());
        RealNodes.writeFirst(config, 1, first(config));
        proxy.start();
        return config;
    }

    private static Rendering first(ClusterConfig config) {
        return file(config, 1, PROXY, 2, List.of(2));
    }

    /** The server runs and serves the file of its start, which is also what is on disk. */
    private void assertServesAsBefore(RealInstance proxy, ClusterConfig config) throws IOException {
        assertThat(proxy.isAlive()).isTrue();
        assertThat(get(proxy.server().address(), "/dynamic/x").body()).isEqualTo("this is the app");
        assertThat(proxy.server().roleFile()).hasContent(first(config).content().strip());
        try (var files =
                Files.list(Objects.requireNonNull(proxy.server().roleFile().getParent()))) {
            assertThat(files.map(path -> path.getFileName().toString()))
                    .noneMatch(
                            name -> name.endsWith(".staged") || name.endsWith(".new") || name.endsWith(".last-good"));
        }
    }

    /** With one more node that may be an app the structure is another, so that nothing but a reload will do. */
    private Rendering another(ClusterConfig config, long stamp) {
        ServerConfig more = ServerConfig.webNode(
                new HostPort("127.0.0.1", 80), new HostPort("127.0.0.1", 81), folder.resolve("node-3"));
        ServerConfig own = config.nodes().getFirst().server();
        boolean isHttpd = own.kind() == ServerKind.HTTPD;
        return file(
                cluster(own, app.server(), more), 1, isHttpd ? APP : PROXY, stamp, isHttpd ? List.of() : List.of(2, 3));
    }

    private Path template(String text) throws IOException {
        return Files.writeString(folder.resolve("template-" + text.hashCode()), text);
    }

    @Test
    void shouldRefuse_whenATemplateIsWrong() throws IOException {
        try (RealInstance proxy = RealInstance.httpd(folder.resolve("node-1"), Options.USUAL)) {
            ClusterConfig config = start(proxy);
            try (ManagedServer managed = open(proxy.server())) {
                ClusterConfig listens = cluster(with(proxy, template("Listen 127.0.0.1:1\n")), app.server());
                assertThat(refused(managed, another(listens, 4))).contains("Listen", "ends httpd's parent");
                ClusterConfig broken = cluster(with(proxy, template("NoSuchDirective {{epoch}}\n")), app.server());
                assertThat(refused(managed, another(broken, 6))).contains("NoSuchDirective");
                assertServesAsBefore(proxy, config);
                ClusterConfig unknown = cluster(with(proxy, template("# {{epok}}\n")), app.server());
                assertThatThrownBy(() -> another(unknown, 8)).hasMessageContaining("{{epok}} stands for nothing");
                install(managed, another(config, 10));
            }
        }
    }

    /** Its own command would start it: who has stopped it knows why. */
    @Test
    void shouldComeIntoForce_whenTheServerIsStartedAfterwards() throws IOException {
        Path started = folder.resolve("started");
        try (RealInstance proxy = RealInstance.httpd(folder.resolve("node-1"), Options.USUAL)) {
            ClusterConfig config = cluster(proxy.server(), app.server());
            RealNodes.writeFirst(config, 1, first(config));
            Commands usual = proxy.server().controlled().commands();
            List<String> restart = List.of("/usr/bin/touch", started.toString());
            try (ManagedServer managed =
                    open(proxy.seen(new Commands(usual.program(), usual.check(), usual.reload(), restart)))) {
                managed.install(another(config, 4));
                await().atMost(PATIENCE)
                        .until(() -> managed.observe(PATIENCE) instanceof Observation.Silent(String why)
                                && why.contains("names no running process"));
                proxy.start();
                install(managed, another(config, 4));
                assertThat(started).doesNotExist();
            }
        }
    }

    private static ServerConfig with(RealInstance instance, Path template) {
        return with(instance.server(), template, instance.server().controlled().limits());
    }

    private static ServerConfig with(ServerConfig server, @Nullable Path template, Limits limits) {
        ServerControl control = server.controlled();
        return new ServerConfig(
                server.kind(),
                server.address(),
                server.admin(),
                server.roleFile(),
                server.provePath(),
                new ServerControl(
                        control.config(),
                        control.process(),
                        control.statusPath(),
                        control.socket(),
                        template,
                        control.commands(),
                        limits,
                        List.of()),
                server.kind().tiers());
    }

    @Test
    void shouldRefuse_whenTheCheckerFailsOrHangs() throws IOException {
        try (RealInstance proxy = RealInstance.httpd(folder.resolve("node-1"), Options.USUAL)) {
            ClusterConfig config = start(proxy);
            List<String> reload = proxy.server().controlled().commands().reload();
            ServerConfig failing = proxy.seen(
                    new Commands("apache2", List.of("/bin/sh", "-c", "echo no such day; exit 3"), reload, List.of()));
            try (ManagedServer managed = open(failing)) {
                assertThat(refused(managed, another(config, 4))).contains("ended with 3", "no such day");
            }
            assertServesAsBefore(proxy, config);
            ServerConfig hanging = with(
                    proxy.seen(new Commands("apache2", List.of("/bin/sh", "-c", "sleep 60"), reload, List.of())),
                    null,
                    new Limits(Duration.ZERO, Duration.ofMillis(300), Duration.ofSeconds(5)));
            try (ManagedServer managed = open(hanging)) {
                assertThat(refused(managed, another(config, 6))).contains("took longer than 300 ms");
            }
            assertServesAsBefore(proxy, config);
        }
    }

    /** As after a crash of the machine, when the number in the file has gone to somebody else. */
    @Test
    void shouldRefuseAndSignalNobody_whenThePidFileNamesAnotherProcess() throws IOException {
        try (RealInstance proxy = RealInstance.httpd(folder.resolve("node-1"), Options.USUAL)) {
            ClusterConfig config = start(proxy);
            Path pidFile = proxy.server().controlled().pidFile();
            String own = Files.readString(pidFile);
            Process innocent = new ProcessBuilder("sleep", "600").start();
            try (ManagedServer managed = open(proxy.server())) {
                Files.writeString(pidFile, innocent.pid() + "\n");
                managed.install(another(config, 4));
                await().atMost(PATIENCE)
                        .until(() -> managed.observe(PATIENCE) instanceof Observation.Mute(String why)
                                && why.contains("(sleep), which is not the server"));
                assertServesAsBefore(proxy, config);
                Files.writeString(pidFile, own);
                install(managed, another(config, 6));
                assertThat(innocent.isAlive()).isTrue();
            } finally {
                innocent.destroyForcibly();
            }
        }
    }

    /** The checker is content with this, and httpd's parent ends in the reload: so there must be none. */
    @Test
    void shouldRefuse_whenHttpdWouldFindAPortBusy() throws IOException {
        try (RealInstance proxy = RealInstance.httpd(folder.resolve("node-1"), Options.USUAL);
                ServerSocket busy = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            ClusterConfig config = start(proxy);
            append(proxy.config(), "Listen 127.0.0.1:" + busy.getLocalPort() + "\n");
            try (ManagedServer managed = open(proxy.server())) {
                assertThat(refused(managed, another(config, 4))).contains("another program has that port");
                assertServesAsBefore(proxy, config);
            }
        }
    }

    @Test
    void shouldRefuse_whenHttpdWouldFindAnotherMpm() throws IOException {
        try (RealInstance proxy = RealInstance.httpd(folder.resolve("node-1"), Options.USUAL)) {
            ClusterConfig config = start(proxy);
            Files.writeString(proxy.config(), Files.readString(proxy.config()).replace("mpm_event", "mpm_worker"));
            try (ManagedServer managed = open(proxy.server())) {
                await().atMost(PATIENCE)
                        .until(() -> managed.observe(Duration.ofSeconds(1)) instanceof Observation.Whole);
                assertThat(refused(managed, another(config, 4))).contains("the MPM on disk is worker");
                assertServesAsBefore(proxy, config);
            }
        }
    }

    @Test
    void shouldRestore_whenNginxFindsAPortBusy() throws IOException {
        shouldRestoreAfterABusyPort(
                RealInstance.nginx(folder.resolve("node-1"), "proxy.conf", quick()),
                "  server {\n    listen 80;",
                "  server { listen 127.0.0.1:PORT; }\n  server {\n    listen 80;");
    }

    @Test
    void shouldRestore_whenHaproxyFindsAPortBusy() throws IOException {
        shouldRestoreAfterABusyPort(
                RealInstance.haproxy(folder.resolve("node-1"), "proxy.cfg", quick()),
                "frontend shop",
                "frontend other\n  bind 127.0.0.1:PORT\nfrontend shop");
    }

    private static Options quick() {
        return Options.USUAL.withLimits(new Limits(Duration.ZERO, Duration.ofSeconds(20), Duration.ofSeconds(2)));
    }

    private void shouldRestoreAfterABusyPort(RealInstance instance, String before, String after) throws IOException {
        try (instance;
                ServerSocket busy = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            ClusterConfig config = start(instance);
            String own =
                    before.replace("listen 80;", "listen " + instance.server().address() + ";");
            String text = Files.readString(instance.config());
            assertThat(text).contains(own);
            String port = String.valueOf(busy.getLocalPort());
            String more =
                    after.replace("listen 80;", "listen " + instance.server().address() + ";");
            Files.writeString(instance.config(), text.replace(own, more.replace("PORT", port)));
            try (ManagedServer managed = open(instance.server())) {
                assertThat(refused(managed, another(config, 4))).contains("last good file");
                assertServesAsBefore(instance, config);
            }
        }
    }

    @Test
    void shouldRefuse_whenTheDiskIsFull() throws IOException {
        try (TinyDisk disk = new TinyDisk(folder.resolve("disk"));
                RealInstance proxy = RealInstance.httpd(folder.resolve("node-1"), Options.USUAL)) {
            Path link = proxy.server().roleFile();
            Files.createSymbolicLink(link, folder.resolve("disk/retier.conf"));
            ClusterConfig config = start(proxy);
            try (ManagedServer managed = open(proxy.server())) {
                install(managed, first(config));
                disk.fill();
                assertThat(refused(managed, another(config, 4))).contains("No space left on device");
                assertServesAsBefore(proxy, config);
                disk.free();
                install(managed, another(config, 6));
                assertThat(link).isSymbolicLink();
            }
        }
    }

    @Test
    void shouldSayThatItKnowsLittle_whenTheStatusPageLiesOrHangs() throws IOException {
        try (RealInstance proxy = RealInstance.httpd(folder.resolve("node-1"), Options.USUAL);
                ServerSocket mute = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            ClusterConfig config = start(proxy);
            String page = get(proxy.server().admin(), "/.retier/status?auto").body();
            try (StubApp liar = new StubApp(page);
                    ManagedServer still = open(asking(proxy, liar.address()));
                    ManagedServer hanging = open(asking(proxy, new HostPort("127.0.0.1", mute.getLocalPort())));
                    StubApp nonsense = new StubApp("<html>welcome</html>");
                    ManagedServer untrue = open(asking(proxy, nonsense.address()))) {
                assertPartial(still, "stands still");
                assertPartial(hanging, "late");
                assertPartial(untrue, "no page of mod_status");
            }
            assertServesAsBefore(proxy, config);
        }
    }

    /** As on a busy machine: each page takes longer than a poll waits for it, and is the newest there is. */
    @Test
    void shouldBelieveTheStatusPage_whenEveryOneIsLate() throws IOException {
        try (RealInstance proxy = RealInstance.httpd(folder.resolve("node-1"), Options.USUAL)) {
            ClusterConfig config = start(proxy);
            String page = get(proxy.server().admin(), "/.retier/status?auto").body();
            try (StubApp slow = new StubApp(page, Duration.ofMillis(150));
                    ManagedServer managed = open(asking(proxy, slow.address()))) {
                List<Long> asked = new ArrayList<>();
                await().atMost(PATIENCE).pollInterval(Duration.ofMillis(10)).until(() -> {
                    if (managed.observe(Duration.ofSeconds(1))
                            instanceof Observation.Whole(var _, long atNanos, long _)) {
                        assertThat(System.nanoTime() - atNanos).isLessThan(2_000_000_000L);
                        asked.add(atNanos);
                    }
                    return asked.size() >= 4;
                });
                assertThat(asked).isSorted().doesNotHaveDuplicates();
            }
            assertServesAsBefore(proxy, config);
        }
    }

    private static ServerConfig asking(RealInstance instance, HostPort admin) {
        ServerConfig server = instance.server();
        return new ServerConfig(
                ServerKind.HTTPD,
                server.address(),
                admin,
                server.roleFile(),
                server.provePath(),
                server.controlled(),
                ServerKind.HTTPD.tiers());
    }

    /** The load stays known by its processor time; that nothing is in the server is not to be believed. */
    private static void assertPartial(ManagedServer managed, String why) {
        await().atMost(PATIENCE).untilAsserted(() -> {
            Observation seen = managed.observe(Duration.ofSeconds(1));
            assertThat(seen).isInstanceOf(Observation.Partial.class);
            assertThat(((Observation.Partial) seen).why()).contains(why);
        });
    }

    private static void append(Path file, String text) throws IOException {
        Files.writeString(file, text, StandardOpenOption.APPEND);
    }
}
