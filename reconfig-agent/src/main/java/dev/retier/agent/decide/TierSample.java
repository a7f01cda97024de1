package dev.retier.agent.decide;

import dev.retier.agent.config.DecisionRules;
import dev.retier.agent.config.TierBounds;
import dev.retier.agent.view.ClusterView;
import dev.retier.agent.view.NodeView;
import dev.retier.link.NodeId;
import dev.retier.state.LoadRecord;
import dev.retier.state.Role;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One tier in one look.
 *
 * @param pressure of the known members, see {@link Pressure}
 * @param missing how many members it lacks that it must have, those whose server starts not counted; nodes that were
 *     never seen may be what it lacks, beyond those that were seen and are gone
 */
record TierSample(Set<NodeId> members, double pressure, Map<NodeId, Double> weights, int missing) {
    /** What the sum of a cell's loads may be off by; a mean at the threshold must not count as above it. */
    static final double ROUNDING = 1e-9;

    /** A node that is late counts when it was pressed: that may be why. When it was calm, it may be anything by now. */
    static TierSample of(ClusterView view, Role role, TierBounds bounds, double takeThreshold) {
        List<NodeView> serving = view.serving(role);
        Set<NodeId> members = new HashSet<>();
        Map<NodeId, Double> weights = new HashMap<>();
        List<Double> utilisations = new ArrayList<>(serving.size());
        for (NodeView node : serving) {
            members.add(node.id());
            LoadRecord load = node.standingLoad();
            boolean isLate = !(node instanceof NodeView.Known);
            if (load != null && !(isLate && load.utilisation() <= takeThreshold)) {
                utilisations.add(load.utilisation());
                weights.put(node.id(), load.capacityUnitsPerSecond());
            }
        }
        if (weights.containsValue(0.0)) {
            weights.replaceAll((_, _) -> 1.0); // not all are known: they count alike
        }
        double pressure = Pressure.of(utilisations);
        int lacking = Math.max(0, bounds.min() - serving.size() - view.starting(role));
        int missing = Math.max(Math.min(lacking, view.lost(role)), lacking - view.unseen());
        return new TierSample(members, pressure, weights, missing);
    }

    /** A tier that has lost nodes it must have is pressed, whatever the rest of it says. */
    TierTrend.Direction direction(DecisionRules rules) {
        if (missing > 0) {
            return TierTrend.Direction.PRESSED;
        }
        if (weights.isEmpty()) {
            return TierTrend.Direction.UNKNOWN;
        }
        return pressure > rules.takeThreshold() + ROUNDING ? TierTrend.Direction.PRESSED : TierTrend.Direction.CALM;
    }
}
