package dev.retier.system;

import static org.awaitility.Awaitility.await;

import dev.retier.agent.Agent;
import dev.retier.agent.config.AgentConfig;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.event.AgentListener;
import dev.retier.agent.event.MoveEvent;
import dev.retier.agent.files.ConfigFile;
import dev.retier.cli.node.RunningAgent;
import dev.retier.config.HostPort;
import dev.retier.state.Role;
import dev.retier.state.Tier;
import dev.retier.webnode.WebNode;
import dev.retier.webnode.WebNodeRuntime;
import dev.retier.webnode.config.WebNodeSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Six web-nodes and their agents over soft-iwarp: {@code shop} (priority 1, 220 requests/s guaranteed) with one app,
 * {@code news} (priority 2) with three. An app does 100 dynamic requests/s.
 */
final class TwoSites implements AutoCloseable {
    static final String SHOP = "shop";
    static final String NEWS = "news";

    private static final double CAPACITY = 1000;
    private static final int PORTS_PER_NODE = 4;
    private static final List<String> ROLES =
            List.of("shop/proxy", "shop/app", "news/proxy", "news/app", "news/app", "news/app");
    private final ClusterConfig cluster;
    private final WebNodeRuntime runtime = WebNodeRuntime.create(2);
    private final List<WebNode> webNodes = new ArrayList<>();
    private final List<RunningAgent> agents = new ArrayList<>();
    private final Queue<MoveEvent> moves = new ConcurrentLinkedQueue<>();

    private TwoSites(ClusterConfig cluster) {
        this.cluster = cluster;
    }

    /** Starts all nodes and waits until each agent knows the others. */
    static TwoSites start(Path directory) throws IOException {
        Path secret = Files.createFile(
                directory.resolve("secret"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(secret, "the secret of the two sites, of some length");
        Path file = Files.writeString(directory.resolve("cluster.yaml"), yaml(directory));
        TwoSites sites = new TwoSites(ConfigFile.read(file));
        try {
            sites.cluster.nodes().forEach(sites::startWebNode);
            sites.cluster.nodes().forEach(sites::startAgent);
            await().atMost(Duration.ofSeconds(30)).until(sites::allKnowAll);
            return sites;
        } catch (RuntimeException failed) {
            sites.close();
            throw failed;
        }
    }

    List<URI> agentUrls() {
        return agents.stream()
                .map(running -> URI.create("http://" + running.agent().adminAddress()))
                .toList();
    }

    /** Where each agent is asked, in the order of the nodes. */
    List<HostPort> agents() {
        return cluster.nodes().stream().map(NodeConfig::agentAdmin).toList();
    }

    /** What the agent of that node runs by. */
    AgentConfig config(String node) {
        return new AgentConfig(cluster, cluster.nodeNamed(node).orElseThrow().id());
    }

    /** Ends the agent of that node, whose server goes on; returns where it was asked. */
    HostPort endAgent(String node) {
        NodeConfig ended = config(node).node();
        agents.get(ended.id().value() - 1).close();
        return ended.agentAdmin();
    }

    /** How many nodes serve that role now, as the first agent sees it. */
    int size(String site, Tier tier) {
        return agents.getFirst().agent().view().serving(role(site, tier)).size();
    }

    Role role(String site, Tier tier) {
        return cluster.sites().stream()
                .filter(config -> config.name().equals(site))
                .map(SiteConfig::id)
                .map(id -> Role.serving(id, tier))
                .findFirst()
                .orElseThrow();
    }

    /** Every phase of every move so far. */
    List<MoveEvent> moves() {
        return List.copyOf(moves);
    }

    @Override
    public void close() {
        agents.parallelStream().forEach(RunningAgent::close);
        webNodes.forEach(WebNode::close);
        runtime.close();
    }

    private static String yaml(Path directory) throws IOException {
        List<ServerSocket> held = new ArrayList<>();
        StringBuilder yaml = new StringBuilder(common(directory));
        try {
            for (int node = 1; node <= ROLES.size(); node++) {
                for (int port = 0; port < PORTS_PER_NODE; port++) {
                    held.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
                }
                List<Integer> ports = held.reversed().stream()
                        .limit(PORTS_PER_NODE)
                        .map(ServerSocket::getLocalPort)
                        .toList();
                yaml.append(node(node, directory, ports));
            }
            return yaml.toString();
        } finally {
            for (ServerSocket socket : held) {
                socket.close();
            }
        }
    }

    private static String common(Path directory) {
        return """
            name: two-sites
            mode: act
            secret-file: %1$s/secret
            journal-directory: %1$s/journal
            timing:
              sensitivity: 50ms
              publish-interval: 25ms
              utilisation-window: 150ms
              read-deadline: 250ms
              staleness: 2s
              lease: 2s
            decision:
              take-history: 300ms
            sites:
              - id: 1
                name: shop
                hosts: [shop.example]
                priority: 1
                guarantee: 220
                proxy: {min: 1, max: 2}
                app: {min: 1, max: 4}
              - id: 2
                name: news
                hosts: [news.example]
                priority: 2
                proxy: {min: 1, max: 2}
                app: {min: 1, max: 4}
            witnesses: [node-1]
            nodes:
            """.formatted(directory);
    }

    private static String node(int number, Path directory, List<Integer> ports) {
        return """
              - id: %1$d
                name: node-%1$d
                rdma: 127.0.0.1:%4$d
                server:
                  kind: web-node
                  address: 127.0.0.1:%5$d
                  admin: 127.0.0.1:%6$d
                  role-file: %2$s/node-%1$d.role.json
                agent: 127.0.0.1:%7$d
                role: %3$s
            """.formatted(
                number, directory, ROLES.get(number - 1), ports.get(0), ports.get(1), ports.get(2), ports.get(3));
    }

    private void startWebNode(NodeConfig node) {
        Agent.writeFirstRoleFile(new AgentConfig(cluster, node.id()));
        webNodes.add(WebNode.start(
                WebNodeSettings.of(
                        node.name(),
                        node.server().address(),
                        node.server().admin(),
                        node.server().roleFile(),
                        CAPACITY),
                runtime));
    }

    private void startAgent(NodeConfig node) {
        AgentListener listener = new AgentListener() {
            @Override
            public void movePhase(MoveEvent event) {
                moves.add(event);
            }
        };
        agents.add(RunningAgent.start(new AgentConfig(cluster, node.id()), listener));
    }

    private boolean allKnowAll() {
        return agents.stream()
                .map(RunningAgent::agent)
                .allMatch(agent -> agent.isReady()
                        && agent.view().known().count() == cluster.nodes().size());
    }
}
