package dev.retier.cli.demo;

import dev.retier.agent.config.AdminConfig;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.DecisionRules;
import dev.retier.agent.config.Mode;
import dev.retier.agent.config.MoveRules;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.config.SecretSource;
import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.config.TierBounds;
import dev.retier.agent.config.Timing;
import dev.retier.agent.config.VolumesConfig;
import dev.retier.config.HostPort;
import dev.retier.link.NodeId;
import dev.retier.link.ReservedPorts;
import dev.retier.link.Transport;
import dev.retier.sim.model.Split;
import dev.retier.state.Role;
import dev.retier.state.SiteId;
import dev.retier.state.Tier;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** The cluster that the demo's agents share, as configuration. */
final class DemoCluster {
    static final SiteId SITE = new SiteId(1);
    static final String SITE_NAME = "shop";
    private static final String LOOPBACK = "127.0.0.1";
    static final int PORTS_PER_NODE = 4;

    /** Two looks of the default S; some thirty static requests of a busy proxy. */
    private static final Duration UTILISATION_WINDOW = Duration.ofMillis(100);

    private static final Duration PUBLISH_INTERVAL = Duration.ofMillis(25);

    /** Two busy cores run everything here, so waits are generous: they matter only when something has died. */
    private static final Duration READ_DEADLINE = Duration.ofMillis(250);

    private static final Duration STALENESS = Duration.ofSeconds(2);
    private static final Duration LEASE = Duration.ofSeconds(2);

    private DemoCluster() {}

    /**
     * The nodes of {@code split}, the proxies first, each on ports of its own, with their files below {@code
     * directory}.
     *
     * @param reserved {@value #PORTS_PER_NODE} for each node
     */
    static ClusterConfig of(DemoSettings settings, Split split, Mode mode, Path directory, ReservedPorts reserved) {
        Iterator<Integer> ports = reserved.numbers().iterator();
        List<NodeConfig> nodes = IntStream.rangeClosed(1, settings.nodes())
                .mapToObj(number -> node(number, number <= split.proxies() ? Tier.PROXY : Tier.APP, directory, ports))
                .toList();
        return new ClusterConfig(
                "demo",
                mode,
                Transport.IWARP,
                new SecretSource.InFile(directory.resolve("secret")),
                directory.resolve("journal"),
                timing(settings),
                rules(settings),
                MoveRules.DEFAULTS.withDrainDeadline(Duration.ofSeconds(5)),
                List.of(new SiteConfig(
                        SITE,
                        SITE_NAME,
                        List.of("shop.example"),
                        1,
                        null,
                        new TierBounds(1, settings.nodes()),
                        new TierBounds(1, settings.nodes()),
                        Duration.ZERO)), // the clients are in this process
                nodes,
                List.of(new NodeId(1)),
                List.of(),
                true,
                VolumesConfig.NONE,
                AdminConfig.NONE,
                Optional.empty());
    }

    private static NodeConfig node(int number, Tier tier, Path directory, Iterator<Integer> ports) {
        String name = "node-" + number;
        ServerConfig server = ServerConfig.webNode(
                new HostPort(LOOPBACK, ports.next()),
                new HostPort(LOOPBACK, ports.next()),
                directory.resolve(name + ".role.json"));
        return new NodeConfig(
                new NodeId(number),
                name,
                new HostPort(LOOPBACK, ports.next()),
                server,
                null,
                new HostPort(LOOPBACK, ports.next()),
                Role.serving(SITE, tier));
    }

    /** When the agents look, and how long they believe what they saw. */
    static Timing timing(DemoSettings settings) {
        return new Timing(
                settings.sensitivity(),
                PUBLISH_INTERVAL,
                UTILISATION_WINDOW,
                READ_DEADLINE,
                STALENESS,
                STALENESS,
                Timing.DEFAULTS.startGrace(),
                LEASE);
    }

    /** When a node moves. */
    static DecisionRules rules(DemoSettings settings) {
        return DecisionRules.DEFAULTS
                .withHistory(settings.history())
                .withMovesPerHour(DecisionRules.MAX_MOVES_PER_HOUR);
    }
}
