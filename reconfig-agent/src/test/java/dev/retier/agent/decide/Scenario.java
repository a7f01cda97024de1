package dev.retier.agent.decide;

import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.view.ClusterView;
import dev.retier.link.NodeId;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.RoleWord.Phase;
import dev.retier.state.SiteId;
import dev.retier.state.Tier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Plays a scenario file: each line is a command, its output follows after "----" up to an empty line. The verbs are
 * {@code cluster}, {@code site}, {@code policy}, {@code node}, {@code run}, {@code fence}, {@code roles} and
 * {@code explain}; see any file for their form.
 */
final class Scenario {
    private static final SiteId FIRST = new SiteId(1);

    private final TreeMap<SiteId, Site> sites = new TreeMap<>();

    private final TreeMap<NodeId, ScenarioNode> nodes = new TreeMap<>();
    private final ScenarioSettings settings = new ScenarioSettings();
    private History history = History.none();
    private long nowNanos;
    private Set<SiteId> unheard = Set.of();
    private final Map<ScenarioNode, Long> movedAtNanos = new LinkedHashMap<>();
    private final List<Decision.Change> rests = new ArrayList<>();
    private final Map<SiteId, String> lastDecisions = new HashMap<>();
    private final Map<SiteId, String> lastDetails = new TreeMap<>();

    /** What a scenario says of a site. */
    record Site(int priority, @Nullable Double guarantee) {}

    /** The file as it would be written anew: its commands with their present output. */
    static String play(String text) {
        Scenario scenario = new Scenario();
        StringBuilder out = new StringBuilder();
        boolean isOutput = false;
        for (String line : text.lines().toList()) {
            if (line.isEmpty()) {
                isOutput = false;
            }
            if (isOutput) {
                continue;
            }
            out.append(line).append('\n');
            if (!line.isEmpty() && !line.startsWith("#")) {
                List<String> output = scenario.command(line);
                if (!output.isEmpty()) {
                    out.append("----\n").append(String.join("\n", output)).append('\n');
                    isOutput = true;
                }
            }
        }
        return out.toString();
    }

    private List<String> command(String line) {
        List<String> words = List.of(line.split(" ", -1));
        Map<String, String> arguments = arguments(words);
        return switch (words.getFirst()) {
            case "cluster" -> site(FIRST, arguments);
            case "site" -> site(new SiteId(Integer.parseInt(words.get(1))), arguments);
            case "policy" -> {
                settings.set(arguments);
                yield List.of();
            }
            case "node" -> node(words.get(1), arguments);
            case "run" -> run(words.get(1), arguments);
            case "fence" -> {
                nodes.values().forEach(node -> node.word = node.word.fenced());
                yield List.of();
            }
            case "edges" -> {
                unheard = arguments.containsValue("silent") ? Set.of(FIRST) : Set.of();
                yield List.of();
            }
            case "roles" -> roles();
            case "explain" -> explain();
            default -> throw new IllegalArgumentException("no verb: " + line);
        };
    }

