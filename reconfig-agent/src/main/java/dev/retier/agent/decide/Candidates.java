package dev.retier.agent.decide;

import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.view.NodeView;
import dev.retier.link.NodeId;
import dev.retier.state.LoadRecord.Health;
import dev.retier.state.Role;
import dev.retier.state.Tier;
import java.util.Comparator;
import java.util.List;

/** Which nodes may move to a tier of the site that may take, and which of them first. Stateless. */
final class Candidates {
    /** Utilisations closer than this are equal: the choice must not hang on noise. */
    private static final double EQUAL_LOAD = 0.05;

    private Candidates() {}

    /** The nodes of {@code role} that could do the work of the tier {@code to}, whether they rest or not. */
    static List<NodeView.Known> able(Case facts, Tier to, Role role) {
        Role wanted = Case.role(facts.site(), to);
        return facts.view()
                .known()
                .filter(node -> facts.policy().mayMove(node.id(), wanted))
                .filter(node -> node.load().serverHealth() == Health.UP)
                .filter(node -> node.word().serves(role))
                .toList();
    }

    /** Those that do not rest. */
    static List<NodeView.Known> rested(Case facts, List<NodeView.Known> nodes) {
        long restNanos = facts.rules().coolDownNode().toNanos();
        return nodes.stream()
                .filter(node -> !facts.history().isResting(node.id(), restNanos, facts.nowNanos()))
                .filter(node -> facts.restLeftNanos(node.id()) <= 0)
                .toList();
    }

    /**
     * The least loaded first, then the one with the fewest orders undone, then the one whose capacity is nearest to the
     * receivers', then the lowest id.
     */
    static Comparator<NodeView.Known> order(Case facts, Tier to) {
        TierTrend taking = facts.trend(facts.site(), to);
        double wanted = taking.known() == 0 ? 0 : taking.capacity() / taking.known();
        return Comparator.<NodeView.Known>comparingLong(
                        node -> Math.round(node.load().utilisation() / EQUAL_LOAD))
                .thenComparingInt(node -> facts.undoneInARow(node.id()))
                .thenComparingDouble(node -> Math.abs(node.load().capacityUnitsPerSecond() - wanted))
                .thenComparing(NodeView.Known::id, Comparator.<NodeId>naturalOrder());
    }

    /** Whether that tier of {@code site} has room for one of these spares, and one of them could do its work. */
    static boolean isRoomFor(Case facts, SiteConfig site, Tier tier, List<NodeView.Known> spares) {
        return facts.trend(site, tier).members().size() < site.bounds(tier).max()
                && spares.stream().anyMatch(spare -> facts.policy().mayMove(spare.id(), Case.role(site, tier)));
    }
}
