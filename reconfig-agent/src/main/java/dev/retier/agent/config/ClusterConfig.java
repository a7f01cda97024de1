package dev.retier.agent.config;

import dev.retier.config.ConfigException;
import dev.retier.link.NodeId;
import dev.retier.link.Transport;
import dev.retier.state.Epochs;
import dev.retier.state.SiteId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The configuration that all agents of a cluster share.
 *
 * @param name of the cluster, for people
 * @param mode how far the agents may go
 * @param transport how the nodes reach each other's slots
 * @param secret where the cluster secret is
 * @param journalDirectory below it, each node has a folder of its name with its journal
 * @param timing how often agents look
 * @param decision when a node moves
 * @param move how long a move may take
 * @param sites in order of priority, the highest first
 * @param nodes in order of id
 * @param witnesses nodes that hold the move locks: 1, 3 or 5
 * @param edges what stands before the proxies, and says what it runs
 * @param formerHandshake whether agents of the version before are connected to and let in
 * @param volumes its block storage
 * @param admin who may ask its agents
 * @param rdmaTls under all that nodes tell each other; none to have none, on a trusted network only
 */
public record ClusterConfig(
        String name,
        Mode mode,
        Transport transport,
        SecretSource secret,
        Path journalDirectory,
        Timing timing,
        DecisionRules decision,
        MoveRules move,
        List<SiteConfig> sites,
        List<NodeConfig> nodes,
        List<NodeId> witnesses,
        List<EdgeConfig> edges,
        boolean formerHandshake,
        VolumesConfig volumes,
        AdminConfig admin,
        Optional<RdmaTls> rdmaTls) {
    /** Keeps its own copies of the lists. */
    public ClusterConfig {
        sites = List.copyOf(sites);
        nodes = List.copyOf(nodes);
        witnesses = List.copyOf(witnesses);
        edges = List.copyOf(edges);
    }

    /**
     * Reads a cluster file. Unknown keys, bad values and contradictions are all reported together. Deadlines of a move
     * that it does not give are as long as the servers of its nodes may take.
     *
     * @param text the YAML
     * @param file how problems name the file
     * @throws ConfigException with every problem found, if there is any
     */
    public static ClusterConfig parse(String text, String file) {
        return ClusterConfigParser.parse(text, file);
    }

    /** What is allowed and will hardly be meant, each with its remedy; for people, at a check and at a start. */
    public List<ConfigWarning> warnings() {
        return Stream.of(
                        MoveDeadlines.warnings(move, nodes, edges).stream(),
                        ProxySenders.warnings(sites, edges).stream(),
                        FormerKeys.warnings(decision),
                        tooFewNodes())
                .flatMap(each -> each)
                .toList();
    }

    private Stream<ConfigWarning> tooFewNodes() {
        int minima = sites.stream()
                .mapToInt(site -> site.proxy().min() + site.app().min())
                .sum();
        return minima <= nodes.size()
                ? Stream.of()
                : Stream.of(new ConfigWarning(
                        "nodes",
                        "the tiers of all sites must have " + minima + " nodes together (min of proxy and app), and the"
                                + " cluster has " + nodes.size()
                                + ": some tier is always short; add nodes or lower a min"));
    }

    /** The longest that a move and its rollback may take together, whichever node it is of. */
    public Duration longestMove() {
        Duration hold = sites.stream()
                .map(SiteConfig::hold)
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
        return move.total().plus(hold);
    }

    /** What its moves are numbered by. */
    public Epochs epochs() {
        return new Epochs(sites.stream().map(SiteConfig::id).toList());
    }

    /** The node of that id; its absence is a mistake of the caller. */
    public NodeConfig node(NodeId id) {
        for (NodeConfig node : nodes) {
            if (node.id().equals(id)) {
                return node;
            }
        }
        throw new IllegalArgumentException(id + " is not in cluster " + name);
    }

    /** The node of that name. */
    public Optional<NodeConfig> nodeNamed(String wanted) {
        return nodes.stream().filter(node -> node.name().equals(wanted)).findFirst();
    }

    /** The edge of that name. */
    public Optional<EdgeConfig> edgeNamed(String wanted) {
        return edges.stream().filter(edge -> edge.name().equals(wanted)).findFirst();
    }

    /** The site of that id. */
    public Optional<SiteConfig> site(SiteId id) {
        for (SiteConfig site : sites) {
            if (site.id().equals(id)) {
                return Optional.of(site);
            }
        }
        return Optional.empty();
    }

    /** A host that any site has, by which a server of any may be asked; where none has one, the server's address. */
    public String anyHost(ServerConfig server) {
        return sites.stream()
                .flatMap(site -> site.hosts().stream())
                .findFirst()
                .orElseGet(() -> server.address().toString());
    }

    /** The same in another mode. */
    public ClusterConfig withMode(Mode other) {
        return with(other, decision);
    }

    /** The same, without the keys that change nothing any more. */
    ClusterConfig withoutFormerKeys() {
        return with(mode, decision.withoutFormerKeys());
    }

    private ClusterConfig with(Mode otherMode, DecisionRules otherRules) {
        return new ClusterConfig(
                name,
                otherMode,
                transport,
                secret,
                journalDirectory,
                timing,
                otherRules,
                move,
                sites,
                nodes,
                witnesses,
                edges,
                formerHandshake,
                volumes,
                admin,
                rdmaTls);
    }
}