    private static Map<String, String> arguments(List<String> words) {
        return words.stream()
                .filter(word -> word.contains("="))
                .map(word -> word.split("=", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
    }

    /** A site with its nodes; spare ones belong to none. */
    private List<String> site(SiteId id, Map<String, String> arguments) {
        String guarantee = arguments.get("guarantee");
        int priority = Integer.parseInt(arguments.getOrDefault("priority", "1"));
        sites.put(id, new Site(priority, guarantee == null ? null : Double.valueOf(guarantee)));
        add(arguments.get("proxy"), Role.serving(id, Tier.PROXY));
        add(arguments.get("app"), Role.serving(id, Tier.APP));
        add(arguments.get("spare"), Role.SPARE);
        return List.of();
    }

    private void add(@Nullable String count, Role role) {
        for (int i = 0; count != null && i < Integer.parseInt(count); i++) {
            int id = nodes.size() + 1;
            nodes.put(new NodeId(id), new ScenarioNode(id, role));
        }
    }

    private List<String> node(String name, Map<String, String> arguments) {
        node(Integer.parseInt(name)).set(arguments);
        return List.of();
    }

    private ScenarioNode node(int id) {
        return Objects.requireNonNull(nodes.get(new NodeId(id)), "no such node in the scenario");
    }

    /** Looks every S for that long; a move that is decided takes effect at once and ends after {@code move-time}. */
    private List<String> run(String duration, Map<String, String> loads) {
        List<String> output = new ArrayList<>();
        long endNanos = nowNanos + ScenarioSettings.parse(duration);
        while (nowNanos < endNanos) {
            endMoves(output);
            Policy policy = settings.policy(sites, machines());
            history = history.after(view(loads), policy, nowNanos);
            goOn(loads, policy, output);
            for (SiteConfig site : policy.sites()) {
                ClusterView view = view(loads);
                Decision decision = Decider.decide(view, history, policy, site, nowNanos);
                tell(decision, output);
                if (decision instanceof Decision.Change change) {
                    order(change.waves().getFirst(), view);
                    rests.add(change);
                }
            }
            nowNanos += settings.nanos("S", "200ms");
        }
        return output.isEmpty() ? List.of("(no change)") : output;
    }

    private Map<NodeId, Policy.Machine> machines() {
        return nodes.values().stream()
                .collect(Collectors.toMap(
                        node -> node.id, node -> new Policy.Machine("node-" + node.id.value(), node.kind)));
    }

    private Set<NodeId> those(Predicate<ScenarioNode> which) {
        return nodes.values().stream().filter(which).map(node -> node.id).collect(Collectors.toSet());
    }

    private ClusterView view(Map<String, String> loads) {
        ClusterView view = ClusterView.of(nodes.values().stream()
                .map(node -> node.view(
                        tierLoad(loads, node.word.to()), answered(loads, node.word), underWay(loads, node.word)))
                .toList());
        return view.differing(those(node -> node.differs))
                .unheardEdges(unheard)
                .holdingVolumes(those(node -> node.holdsVolumes));
    }

    /**
     * A plain number is the load of each node; {@code w1.8} is work for 1.8 nodes, spread over all that serve, and
     * {@code u1500} work of 1,500 units per second, of which each does as much as it can. What a site is offered,
     * {@code 2=900:0.5} for site 2, 900 requests per second and half of them dynamic, loads both tiers.
     */
    private double tierLoad(Map<String, String> loads, Role role) {
        if (!(role instanceof Role.Serving(SiteId site, Tier tier))) {
            return 0;
        }
        Offer offer = offer(loads, site);
        if (offer != null) {
            return Math.min(1, offer.need(tier, serving(site, tier)) / Math.max(1, worst(offer, site)));
        }
        String name = tier.name().toLowerCase(Locale.ROOT);
        String load = loads.getOrDefault(site.value() + "/" + name, site.equals(FIRST) ? loads.get(name) : null);
        if (load == null) {
            return 0;
        }
        return switch (load.charAt(0)) {
            case 'w' -> Math.min(1, Double.parseDouble(load.substring(1)) / Math.max(1, serving(site, tier)));
            case 'u' -> Math.min(1, Double.parseDouble(load.substring(1)) / Math.max(1, units(site, tier)));
            default -> Double.parseDouble(load);
        };
    }

    /** Requests that a site is offered. A node answers 100 static ones, forwards 200 or computes 50 per second. */
    private record Offer(double perSecond, double dynamicShare) {
        double need(Tier tier, long nodes) {
            double perRequest = tier == Tier.PROXY ? (1 - dynamicShare) / 100 + dynamicShare / 200 : dynamicShare / 50;
            return perSecond * perRequest / Math.max(0.001, (double) nodes);
        }
    }

    private static @Nullable Offer offer(Map<String, String> loads, SiteId site) {
        String offered = loads.get(String.valueOf(site.value()));
        if (offered == null) {
            return null;
        }
        String[] pair = offered.split(":", -1);
        return new Offer(Double.parseDouble(pair[0]), Double.parseDouble(pair[1]));
    }

    private double worst(Offer offer, SiteId site) {
        return Math.max(
                offer.need(Tier.PROXY, serving(site, Tier.PROXY)), offer.need(Tier.APP, serving(site, Tier.APP)));
    }

    /** Where only loads are given, a site answers a thousand requests a second, which take what the loads say. */
    private double answered(Map<String, String> loads, RoleWord word) {
        if (!isProxy(word) || word.phase() != Phase.ACTIVE) {
            return 0;
        }
        SiteId site = ((Role.Serving) word.to()).site();
        Offer offer = offer(loads, site);
        double ofSite = offer == null ? 1_000 : offer.perSecond / Math.max(1, worst(offer, site));
        return ofSite / Math.max(1, serving(site, Tier.PROXY));
    }

    /** {@code under-way=60}: so many requests in each proxy of the first site. */
    private static int underWay(Map<String, String> loads, RoleWord word) {
        boolean isFirst = word.to() instanceof Role.Serving(SiteId site, var _) && site.equals(FIRST);
        return isProxy(word) && isFirst ? Integer.parseInt(loads.getOrDefault("under-way", "0")) : 0;
    }

    private static boolean isProxy(RoleWord word) {
        return word.to() instanceof Role.Serving(SiteId _, Tier tier) && tier == Tier.PROXY;
    }

    private long serving(SiteId site, Tier tier) {
        return working(site, tier).count();
    }

    private double units(SiteId site, Tier tier) {
        return working(site, tier).mapToDouble(node -> node.capacity).sum();
    }

    private Stream<ScenarioNode> working(SiteId site, Tier tier) {
        return nodes.values().stream()
                .filter(node -> node.fate != ScenarioNode.Fate.DOWN
                        && node.fate != ScenarioNode.Fate.STARTING
                        && node.fate != ScenarioNode.Fate.DEAD)
                .filter(node -> node.word.serves(Role.serving(site, tier)));
    }

    private void order(List<Decision.Move> wave, ClusterView view) {
        long epoch = view.maxEpoch() + 1;
        for (Decision.Move move : wave) {
            ScenarioNode node = node(move.node().value());
            node.word = node.word.ordered(epoch, 1, move.to());
            movedAtNanos.put(node, nowNanos);
            epoch++;
        }
    }

    /** As a mover does, which keeps the lock: the next wave once all of the one before have succeeded. */
    private void goOn(Map<String, String> loads, Policy policy, List<String> output) {
        for (Decision.Change change : List.copyOf(rests)) {
            List<ScenarioNode> first = change.waves().getFirst().stream()
                    .map(move -> node(move.node().value()))
                    .toList();
            if (first.stream().anyMatch(movedAtNanos::containsKey)) {
                continue;
            }
            rests.remove(change);
            boolean isMade = change.waves().getFirst().stream()
                    .allMatch(move -> node(move.node().value()).word.serves(move.to()));
            if (isMade && change.waves().size() > 1) {
                List<List<Decision.Move>> left =
                        change.waves().subList(1, change.waves().size());
                Decision.Change rest = new Decision.Change(change.site(), left, change.reason(), change.detail());
                ClusterView view = view(loads);
                Decision next = Planned.decide(view, history, policy, rest, nowNanos);
                tell(next, output);
                if (next instanceof Decision.Change again) {
                    order(again.waves().getFirst(), view);
                    rests.add(again);
                }
            }
        }
    }

    private void endMoves(List<String> output) {
        long tookNanos = settings.nanos("move-time", "200ms");
        List<ScenarioNode> ended = movedAtNanos.entrySet().stream()
                .filter(entry -> nowNanos - entry.getValue() >= tookNanos)
                .map(Map.Entry::getKey)
                .toList();
        for (ScenarioNode node : ended) {
            movedAtNanos.remove(node);
            if (moves(node).equals("hang")) {
                continue;
            }
            boolean isRolledBack = moves(node).equals("fail");
            node.word = isRolledBack ? node.word.rolledBack() : node.word.completed();
            boolean isIdle = settings.of("new-proxies", "serve").equals("idle") && isProxy(node.word);
            node.ownLoad = isIdle ? 0.0 : null;
            output.add(time() + (isRolledBack ? " rolled back " : " active ") + node.id);
        }
    }

    /** How moves of the node end: they succeed, fail, or hang. */
    private String moves(ScenarioNode node) {
        return node.moves == null ? settings.of("moves", "succeed") : node.moves;
    }

    private void tell(Decision decision, List<String> output) {
        lastDetails.put(decision.site(), decision.detail());
        String words = switch (decision) {
            case Decision.Stay stay -> "stay " + stay.reason() + would(stay.would()) + asked(stay.detail());
            case Decision.Change change -> "move " + describe(change) + " " + change.reason();
        };
        if (!words.equals(lastDecisions.put(decision.site(), words)) || decision instanceof Decision.Change) {
            output.add(time() + (sites.size() > 1 ? " site-" + decision.site().value() + " " : " ") + words);
        }
    }

    private String would(Decision.@Nullable Change change) {
        return change == null ? "" : ", would move " + describe(change);
    }

    private static String asked(String detail) {
        int begin = detail.indexOf("; asked ");
        return begin < 0 ? "" : detail.substring(begin);
    }

    /** What the decision of the latest look says for people. */
    private List<String> explain() {
        return lastDetails.values().stream().toList();
    }

    private String describe(Decision.Change change) {
        return change.waves().stream()
                .map(wave -> wave.stream().map(this::describe).collect(Collectors.joining(", ")))
                .collect(Collectors.joining("; then "));
    }

    private String describe(Decision.Move move) {
        return move.node() + " " + roleName(move.from()) + " -> " + roleName(move.to());
    }

    private List<String> roles() {
        if (sites.size() == 1) {
            return List.of(roles(List.of("proxy", "app", "spare")));
        }
        List<String> lines = new ArrayList<>();
        sites.keySet().forEach(site -> lines.add(roles(List.of(site.value() + "/proxy", site.value() + "/app"))));
        lines.add(roles(List.of("spare")));
        return lines;
    }

    private String roles(List<String> names) {
        return names.stream()
                .map(name -> name + ": "
                        + nodes.values().stream()
                                .filter(node -> node.word.phase() == Phase.ACTIVE)
                                .filter(node -> roleName(node.word.to()).equals(name))
                                .map(node -> String.valueOf(node.id.value()))
                                .collect(Collectors.joining(" ")))
                .collect(Collectors.joining(" | "))
                .strip();
    }

    private String roleName(Role role) {
        return switch (role) {
            case Role.Spare _, Role.Drained _ -> "spare";
            case Role.Serving(SiteId site, Tier tier) ->
                (sites.size() > 1 ? site.value() + "/" : "") + tier.name().toLowerCase(Locale.ROOT);
        };
    }

    private String time() {
        return String.format(Locale.ROOT, "%6.1f s", nowNanos / 1e9);
    }
}
