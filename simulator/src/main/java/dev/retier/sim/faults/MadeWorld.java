package dev.retier.sim.faults;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.DecisionRules;
import dev.retier.agent.config.EdgeConfig;
import dev.retier.agent.config.EdgeKind;
import dev.retier.agent.config.Mode;
import dev.retier.agent.config.MoveRules;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.config.ServerKind;
import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.config.TierBounds;
import dev.retier.agent.config.Timing;
import dev.retier.link.NodeId;
import dev.retier.sim.model.NodeCosts;
import dev.retier.sim.run.MadeCluster;
import dev.retier.state.Role;
import dev.retier.state.SiteId;
import dev.retier.state.Tier;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A cluster made by chance: small, quick to decide, with everything that may be configured somewhere in its range.
 *
 * @param capacities what each node can do, in units per second
 * @param clockRates how fast each node's clock runs
 * @param faults what goes wrong in it, in the order of the enum
 */
record MadeWorld(
        ClusterConfig config, NodeCosts costs, List<Double> capacities, List<Double> clockRates, List<Fault> faults) {
    private static final double CAPACITY = 1000;
    private static final double STATIC_UNITS = 4;
    private static final double FORWARD_UNITS = 1;
    private static final double[] DYNAMIC_UNITS = {6, 12, 24};
    /** Clocks run 5 % slow to 5 % fast, a thousand times worse than real ones. */
    private static final double DRIFT = 0.05;

    /** Holds a hundred requests of a busy proxy: fewer make a utilisation that is mostly noise. */
    private static final int WINDOW_MILLIS = 400;

    /** Servers start at once here. */
    private static final int START_GRACE_MILLIS = 1000;

    /** Those that are newer are drawn last, so that a seed is the same cluster as before. */
    private static final EnumSet<Fault> FIRST_FAULTS = EnumSet.range(Fault.AGENT_ENDS, Fault.FILES_IGNORED);

    private static final int LEAST_NODES = 4;
    private static final int MOST_NODES = 9;
    private static final int HELD_SITES = 4;
    private static final int HOLD_MILLIS = 300;
    private static final double UNKNOWN_SHARE = 1.0 / 3;

    /** Keeps its own copies. */
    MadeWorld {
        capacities = List.copyOf(capacities);
        clockRates = List.copyOf(clockRates);
        faults = List.copyOf(faults);
    }

    /** One in which nothing but {@code possible} goes wrong; else it is the same, whatever is possible. */
    static MadeWorld of(SplittableRandom random, Set<Fault> possible) {
        int nodes = random.nextInt(LEAST_NODES, MOST_NODES + 1);
        int sites = random.nextInt(1, Math.min(3, nodes / 2) + 1);
        NodeCosts costs = new NodeCosts(
                CAPACITY,
                STATIC_UNITS,
                STATIC_UNITS,
                FORWARD_UNITS,
                DYNAMIC_UNITS[random.nextInt(DYNAMIC_UNITS.length)]);
        boolean isUnequal = random.nextInt(4) == 0;
        List<Double> capacities = doubles(nodes, () -> isUnequal ? CAPACITY * (0.6 + random.nextDouble()) : CAPACITY);
        boolean isDrifting = random.nextBoolean();
        List<Double> rates = doubles(nodes, () -> isDrifting ? 1 - DRIFT + 2 * DRIFT * random.nextDouble() : 1);
        List<Fault> faults = new ArrayList<>();
        draw(faults, FIRST_FAULTS, random);
        ClusterConfig config = config(random, nodes, sites);
        draw(faults, EnumSet.complementOf(FIRST_FAULTS), random);
        faults.retainAll(possible);
        return new MadeWorld(withEdges(config, random), costs, capacities, rates, faults);
    }

    /** An edge before each site; a few of them have senders besides that say nothing. */
    private static ClusterConfig withEdges(ClusterConfig config, SplittableRandom random) {
        List<SiteConfig> sites = config.sites().stream()
                .map(site -> random.nextInt(HELD_SITES) == 0 ? held(site) : site)
                .toList();
        List<EdgeConfig> edges = sites.stream()
                .map(site -> new EdgeConfig(
                        "edge-of-" + site.name(),
                        site.id(),
                        EdgeKind.TARGET_LIST,
                        Path.of("/nonexistent/" + site.name()),
                        null))
                .toList();
        return new ClusterConfig(
                config.name(),
                config.mode(),
                config.transport(),
                config.secret(),
                config.journalDirectory(),
                config.timing(),
                config.decision(),
                config.move(),
                sites,
                config.nodes(),
                config.witnesses(),
                edges,
                config.formerHandshake(),
                config.volumes(),
                config.admin(),
                config.rdmaTls());
    }

    private static SiteConfig held(SiteConfig site) {
        return new SiteConfig(
                site.id(),
                site.name(),
                site.hosts(),
                site.priority(),
                site.guaranteeRequestsPerSecond(),
                site.proxy(),
                site.app(),
                millis(HOLD_MILLIS));
    }

    private static void draw(List<Fault> faults, Set<Fault> from, SplittableRandom random) {
        from.stream().filter(_ -> random.nextBoolean()).forEach(faults::add);
    }

    private interface Draw {
        double next();
    }

    private static List<Double> doubles(int count, Draw draw) {
        return IntStream.range(0, count).mapToObj(_ -> draw.next()).toList();
    }

    private static ClusterConfig config(SplittableRandom random, int nodes, int sites) {
        List<SiteConfig> made = new ArrayList<>();
        int priority = 1;
        for (int site = 1; site <= sites; site++) {
            made.add(site(random, site, priority, nodes));
            priority += random.nextInt(4) == 0 ? 0 : 1;
        }
        List<Role> roles = roles(random, made, nodes);
        ClusterConfig base = MadeCluster.of(made, roles, rules(random));
        int witnesses = Math.min(1 + 2 * random.nextInt(3), nodes % 2 == 0 ? nodes - 1 : nodes);
        return new ClusterConfig(
                base.name(),
                mode(random),
                base.transport(),
                base.secret(),
                base.journalDirectory(),
                base.timing(),
                base.decision(),
                base.move(),
                base.sites(),
                base.nodes().stream().map(node -> withKind(node, random)).toList(),
                IntStream.rangeClosed(1, witnesses).mapToObj(NodeId::new).toList(),
                base.edges(),
                base.formerHandshake(),
                base.volumes(),
                base.admin(),
                base.rdmaTls());
    }

    private static Mode mode(SplittableRandom random) {
        return switch (random.nextInt(20)) {
            case 0 -> Mode.OBSERVE;
            case 1 -> Mode.RECOMMEND;
            default -> Mode.ACT;
        };
    }

    private static SiteConfig site(SplittableRandom random, int number, int priority, int nodes) {
        boolean isPromised = random.nextInt(3) == 0;
        @Nullable Double guarantee = isPromised ? 20 + 60.0 * random.nextInt(1, 4) : null;
        SiteId id = new SiteId(number);
        return new SiteConfig(
                id,
                "site-" + number,
                List.of(),
                priority,
                guarantee,
                bounds(random, nodes),
                bounds(random, nodes),
                null);
    }

    private static TierBounds bounds(SplittableRandom random, int nodes) {
        int most = random.nextInt(4) == 0 ? random.nextInt(2, nodes + 1) : nodes;
        return new TierBounds(1, most);
    }

    /** Each tier has a node; the others serve anything, or are spare. */
    private static List<Role> roles(SplittableRandom random, List<SiteConfig> sites, int nodes) {
        List<Role> roles = new ArrayList<>();
        List<SiteConfig> any = new ArrayList<>();
        for (SiteConfig site : sites) {
            roles.add(Role.serving(site.id(), Tier.PROXY));
            roles.add(Role.serving(site.id(), Tier.APP));
            any.add(site);
        }
        while (roles.size() < nodes) {
            SiteConfig site = any.get(random.nextInt(any.size()));
            Tier tier = random.nextBoolean() ? Tier.PROXY : Tier.APP;
            Role role = Role.serving(site.id(), tier);
            boolean isFull = roles.stream().filter(role::equals).count()
                    >= site.bounds(tier).max();
            roles.add(isFull || random.nextInt(8) == 0 ? Role.SPARE : role);
        }
        return roles;
    }

    private static NodeConfig withKind(NodeConfig node, SplittableRandom random) {
        boolean isApp = node.initialRole() instanceof Role.Serving(var _, Tier tier) && tier == Tier.APP;
        ServerKind kind = switch (random.nextInt(12)) {
            case 0, 1 -> ServerKind.HTTPD;
            case 2 -> isApp ? ServerKind.HTTPD : ServerKind.HAPROXY;
            default -> ServerKind.WEB_NODE;
        };
        ServerConfig server = node.server();
        ServerConfig other = new ServerConfig(
                kind,
                server.address(),
                server.admin(),
                server.roleFile(),
                server.provePath(),
                server.control(),
                kind.tiers());
        return new NodeConfig(node.id(), node.name(), node.rdma(), other, null, node.agentAdmin(), node.initialRole());
    }

    private static MadeCluster.Rules rules(SplittableRandom random) {
        Timing timing = new Timing(
                millis(oneOf(random, 100, 200, 400)),
                millis(oneOf(random, 50, 100)),
                millis(WINDOW_MILLIS),
                millis(100),
                millis(oneOf(random, 500, 1000)),
                millis(oneOf(random, 1000, 2000)),
                millis(START_GRACE_MILLIS),
                millis(oneOf(random, 1000, 2000)));
        Duration history = millis(oneOf(random, 500, 1000, 1500));
        DecisionRules defaults = DecisionRules.DEFAULTS;
        double inTransit = oneOf(random, 100, 50, 25) / 100.0;
        oneOf(random, 0, 0, 500); // a key that is gone: seeds keep their worlds
        DecisionRules decision = new DecisionRules(
                history,
                defaults.takeThreshold(),
                defaults.tolerance(),
                oneOf(random, 600, 600, 600, 600, 4),
                UNKNOWN_SHARE,
                inTransit,
                List.of());
        MoveRules move = new MoveRules(
                millis(1000), millis(oneOf(random, 1000, 2000)), millis(40), millis(1000), millis(1000), Duration.ZERO);
        return new MadeCluster.Rules(timing, decision, move);
    }

    private static int oneOf(SplittableRandom random, int... values) {
        return values[random.nextInt(values.length)];
    }

    private static Duration millis(int millis) {
        return Duration.ofMillis(millis);
    }

    /** One line for people. */
    String text() {
        StringBuilder text = new StringBuilder(config.nodes().size() + " nodes");
        config.nodes()
                .forEach(node -> text.append(' ')
                        .append(node.name())
                        .append('=')
                        .append(dev.retier.agent.view.RoleText.of(node.initialRole(), config))
                        .append(
                                node.server().kind() == ServerKind.WEB_NODE
                                        ? ""
                                        : "(" + node.server().kind().word() + ")"));
        config.sites()
                .forEach(site -> text.append("; ")
                        .append(site.name())
                        .append(" priority ")
                        .append(site.priority())
                        .append(
                                site.guaranteeRequestsPerSecond() == null
                                        ? ""
                                        : " guarantee " + site.guaranteeRequestsPerSecond())
                        .append(" at most ")
                        .append(site.proxy().max())
                        .append("p ")
                        .append(site.app().max())
                        .append('a'));
        return text.append("; mode ")
                .append(config.mode())
                .append("; witnesses ")
                .append(config.witnesses().size())
                .append("; S ")
                .append(config.timing().sensitivity().toMillis())
                .append(" ms, T ")
                .append(config.decision().takeHistory().toMillis())
                .append(" ms, lease ")
                .append(config.timing().lease().toMillis())
                .append(" ms, budget ")
                .append(config.decision().movesPerHour())
                .append("; faults ")
                .append(faults)
                .toString();
    }
}
