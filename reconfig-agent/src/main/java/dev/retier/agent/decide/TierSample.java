package dev.retier.agent.decide;

import dev.retier.agent.config.DecisionRules;
import dev.retier.agent.config.TierBounds;
import dev.retier.agent.view.ClusterView;
import dev.retier.agent.view.NodeView;
import dev.retier.link.NodeId;
import dev.retier.state.Role;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** One tier in one look. */
record TierSample(Set<NodeId> members, double mean, Map<NodeId, Double> weights, boolean isBelowMinimum) {
    /** What the sum of a cell's loads may be off by; a mean at the threshold must not count as above it. */
    private static final double ROUNDING = 1e-9;

    static TierSample of(ClusterView view, Role role, TierBounds bounds, LearntCapacity learnt) {
        List<NodeView> serving = view.serving(role);
        Set<NodeId> members = new HashSet<>();
        Map<NodeId, Double> weights = new HashMap<>();
        double utilisation = 0;
        for (NodeView node : serving) {
            members.add(node.id());
            if (node instanceof NodeView.Known seen) {
                utilisation += seen.load().utilisation();
                weights.put(node.id(), learnt.weight(seen));
            }
        }
        if (weights.containsValue(0.0)) {
            weights.replaceAll((_, _) -> 1.0); // not all are known: they count alike
        }
        double mean = weights.isEmpty() ? 0 : utilisation / weights.size();
        return new TierSample(members, mean, weights, serving.size() < bounds.min());
    }

    /** A tier that has lost nodes it must have is pressed, whatever the rest of it says. */
    TierTrend.Direction direction(DecisionRules rules) {
        if (isBelowMinimum) {
            return TierTrend.Direction.PRESSED;
        }
        if (weights.isEmpty()) {
            return TierTrend.Direction.UNKNOWN;
        }
        return mean > rules.takeThreshold() + ROUNDING ? TierTrend.Direction.PRESSED : TierTrend.Direction.CALM;
    }
}
