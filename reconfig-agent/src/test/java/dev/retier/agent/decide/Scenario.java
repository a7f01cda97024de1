package dev.retier.agent.decide;

import dev.retier.agent.config.DecisionRules;
import dev.retier.agent.config.Mode;
import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.config.TierBounds;
import dev.retier.agent.view.ClusterView;
import dev.retier.agent.view.NodeView;
import dev.retier.state.LoadRecord;
import dev.retier.state.LoadRecord.Health;
import dev.retier.state.NodeId;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.RoleWord.Phase;
import dev.retier.state.SiteId;
import dev.retier.state.SlotReading;
import dev.retier.state.Tier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Plays a scenario file: each line is a command, its output follows after "----" up to an empty line. The verbs are
 * {@code cluster}, {@code policy}, {@code node}, {@code run} and {@code roles}; see any file for their form.
 */
final class Scenario {
    private static final SiteId SITE = new SiteId(1);
    private static final Map<String, Role> ROLES =
            Map.of("proxy", Role.serving(SITE, Tier.PROXY), "app", Role.serving(SITE, Tier.APP), "spare", Role.SPARE);

    private final TreeMap<NodeId, Node> nodes = new TreeMap<>();
    private final Map<String, String> settings = new LinkedHashMap<>();
    private History history = History.none();
    private long nowNanos;
    private @Nullable Node moving;
    private long movedAtNanos;
    private String lastDecision = "";

    private enum Fate {
        FINE,
        DOWN,
        LEAVING,
        SILENT,
        DEAD
    }

    private static final class Node {
        final NodeId id;
        RoleWord word;
        double capacity = 1_000;
        Fate fate = Fate.FINE;

        @Nullable
        Double ownLoad;

        Node(int id, Role role) {
            this.id = new NodeId(id);
            this.word = RoleWord.active(0, 0, role);
        }

