package dev.retier.agent.real;

import static dev.retier.agent.fixture.Clusters.APP;
import static dev.retier.agent.fixture.Clusters.PROXY;
import static dev.retier.agent.real.RealNodes.file;
import static dev.retier.agent.real.RealNodes.install;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.observe.ServerProbes;
import dev.retier.agent.real.RealInstance.Options;
import dev.retier.agent.server.InstallerEvents;
import dev.retier.agent.server.ManagedServer;
import dev.retier.link.NodeId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that are reached by IPv6 alone. */
class Ipv6IT {
    private static final Options V6 = Options.USUAL.withHost("::1");

    @TempDir
    private Path folder = Path.of("");

    private final Installations installed = new Installations();

    /** Its first app is out, its second one in. */
    private void sendsToApps(RealInstance proxy, InstallerEvents.Result how) {
        try (proxy;
                RealInstance second = RealInstance.httpd(folder.resolve("node-2"), V6.withText("node-2"));
                RealInstance third = RealInstance.httpd(folder.resolve("node-3"), V6.withText("node-3"))) {
            ClusterConfig config = RealNodes.cluster(proxy.server(), second.server(), third.server());
            RealNodes.writeFirst(config, 1, file(config, 1, PROXY, 2, List.of(2)));
            for (int app : List.of(2, 3)) {
                RealNodes.writeFirst(config, app, file(config, app, APP, 2, List.of()));
            }
            List.of(second, third, proxy).forEach(RealInstance::start);
            assertThat(RealNodes.answers(proxy.server(), 4)).isEqualTo(Map.of("node-2", 4L));
            try (ManagedServer managed = installed.open(proxy.server())) {
                install(managed, file(config, 1, PROXY, 4, List.of(3)));
                assertThat(RealNodes.answers(proxy.server(), 4)).isEqualTo(Map.of("node-3", 4L));
                assertThat(installed.results()).containsOnly(how);
                assertThat(ServerProbes.objection(config, config.node(new NodeId(1)), PROXY, 4, Duration.ofSeconds(5)))
                        .isEmpty();
            }
        }
    }

    @Test
    void shouldSendToApps_whenTheProxyIsHttpd() {
        sendsToApps(RealInstance.httpd(folder.resolve("node-1"), V6), InstallerEvents.Result.CHANGED);
    }

    @Test
    void shouldSendToApps_whenTheProxyIsNginx() {
        sendsToApps(RealInstance.nginx(folder.resolve("node-1"), "node.conf", V6), InstallerEvents.Result.RELOADED);
    }

    @Test
    void shouldSendToApps_whenTheProxyIsHaproxy() {
        sendsToApps(RealInstance.haproxy(folder.resolve("node-1"), "proxy.cfg", V6), InstallerEvents.Result.CHANGED);
    }
}
