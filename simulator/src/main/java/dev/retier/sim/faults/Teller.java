package dev.retier.sim.faults;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.decide.Decision;
import dev.retier.agent.move.MoveRecord;
import dev.retier.agent.move.MoverEffect;
import dev.retier.agent.view.ClusterView;
import dev.retier.agent.view.NodeView;
import dev.retier.agent.view.RoleText;
import dev.retier.sim.cluster.ClusterListener;
import dev.retier.sim.service.Plan;
import dev.retier.state.LoadRecord;
import dev.retier.state.RoleWord;
import dev.retier.state.RoleWord.Phase;
import dev.retier.state.SiteId;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes what a cluster does into a timeline; of what comes again and again only the changes. */
final class Teller implements ClusterListener {
    private final ClusterConfig config;
    private final Timeline timeline;
    private final Map<String, String> lastSaid = new HashMap<>();

    Teller(ClusterConfig config, Timeline timeline) {
        this.config = config;
        this.timeline = timeline;
    }

    private void say(int node, String what) {
        timeline.note(config.nodes().get(node).name(), () -> what);
    }

    private void sayIfNew(int node, String topic, String key, String what) {
        if (!key.equals(lastSaid.put(node + topic, key))) {
            say(node, what);
        }
    }

    private String role(RoleWord word) {
        String to = RoleText.of(word.to(), config);
        return (word.phase() == Phase.ACTIVE ? to : "ordered from " + RoleText.of(word.from(), config) + " to " + to)
                + ", epoch " + word.epoch() + ", fence " + word.fence();
    }

    private String name(int node) {
        return config.nodes().get(node).name();
    }

    @Override
    public void looked(int node, ClusterView view) {
        String unknown = view.nodes().values().stream()
                .filter(seen -> !(seen instanceof NodeView.Known))
                .map(seen -> config.node(seen.id()).name()
                        + (seen instanceof NodeView.Silent silent && silent.isDead() ? " dead" : ""))
                .collect(Collectors.joining(", "));
        sayIfNew(node, "unknown", unknown, "sees " + (unknown.isEmpty() ? "all" : "all but " + unknown));
    }

    @Override
    public void decided(int node, Decision decision) {
        String site = RoleText.site(decision.site(), config);
        if (!decision.reasonWord().equals(lastSaid.put(site, decision.reasonWord()))) {
            say(
                    node,
                    "for " + site + ": "
                            + (decision instanceof Decision.Change change
                                    ? "wants "
                                            + change.waves().stream()
                                                    .map(this::moves)
                                                    .toList() + ", "
                                    : "stays, ")
                            + decision.reasonWord() + " [" + decision.detail() + "]");
        }
    }

    private String moves(List<Decision.Move> moves) {
        return moves.stream()
                .map(move -> config.node(move.node()).name() + " from " + RoleText.of(move.from(), config) + " to "
                        + RoleText.of(move.to(), config))
                .collect(Collectors.joining(" and "));
    }

    @Override
    public void acquired(int node, SiteId site, long term, boolean isSafe) {
        say(
                node,
                "holds the lock of " + RoleText.site(site, config) + " in term " + term
                        + (isSafe ? "" : ", too late to act by it"));
    }

    @Override
    public void fenced(int target, int mover, SiteId site, long term) {
        say(target, "fenced by " + name(mover) + " for " + RoleText.site(site, config) + " in term " + term);
    }

    @Override
    public void ordering(Order order) {
        say(
                order.mover(),
                "sends an order to " + name(order.target()) + ": " + role(order.next()) + ", for "
                        + order.move().reason() + " [" + order.move().detail() + "]");
    }

    @Override
    public void ordered(Order order) {
        say(order.target(), "ORDERED by " + name(order.mover()) + ": " + role(order.next()));
    }

    @Override
    public void finished(int mover, MoverEffect.Finished how) {
        say(
                mover,
                "is done with moving " + moves(how.moves()) + ": " + how.result()
                        + (how.refusal() == null ? "" : ", " + how.refusal()) + " " + how.detail());
    }

    @Override
    public void wordChanged(int node, RoleWord before, RoleWord now) {
        if (now.phase() == Phase.ACTIVE && before.phase() == Phase.ORDERED) {
            say(node, "serves " + role(now));
        }
    }

    @Override
    public void wordAtBoot(int node, RoleWord now) {
        say(node, "starts as " + role(now));
    }

    @Override
    public void reached(int node, MoveRecord entry) {
        say(
                node,
                "move " + entry.word().epoch() + " reaches " + entry.phase()
                        + (entry.reason() == null ? "" : ", " + entry.reason()));
    }

    @Override
    public void published(int node, LoadRecord load) {
        sayIfNew(
                node,
                "health",
                load.serverHealth().name(),
                String.format(Locale.ROOT, "publishes %s, utilisation %.2f", load.serverHealth(), load.utilisation()));
    }

    @Override
    public void ran(int node, Plan plan) {
        say(
                node,
                "server runs " + RoleText.of(plan.role(), config) + ", stamp " + plan.stamp()
                        + (plan.apps().isEmpty()
                                ? ""
                                : ", apps "
                                        + plan.apps().stream().map(this::name).collect(Collectors.joining(","))));
    }
}
