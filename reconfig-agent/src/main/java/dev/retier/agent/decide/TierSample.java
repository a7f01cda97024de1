package dev.retier.agent.decide;

import dev.retier.agent.config.DecisionRules;
import dev.retier.agent.config.TierBounds;
import dev.retier.agent.view.ClusterView;
import dev.retier.agent.view.NodeView;
import dev.retier.state.NodeId;
import dev.retier.state.Role;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** One tier in one look. */
record TierSample(Set<NodeId> members, int known, double mean, double capacity, boolean isBelowMinimum) {
    /** What the sum of a cell's loads may be off by; a mean at the threshold must not count as above it. */
    private static final double ROUNDING = 1e-9;

    static TierSample of(ClusterView view, Role role, TierBounds bounds) {
        List<NodeView> serving = view.serving(role);
        Set<NodeId> members = new HashSet<>();
        int known = 0;
        double utilisation = 0;
        double capacity = 0;
        for (NodeView node : serving) {
            members.add(node.id());
            if (node instanceof NodeView.Known seen) {
                known++;
                utilisation += seen.load().utilisation();
                capacity += seen.load().capacityUnitsPerSecond();
            }
        }
        double mean = known == 0 ? 0 : utilisation / known;
        return new TierSample(members, known, mean, capacity, serving.size() < bounds.min());
    }

    /** A tier that has lost nodes it must have is pressed, whatever the rest of it says. */
    TierTrend.Direction direction(DecisionRules rules) {
        if (isBelowMinimum) {
            return TierTrend.Direction.PRESSED;
        }
        if (known == 0) {
            return TierTrend.Direction.UNKNOWN;
        }
        return mean > rules.takeThreshold() + ROUNDING ? TierTrend.Direction.PRESSED : TierTrend.Direction.CALM;
    }
}
