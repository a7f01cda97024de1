package dev.retier.agent.decide;

import dev.retier.agent.config.Mode;
import dev.retier.agent.view.NodeView;
import dev.retier.state.LoadRecord.Health;
import dev.retier.state.NodeId;
import dev.retier.state.Role;
import dev.retier.state.Tier;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** From where the pressed tier takes a node, and which. Stateless. */
final class Donors {
    /** Utilisations closer than this are equal: the choice must not hang on noise. */
    private static final double EQUAL_LOAD = 0.05;

    private Donors() {}

    /** A spare node costs nobody anything. Empty when there is none that may move. */
    static Optional<Decision> spare(Decider.Case facts, Tier receiver) {
        List<NodeView.Known> rested = rested(facts, candidates(facts, Role.SPARE));
        return rested.isEmpty() ? Optional.empty() : Optional.of(move(facts, receiver, best(facts, receiver, rested)));
    }

    /** A node of the site's other tier, or the rail that forbids it. */
    static Decision otherTier(Decider.Case facts, Tier receiver) {
        Tier donor = receiver.other();
        TierTrend giving = facts.trend(donor);
        TierTrend taking = facts.trend(receiver);
        if (giving.members().size() <= facts.site().bounds(donor).min()) {
            return facts.no(StayReason.DONOR_AT_MINIMUM);
        }
        if (!giving.isFresh()) {
            return facts.no(StayReason.SETTLING);
        }
        List<NodeView.Known> known = candidates(facts, facts.role(donor));
        if (known.isEmpty()) {
            return facts.no(StayReason.NO_DONOR_KNOWN);
        }
        if (donor == Tier.APP && hasUnmanagedProxy(facts)) {
            return facts.no(StayReason.UPSTREAM_UNMANAGED);
        }
        if (!taking.isBelowMinimum()) {
            if (giving.isPressed()) {
                return facts.no(StayReason.BOTH_TIERS_PRESSED);
            }
            if (!giving.isCalmFor(facts.rules().giveHistory().toNanos(), facts.nowNanos())) {
                return facts.no(StayReason.DONOR_NOT_CALM);
            }
        }
        List<NodeView.Known> rested = rested(facts, known);
        if (rested.isEmpty()) {
            return facts.no(StayReason.NODE_COOL_DOWN);
        }
        NodeView.Known victim = best(facts, receiver, rested);
        boolean isGain =
                predicted(giving, victim) < taking.mean() - facts.rules().tolerance();
        return isGain || taking.isBelowMinimum() ? move(facts, receiver, victim) : facts.no(StayReason.NO_GAIN);
    }

    /**
     * The donor's mean utilisation once {@code victim} has gone and its work is spread over the others: u n / (n - 1)
     * for equal machines, by capacity for unequal ones. Above 1 when the others cannot do it all.
     */
    static double predicted(TierTrend donor, NodeView.Known victim) {
        double remaining = donor.capacity() - victim.load().capacityUnitsPerSecond();
        if (remaining > 0) {
            return donor.mean() * donor.capacity() / remaining;
        }
        return donor.known() > 1 ? donor.mean() * donor.known() / (donor.known() - 1) : Double.POSITIVE_INFINITY;
    }

    private static List<NodeView.Known> candidates(Decider.Case facts, Role role) {
        return facts.view()
                .known()
                .filter(node -> facts.policy().mayMove(node.id()))
                .filter(node -> node.load().serverHealth() == Health.UP)
                .filter(node -> node.word().serves(role))
                .toList();
    }

    private static List<NodeView.Known> rested(Decider.Case facts, List<NodeView.Known> nodes) {
        long restNanos = facts.rules().coolDownNode().toNanos();
        return nodes.stream()
                .filter(node -> !facts.history().isResting(node.id(), restNanos, facts.nowNanos()))
                .toList();
    }

    /** A proxy whose agent is gone keeps its file, so it could never prove that it left a node out. */
    private static boolean hasUnmanagedProxy(Decider.Case facts) {
        return facts.view().serving(facts.role(Tier.PROXY)).stream()
                .anyMatch(node ->
                        !(node instanceof NodeView.Known known) || known.load().serverHealth() == Health.LEAVING);
    }

    /** The least loaded, then the one whose capacity is nearest to the receivers', then the lowest id. */
    private static NodeView.Known best(Decider.Case facts, Tier receiver, List<NodeView.Known> nodes) {
        TierTrend taking = facts.trend(receiver);
        double wanted = taking.known() == 0 ? 0 : taking.capacity() / taking.known();
        Comparator<NodeView.Known> order = Comparator.<NodeView.Known>comparingLong(
                        node -> Math.round(node.load().utilisation() / EQUAL_LOAD))
                .thenComparingDouble(node -> Math.abs(node.load().capacityUnitsPerSecond() - wanted))
                .thenComparing(NodeView.Known::id, Comparator.<NodeId>naturalOrder());
        return nodes.stream().min(order).orElseThrow();
    }

    private static Decision move(Decider.Case facts, Tier receiver, NodeView.Known victim) {
        MoveReason reason = facts.trend(receiver).isBelowMinimum() ? MoveReason.BELOW_MINIMUM : MoveReason.PRESSURE;
        Decision.Move move = new Decision.Move(
                facts.site().id(), victim.id(), victim.word().to(), facts.role(receiver), reason, facts.figures());
        boolean isHeldBack = facts.policy().mode() == Mode.RECOMMEND;
        return isHeldBack
                ? new Decision.Stay(facts.site().id(), StayReason.MODE_RECOMMEND, facts.figures(), move)
                : move;
    }
}
