package dev.retier.agent.real;

import static dev.retier.agent.fixture.Clusters.APP;
import static dev.retier.agent.fixture.Clusters.PROXY;
import static dev.retier.agent.real.RealNodes.PATIENCE;
import static dev.retier.agent.real.RealNodes.cluster;
import static dev.retier.agent.real.RealNodes.file;
import static dev.retier.agent.real.RealNodes.get;
import static dev.retier.agent.real.RealNodes.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.config.ServerControl;
import dev.retier.agent.config.ServerControl.Commands;
import dev.retier.agent.real.RealInstance.Options;
import dev.retier.agent.render.Rendering;
import dev.retier.agent.server.InstallerEvents;
import dev.retier.agent.server.ManagedServer;
import dev.retier.agent.server.ManagedServers;
import dev.retier.agent.status.Observation;
import dev.retier.config.HostPort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** httpd that ends while an agent brings a file into force: what the reload ended is started, nothing else is. */
class EndedServersIT {
    @TempDir
    private Path folder = Path.of("");

    private final StubApp app = new StubApp("this is the app");

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

    /** With one more node that may be an app the structure is another, so that nothing but a reload will do. */
    private Rendering another(ClusterConfig config, long stamp) {
        ServerConfig more = ServerConfig.webNode(
                new HostPort("127.0.0.1", 80), new HostPort("127.0.0.1", 81), folder.resolve("node-3"));
        return file(cluster(config.nodes().getFirst().server(), app.server(), more), 1, APP, stamp, List.of());
    }

    @Test
    void shouldStartItAgain_whenItEndsInTheReload() throws IOException {
        try (RealInstance proxy = RealInstance.httpd(folder.resolve("node-1"), Options.USUAL)) {
            ClusterConfig config = start(proxy);
            long pid = proxy.pid();
            List<String> check = proxy.server().controlled().commands().check();
            List<String> deadly = List.of("/bin/sh", "-c", "kill -TERM \"$0\"", ServerControl.PID);
            try (ManagedServer managed =
                    open(proxy.seen(new Commands("apache2", check, deadly, proxy.startCommand())))) {
                assertThat(refused(managed, another(config, 4)))
                        .contains("the server ended in the reload", "started again with the last good file");
                assertThat(get(proxy.server().address(), "/dynamic/x").body()).isEqualTo("this is the app");
                assertThat(proxy.server().roleFile())
                        .hasContent(first(config).content().strip());
                assertThat(proxy.pid()).isNotEqualTo(pid);
            }
            try (ManagedServer managed = open(proxy.seen(new Commands("apache2", check, deadly, List.of())))) {
                managed.install(another(config, 6));
                await().atMost(PATIENCE)
                        .until(() -> managed.observe(Duration.ofSeconds(1)) instanceof Observation.Silent);
                await().atMost(PATIENCE)
                        .until(() -> Files.readString(proxy.server().roleFile())
                                .equals(first(config).content()));
            }
        }
    }

    /** As by an administrator, at the very moment. */
    @Test
    void shouldNotStartIt_whenItEndedBeforeTheReload() throws IOException {
        try (RealInstance proxy = RealInstance.httpd(folder.resolve("node-1"), Options.USUAL)) {
            ClusterConfig config = start(proxy);
            List<String> check = proxy.server().controlled().commands().check();
            String stopped = "kill -TERM \"$0\"; while kill -0 \"$0\" 2> /dev/null; do :; done; exit 1";
            List<String> reload = List.of("/bin/sh", "-c", stopped, ServerControl.PID);
            Installations installed = new Installations();
            try (ManagedServer managed =
                    installed.open(proxy.seen(new Commands("apache2", check, reload, proxy.startCommand())))) {
                managed.install(another(config, 4));
                await().atMost(PATIENCE).until(() -> !installed.results().isEmpty());
                assertThat(installed.results()).containsExactly(InstallerEvents.Result.RESTORED);
                assertThat(proxy.isAlive()).isFalse();
                assertThat(proxy.server().roleFile())
                        .hasContent(first(config).content().strip());
            }
        }
    }
}
