package dev.retier.agent.real;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.retier.agent.apply.AtomicFile;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.files.ServerTemplates;
import dev.retier.agent.fixture.Clusters;
import dev.retier.agent.render.NodeFiles;
import dev.retier.agent.render.Rendering;
import dev.retier.agent.server.HttpFetch;
import dev.retier.agent.server.ManagedServer;
import dev.retier.agent.server.ManagedServers;
import dev.retier.agent.status.Observation;
import dev.retier.agent.status.ServerStatus;
import dev.retier.agent.view.ClusterView;
import dev.retier.agent.view.NodeView;
import dev.retier.config.HostPort;
import dev.retier.link.NodeId;
import dev.retier.state.LoadRecord;
import dev.retier.state.LoadRecord.Health;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Clusters of real servers, what is rendered for them, and what is seen of them. Stateless. */
final class RealNodes {
    static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private RealNodes() {}

    /** Node 1 is the proxy, the others are apps. */
    static ClusterConfig cluster(ServerConfig... servers) {
        List<NodeConfig> nodes = new ArrayList<>();
        for (ServerConfig server : servers) {
            int id = nodes.size() + 1;
            nodes.add(new NodeConfig(
                    new NodeId(id),
                    "node-" + id,
                    new HostPort("127.0.0.1", 9_000 + id),
                    server,
                    null,
                    new HostPort("127.0.0.1", 0),
                    id == 1 ? Clusters.PROXY : Clusters.APP));
        }
        return Clusters.config(nodes);
    }

    /** The file of one node in a role, while the apps that are up are these nodes. */
    static Rendering file(ClusterConfig config, int id, Role role, long stamp, List<Integer> appsUp) {
        NodeConfig node = config.node(new NodeId(id));
        NodeFiles files = ServerTemplates.nodeFiles(config, node);
        return files.render(view(config, appsUp, Map.of()), role, stamp).orElseThrow();
    }

    /** The file of node 1 as proxy, while its apps are these nodes, which can do so much. */
    static Rendering unequal(ClusterConfig config, long stamp, Map<Integer, Double> apps) {
        NodeFiles files = ServerTemplates.nodeFiles(config, config.node(new NodeId(1)));
        return files.render(view(config, List.copyOf(apps.keySet()), apps), Clusters.PROXY, stamp)
                .orElseThrow();
    }

    private static ClusterView view(ClusterConfig config, List<Integer> appsUp, Map<Integer, Double> powers) {
        return ClusterView.of(config.nodes().stream()
                .<NodeView>map(node -> new NodeView.Known(
                        node.id(),
                        RoleWord.active(0, 0, appsUp.contains(node.id().value()) ? Clusters.APP : Clusters.PROXY),
                        new LoadRecord(
                                0,
                                Health.UP,
                                0,
                                0,
                                0,
                                0,
                                0,
                                powers.getOrDefault(node.id().value(), 1_000.0),
                                0)))
                .toList());
    }

    /** Writes the file with which a server is started. */
    static void writeFirst(ClusterConfig config, int id, Rendering rendering) {
        try {
            ServerConfig server = config.node(new NodeId(id)).server();
            AtomicFile.replace(server.roleFile(), rendering.content());
            ManagedServers.writeFlags(server, rendering);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Hands over a file, and waits until the server is proven to run it. */
    static ServerStatus install(ManagedServer server, Rendering rendering) {
        ServerStatus status = offer(server, rendering);
        assertThat(status.lastRefusal()).isNull();
        return status;
    }

    /** Hands over a file, and waits until it is refused; returns why. */
    static String refused(ManagedServer server, Rendering rendering) {
        String why = offer(server, rendering).lastRefusal();
        assertThat(why).isNotNull();
        return String.valueOf(why);
    }

    private static ServerStatus offer(ManagedServer server, Rendering rendering) {
        try {
            server.install(rendering);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<ServerStatus> seen = new ArrayList<>();
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(10)).until(() -> {
            ServerStatus status = status(server.observe(TIMEOUT));
            if (status != null && isAbout(status, rendering)) {
                seen.add(status);
            }
            return !seen.isEmpty();
        });
        return seen.getFirst();
    }

    private static boolean isAbout(ServerStatus status, Rendering rendering) {
        String refusal = status.lastRefusal();
        return status.appliedStamp() == rendering.stamp()
                || (refusal != null && refusal.startsWith("stamp " + rendering.stamp() + " "));
    }

    @org.jspecify.annotations.Nullable
    static ServerStatus status(Observation observation) {
        return switch (observation) {
            case Observation.Whole(ServerStatus status, long _, long _) -> status;
            case Observation.Partial(ServerStatus status, String _) -> status;
            case Observation.Mute _, Observation.Silent _ -> null;
        };
    }

    /** One GET on a fresh connection. */
    static HttpFetch.Answer get(HostPort address, String path) {
        return get(address, path, TIMEOUT);
    }

    /** One GET on a fresh connection, with one more header. */
    static HttpFetch.Answer get(HostPort address, String path, String header, String value) {
        try (HttpFetch fetch = new HttpFetch(address)) {
            return fetch.getSaying(path, header, value, TIMEOUT);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** One GET on a fresh connection, which takes at most so long. */
    static HttpFetch.Answer get(HostPort address, String path, Duration timeout) {
        try (HttpFetch fetch = new HttpFetch(address)) {
            return fetch.get(path, timeout);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Which app answered how many of so many requests on fresh connections. */
    static Map<String, Long> answers(ServerConfig proxy, int count) {
        return IntStream.range(0, count)
                .mapToObj(_ -> get(proxy.address(), "/dynamic/x").body())
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    }

    /** By which file it answers its status page. */
    static String epoch(ServerConfig server) {
        return get(server.admin(), "/.retier/status?auto").headers().getOrDefault("x-retier-epoch", "none");
    }

    /** Node 1 is a proxy of stamp 2 with node 2 in and node 3 out, which are apps. */
    static ClusterConfig startAll(RealInstance proxy, StubApp second, StubApp third) {
        ClusterConfig config = cluster(proxy.server(), second.server(), third.server());
        writeFirst(config, 1, file(config, 1, Clusters.PROXY, 2, List.of(2)));
        proxy.start();
        return config;
    }
}
