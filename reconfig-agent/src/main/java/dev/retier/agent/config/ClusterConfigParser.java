package dev.retier.agent.config;

import dev.retier.config.ConfigReader;
import dev.retier.config.ConfigValue;
import dev.retier.config.DurationText;
import dev.retier.config.Fields;
import dev.retier.config.Problems;
import dev.retier.link.NodeId;
import dev.retier.link.Transport;
import dev.retier.state.Role;
import dev.retier.state.SiteId;
import dev.retier.state.Tier;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the sections of a cluster file. Owned by one parse. */
final class ClusterConfigParser {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");
    private static final String NAME_REMEDY = "use 1 to 63 letters, digits, dots, dashes or underscores";
    /** By RFC 1035, section 2.3.4; "_" is in no host name and in some. */
    private static final Pattern HOST =
            Pattern.compile("(?=.{1,253}\\z)[A-Za-z0-9][A-Za-z0-9_-]{0,62}(\\.[A-Za-z0-9_-]{1,63})*\\.?");

    private static final String HOST_REMEDY =
            "write a host name: letters, digits, dashes or underscores, 1 to 63 of them between two dots, 253 in all";
    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,127}");
    private static final Pattern ROLE = Pattern.compile("spare|[A-Za-z0-9][A-Za-z0-9._-]{0,62}/(proxy|app)");
    private static final int MAX_NODES = 256;
    private static final int MAX_EDGES = 64;
    private static final int MAX_HOSTS = 64;
    private static final int MAX_WITNESSES = 5;
    /** The shared state refuses shorter leases. */
    private static final int DEADLINES_PER_LEASE = 6;

    private static final Pattern NODES_PATH = Pattern.compile("(?:[^\\p{Cntrl}{}]|\\{node}){1,4096}");
    private static final String NODES_PATH_REMEDY =
            "name a PEM file, in whose path " + RdmaTls.NODE + " is the node's name and nothing else is in braces";
    private static final Duration ONE_MS = Duration.ofMillis(1);
    private static final Duration ONE_HOUR = Duration.ofHours(1);

    private final Problems problems;
    private Path journals = Path.of("");
    private final Map<String, SiteId> siteIds = new HashMap<>();
    private final Map<String, NodeId> nodeIds = new HashMap<>();

    private ClusterConfigParser(Problems problems) {
        this.problems = problems;
    }

    static ClusterConfig parse(String text, String file) {
        Problems problems = new Problems(file);
        ConfigValue root = ConfigReader.yaml(text, problems);
        ClusterConfig config = root == null ? null : new ClusterConfigParser(problems).cluster(root);
        if (config == null || !problems.isEmpty()) {
            throw problems.toException();
        }
        return config;
    }

    private @Nullable ClusterConfig cluster(ConfigValue root) {
        Fields fields = Fields.of(root, "", problems);
        String name = fields.text("name", NAME, NAME_REMEDY);
        Mode mode = fields.oneOf("mode", Mode.values(), Mode.ACT, Fields::lowerCase);
        Transport transport = fields.oneOf("transport", Transport.values(), Transport.IWARP, Fields::lowerCase);
        boolean former = fields.oneOf("former-handshake", new Boolean[] {true, false}, true, String::valueOf);
        SecretSource secret = secret(fields);
        Optional<RdmaTls> tls = rdmaTls(fields, transport);
        Path journal = Path.of(fields.text("journal-directory", ServerParser.PATH, "name a folder"));
        journals = journal;
        Timing timing = timing(fields.section("timing"));
        DecisionRules decision = decision(fields.section("decision"));
        Fields moveFields = fields.section("move");
        List<SiteConfig> sites =
                fields.list("sites", SiteId.MAX_VALUE, (value, where) -> site(Fields.of(value, where, problems)));
        AdminParser admin = AdminParser.of(fields.section("admin"));
        List<NodeConfig> nodes =
                fields.list("nodes", MAX_NODES, (value, where) -> node(Fields.of(value, where, problems), admin));
        List<NodeId> witnesses = witnesses(fields);
        List<EdgeConfig> edges = SharedServers.checkedTogether(
                fields.has("edges")
                        ? fields.list("edges", MAX_EDGES, (value, where) -> edge(Fields.of(value, where, problems)))
                        : List.of());
        MoveRules move = move(moveFields, nodes, edges);
        VolumesConfig volumes = new VolumesParser(nodeIds, problems).volumes(fields);
        fields.finish();
        CrossChecks.check(fields, sites, nodes, edges);
        return problems.isEmpty()
                ? new ClusterConfig(
                        name,
                        mode,
                        transport,
                        secret,
                        journal,
                        timing,
                        decision,
                        move,
                        byPriority(sites),
                        byId(nodes),
                        witnesses,
                        edges,
                        former,
                        volumes,
                        admin.admin(),
                        tls)
                : null;
    }

    private static List<SiteConfig> byPriority(List<SiteConfig> sites) {
        return sites.stream()
                .sorted(Comparator.comparingInt(SiteConfig::priority).thenComparing(SiteConfig::id))
                .toList();
    }

    private static List<NodeConfig> byId(List<NodeConfig> nodes) {
        return nodes.stream().sorted(Comparator.comparing(NodeConfig::id)).toList();
    }

    private static SecretSource secret(Fields fields) {
        Optional<String> file = fields.optionalText("secret-file", ServerParser.PATH, "name a file");
        Optional<String> variable = fields.optionalText("secret-env", VARIABLE, "name an environment variable");
        if (file.isPresent() == variable.isPresent()) {
            fields.problem("secret-file", "give exactly one of secret-file and secret-env");
        }
        return file.<SecretSource>map(path -> new SecretSource.InFile(Path.of(path)))
                .orElseGet(() -> new SecretSource.InEnvironment(variable.orElse("")));
    }

    private static Optional<RdmaTls> rdmaTls(Fields fields, Transport transport) {
        if (!fields.has("rdma")) {
            return Optional.empty();
        }
        Fields rdma = fields.section("rdma");
        Optional<RdmaTls> tls = Optional.empty();
        if (rdma.has("tls")) {
            if (transport != Transport.IWARP) {
                rdma.problem(
                        "tls",
                        "transport " + Fields.lowerCase(transport) + " has none, as RDMA hardware speaks no TLS; use"
                                + " transport: iwarp, or leave it out on a network that you trust");
            }
            Fields files = rdma.section("tls");
            tls = Optional.of(new RdmaTls(
                    files.text("certificate", NODES_PATH, NODES_PATH_REMEDY),
                    files.text("key", NODES_PATH, NODES_PATH_REMEDY),
                    files.text("ca", NODES_PATH, NODES_PATH_REMEDY)));
            files.finish();
        }
        rdma.finish();
        return tls;
    }

    private static Timing timing(Fields fields) {
        Timing usual = Timing.DEFAULTS;
        Timing timing = new Timing(
                fields.duration("sensitivity", usual.sensitivity(), ONE_MS.multipliedBy(10), ONE_HOUR),
                fields.duration("publish-interval", usual.publishInterval(), ONE_MS.multipliedBy(10), ONE_HOUR),
                fields.duration("utilisation-window", usual.utilisationWindow(), ONE_MS.multipliedBy(10), ONE_HOUR),
                fields.duration("read-deadline", usual.readDeadline(), ONE_MS, ONE_HOUR),
                fields.duration("staleness", usual.staleness(), ONE_MS, ONE_HOUR),
                fields.duration("dead-after", usual.deadAfter(), ONE_MS, ONE_HOUR),
                fields.duration("start-grace", usual.startGrace(), Duration.ZERO, ONE_HOUR),
                fields.duration("lease", usual.lease(), ONE_MS.multipliedBy(100), ONE_HOUR));
        if (timing.staleness().compareTo(timing.publishInterval().multipliedBy(2)) < 0) {
            fields.problem("staleness", "below two publish intervals every node is stale; raise it");
        }
        if (timing.lease().compareTo(timing.readDeadline().multipliedBy(DEADLINES_PER_LEASE)) < 0) {
            String shortest = DurationText.print(timing.readDeadline().multipliedBy(DEADLINES_PER_LEASE));
            fields.problem("lease", "could not be renewed in time; make it six read-deadlines, " + shortest);
        }
        fields.finish();
        return timing;
    }

    private static DecisionRules decision(Fields fields) {
        DecisionRules usual = DecisionRules.DEFAULTS;
        DecisionRules rules = new DecisionRules(
                fields.duration("take-history", usual.takeHistory(), Duration.ZERO, ONE_HOUR),
                fields.number("take-threshold", usual.takeThreshold(), 0.01, 0.99),
                fields.number("tolerance", usual.tolerance(), 0, 1),
                fields.integer("moves-per-hour", usual.movesPerHour(), 0, DecisionRules.MAX_MOVES_PER_HOUR),
                fields.number("max-unknown-share", usual.maxUnknownShare(), 0, 1),
                fields.number("max-in-transit-share", usual.maxInTransitShare(), 0, 1),
                FormerKeys.OF_DECISIONS.stream().filter(fields::has).toList());
        fields.finish();
        return rules;
    }

    private static MoveRules move(Fields fields, List<NodeConfig> nodes, List<EdgeConfig> edges) {
        MoveRules usual = MoveDeadlines.usual(nodes, edges);
        MoveRules rules = new MoveRules(
                fields.duration("upstream-deadline", usual.upstreamDeadline(), ONE_MS, ONE_HOUR),
                fields.duration("drain-deadline", usual.drainDeadline(), ONE_MS, ONE_HOUR),
                fields.duration("quiet-time", usual.quietTime(), Duration.ZERO, ONE_HOUR),
                fields.duration("switch-deadline", usual.switchDeadline(), ONE_MS, ONE_HOUR),
                fields.duration("prove-deadline", usual.proveDeadline(), ONE_MS, ONE_HOUR),
                fields.duration("slow-start", usual.slowStart(), Duration.ZERO, ONE_HOUR));
        if (rules.quietTime().compareTo(rules.drainDeadline()) > 0) {
            fields.problem("quiet-time", "is longer than drain-deadline, so no drain would end; lower it");
        }
        fields.finish();
        return rules;
    }

    private SiteConfig site(Fields fields) {
        SiteConfig site = new SiteConfig(
                new SiteId(fields.integer("id", null, 1, SiteId.MAX_VALUE)),
                fields.text("name", NAME, NAME_REMEDY),
                fields.has("hosts") ? fields.texts("hosts", MAX_HOSTS, HOST, HOST_REMEDY) : List.of(),
                fields.integer("priority", 1, 1, SiteId.MAX_VALUE),
                fields.has("guarantee") ? fields.number("guarantee", null, 0.001, 1e9) : null,
                bounds(fields.section("proxy")),
                bounds(fields.section("app")),
                fields.has("proxy-hold")
                        ? fields.duration("proxy-hold", Duration.ZERO, Duration.ZERO, ONE_HOUR)
                        : null);
        siteIds.put(site.name(), site.id());
        fields.finish();
        return site;
    }

    private static TierBounds bounds(Fields fields) {
        int min = fields.integer("min", TierBounds.DEFAULTS.min(), 0, MAX_NODES);
        int max = fields.integer("max", TierBounds.DEFAULTS.max(), 0, MAX_NODES);
        if (max < min) {
            fields.problem("max", "is below min " + min + "; raise it");
        }
        fields.finish();
        return new TierBounds(min, Math.max(min, max));
    }

    private NodeConfig node(Fields fields, AdminParser admin) {
        NodeId id = new NodeId(fields.integer("id", null, 1, NodeId.MAX_VALUE));
        String name = fields.text("name", NAME, NAME_REMEDY);
        Path notes = AgentConfig.journalDirectory(journals, name);
        NodeConfig node = new NodeConfig(
                id,
                name,
                ServerParser.one(fields, "rdma", fields.address("rdma", 1), "this agent"),
                ServerParser.server(fields.section("server"), notes),
                fields.has("app-server") ? ServerParser.server(fields.section("app-server"), notes) : null,
                fields.address("agent", 0),
                role(fields));
        nodeIds.put(node.name(), node.id());
        admin.agent(fields);
        fields.finish();
        return node;
    }

    private Role role(Fields fields) {
        String text = fields.text("role", ROLE, "write spare, or site/proxy or site/app");
        int slash = text.indexOf('/');
        if (slash < 0) {
            return Role.SPARE;
        }
        SiteId site = siteIds.get(text.substring(0, slash));
        if (site == null) {
            noSite(fields, "role", text);
            return Role.SPARE;
        }
        Tier tier = text.endsWith("/proxy") ? Tier.PROXY : Tier.APP;
        return Role.serving(site, tier);
    }

    private EdgeConfig edge(Fields fields) {
        String name = fields.text("name", NAME, NAME_REMEDY);
        String siteName = fields.text("site", NAME, NAME_REMEDY);
        SiteId site = siteIds.get(siteName);
        if (site == null) {
            noSite(fields, "site", siteName);
        }
        EdgeKind kind = fields.oneOf("kind", EdgeKind.values(), null, Fields::lowerCase);
        if (fields.isRefused("kind")) {
            // Which keys belong to it nobody knows: none is called missing or unknown.
            return new EdgeConfig(name, site == null ? new SiteId(1) : site, EdgeKind.TARGET_LIST, Path.of(name), null);
        }
        ServerConfig server = switch (kind) {
            case HAPROXY -> ServerParser.server(fields, ServerKind.HAPROXY, "file");
            case NGINX -> ServerParser.server(fields, ServerKind.NGINX, "file");
            case TARGET_LIST -> null;
        };
        Path file = server == null
                ? Path.of(fields.text("file", ServerParser.PATH, "name the file to write"))
                : server.roleFile();
        fields.finish();
        return new EdgeConfig(name, site == null ? new SiteId(1) : site, kind, file, server);
    }

    private void noSite(Fields fields, String key, String text) {
        String names = String.join(", ", siteIds.keySet().stream().sorted().toList());
        fields.problem(key, "\"" + text + "\" names no site; the sites are " + names);
    }

    private List<NodeId> witnesses(Fields fields) {
        List<String> names = fields.texts("witnesses", MAX_WITNESSES, NAME, NAME_REMEDY);
        if (names.size() % 2 == 0 && !names.isEmpty()) {
            fields.problem("witnesses", names.size() + " witnesses can tie; name 1, 3 or 5 nodes");
        }
        if (names.stream().distinct().count() != names.size()) {
            fields.problem("witnesses", "a node is named twice; name each once");
        }
        return names.stream().flatMap(name -> witness(fields, name)).toList();
    }

    private Stream<NodeId> witness(Fields fields, String name) {
        NodeId id = nodeIds.get(name);
        if (id == null && !name.isEmpty()) {
            String names = String.join(", ", nodeIds.keySet().stream().sorted().toList());
            fields.problem("witnesses", "\"" + name + "\" is no node; the nodes are " + names);
        }
        return Stream.ofNullable(id);
    }
}