        NodeView view(double tierLoad) {
            Health health = switch (fate) {
                case DOWN -> Health.DOWN;
                case LEAVING -> Health.LEAVING;
                case FINE, SILENT, DEAD -> Health.UP;
            };
            LoadRecord load = new LoadRecord(0, health, ownLoad == null ? tierLoad : ownLoad, 0, 0, 0, 0, capacity);
            boolean isSilent = fate == Fate.SILENT || fate == Fate.DEAD;
            return isSilent
                    ? new NodeView.Silent(id, word, load, SlotReading.Reason.STALE, fate == Fate.DEAD)
                    : new NodeView.Known(id, word, load);
        }
    }

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
            case "cluster" -> cluster(arguments);
            case "policy" -> {
                settings.putAll(arguments);
                yield List.of();
            }
            case "node" -> node(words.get(1), arguments);
            case "run" -> run(words.get(1), arguments);
            case "roles" -> List.of(roles());
            default -> throw new IllegalArgumentException("no verb: " + line);
        };
    }

    private static Map<String, String> arguments(List<String> words) {
        return words.stream()
                .filter(word -> word.contains("="))
                .map(word -> word.split("=", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
    }

    private List<String> cluster(Map<String, String> arguments) {
        int id = 0;
        for (String role : List.of("proxy", "app", "spare")) {
            for (int i = 0; i < Integer.parseInt(arguments.getOrDefault(role, "0")); i++) {
                id++;
                nodes.put(new NodeId(id), new Node(id, Objects.requireNonNull(ROLES.get(role))));
            }
        }
        return List.of();
    }

    private List<String> node(String name, Map<String, String> arguments) {
        Node node = node(Integer.parseInt(name));
        if (arguments.containsKey("load")) {
            node.ownLoad = arguments.get("load").equals("tier") ? null : Double.valueOf(arguments.get("load"));
        }
        if (arguments.containsKey("capacity")) {
            node.capacity = Double.parseDouble(arguments.get("capacity"));
        }
        if (arguments.containsKey("fate")) {
            node.fate = Fate.valueOf(arguments.get("fate").toUpperCase(Locale.ROOT));
        }
        return List.of();
    }

    private Node node(int id) {
        return Objects.requireNonNull(nodes.get(new NodeId(id)), "no such node in the scenario");
    }

    /** Looks every S for that long; a move that is decided takes effect at once and ends after {@code move-time}. */
    private List<String> run(String duration, Map<String, String> loads) {
        List<String> output = new ArrayList<>();
        long endNanos = nowNanos + parse(duration);
        while (nowNanos < endNanos) {
            endMove(output);
            ClusterView view = view(loads);
            Policy policy = policy();
            history = history.after(view, policy, nowNanos);
            Decision decision =
                    Decider.decide(view, history, policy, policy.sites().getFirst(), nowNanos);
            tell(decision, output);
            if (decision instanceof Decision.Move move) {
                order(move, view);
            }
            nowNanos += parse(settings.getOrDefault("S", "200ms"));
        }
        return output.isEmpty() ? List.of("(no change)") : output;
    }

    private ClusterView view(Map<String, String> loads) {
        return ClusterView.of(nodes.values().stream()
                .map(node -> node.view(tierLoad(loads, node.word.to())))
                .toList());
    }

    /** A plain number is the load of each node; {@code w1.8} is work for 1.8 nodes, spread over all that serve. */
    private double tierLoad(Map<String, String> loads, Role role) {
        String load = loads.getOrDefault(roleName(role), "0");
        if (!load.startsWith("w")) {
            return Double.parseDouble(load);
        }
        long serving =
                nodes.values().stream().filter(node -> node.word.serves(role)).count();
        return Math.min(1, Double.parseDouble(load.substring(1)) / Math.max(1, serving));
    }

    private void order(Decision.Move move, ClusterView view) {
        Node node = node(move.node().value());
        node.word = node.word.ordered(view.maxEpoch() + 1, 1, move.to());
        moving = node;
        movedAtNanos = nowNanos;
    }

    private void endMove(List<String> output) {
        Node node = moving;
        if (node != null && nowNanos - movedAtNanos >= parse(settings.getOrDefault("move-time", "200ms"))) {
            moving = null;
            node.ownLoad = null;
            boolean isRolledBack = settings.getOrDefault("moves", "succeed").equals("fail");
            node.word = isRolledBack ? node.word.rolledBack() : node.word.completed();
            output.add(time() + (isRolledBack ? " rolled back " : " active ") + node.id);
        }
    }

    private void tell(Decision decision, List<String> output) {
        String words = switch (decision) {
            case Decision.Stay stay -> "stay " + stay.reason() + would(stay.would());
            case Decision.Move move -> "move " + describe(move) + " " + move.reason();
        };
        if (!words.equals(lastDecision) || decision instanceof Decision.Move) {
            output.add(time() + " " + words);
        }
        lastDecision = words;
    }

    private static String would(Decision.@Nullable Move move) {
        return move == null ? "" : ", would move " + describe(move);
    }

    private static String describe(Decision.Move move) {
        return move.node() + " " + roleName(move.from()) + " -> " + roleName(move.to());
    }

    private String roles() {
        return List.of("proxy", "app", "spare").stream()
                .map(role -> role + ": "
                        + nodes.values().stream()
                                .filter(node -> node.word.phase() == Phase.ACTIVE)
                                .filter(node -> roleName(node.word.to()).equals(role))
                                .map(node -> String.valueOf(node.id.value()))
                                .collect(Collectors.joining(" ")))
                .collect(Collectors.joining(" | "))
                .strip();
    }

    private Policy policy() {
        DecisionRules rules = new DecisionRules(
                duration("take-history", "1000ms"),
                duration("give-history", "0ms"),
                Double.parseDouble(settings.getOrDefault("threshold", "0.8")),
                Double.parseDouble(settings.getOrDefault("tolerance", "0.1")),
                duration("settle", "0ms"),
                duration("cool-down-node", "0ms"),
                duration("cool-down-site", "0ms"),
                Integer.parseInt(settings.getOrDefault("moves-per-hour", "100")),
                1.0 / 3);
        SiteConfig site =
                new SiteConfig(SITE, "shop", List.of(), 1, null, bounds("proxy-bounds"), bounds("app-bounds"));
        Mode mode = Mode.valueOf(settings.getOrDefault("mode", "act").toUpperCase(Locale.ROOT));
        return new Policy(mode, rules, List.of(site), Optional.empty());
    }

    private TierBounds bounds(String key) {
        String[] pair = settings.getOrDefault(key, "1..9").split("\\.\\.", -1);
        return new TierBounds(Integer.parseInt(pair[0]), Integer.parseInt(pair[1]));
    }

    private Duration duration(String key, String usual) {
        return Duration.ofNanos(parse(settings.getOrDefault(key, usual)));
    }

    private static long parse(String milliseconds) {
        return Long.parseLong(milliseconds.replace("ms", "")) * 1_000_000;
    }

    private static String roleName(Role role) {
        return switch (role) {
            case Role.Spare _ -> "spare";
            case Role.Serving serving -> serving.tier().name().toLowerCase(Locale.ROOT);
        };
    }

    private String time() {
        return String.format(Locale.ROOT, "%6.1f s", nowNanos / 1e9);
    }
}
