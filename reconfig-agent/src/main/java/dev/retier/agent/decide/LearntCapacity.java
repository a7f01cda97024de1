package dev.retier.agent.decide;

import dev.retier.agent.view.ClusterView;
import dev.retier.agent.view.NodeView;
import dev.retier.state.NodeId;
import dev.retier.state.Role;
import dev.retier.state.RoleWord.Phase;
import java.util.HashMap;
import java.util.Map;

/**
 * What each node can do in its present role, learnt while running: the requests per second that it would answer if it
 * were fully used, from what it answers and how used it is now. Figures of another role say nothing and are dropped. A
 * value; as large as the cluster.
 */
final class LearntCapacity {
    /** A node that hardly works tells nothing: the noise of its few requests would be multiplied. */
    private static final double LEAST_UTILISATION = 0.2;

    private final Map<NodeId, Learnt> nodes;

    private record Learnt(Role role, RecentMedian requestsPerSecond) {}

    private LearntCapacity(Map<NodeId, Learnt> nodes) {
        this.nodes = nodes;
    }

    static LearntCapacity none() {
        return new LearntCapacity(Map.of());
    }

    LearntCapacity after(ClusterView view) {
        Map<NodeId, Learnt> next = new HashMap<>(nodes);
        view.known().forEach(node -> {
            Learnt before = next.get(node.id());
            boolean isSameRole =
                    before != null && before.role.equals(node.word().to());
            RecentMedian figures = before != null && isSameRole ? before.requestsPerSecond : RecentMedian.none();
            double utilisation = node.load().utilisation();
            boolean isTelling = node.word().phase() == Phase.ACTIVE
                    && utilisation >= LEAST_UTILISATION
                    && node.load().requestsPerSecond() > 0;
            next.put(
                    node.id(),
                    new Learnt(
                            node.word().to(),
                            isTelling ? figures.with(node.load().requestsPerSecond() / utilisation) : figures));
        });
        return new LearntCapacity(next);
    }

    /** What the node says that it can do, else what was learnt; 0 if neither is known. */
    double weight(NodeView.Known node) {
        double told = node.load().capacityUnitsPerSecond();
        Learnt learnt = nodes.get(node.id());
        boolean isOfThisRole = learnt != null && learnt.role.equals(node.word().to());
        if (told > 0 || learnt == null || !isOfThisRole) {
            return told;
        }
        return learnt.requestsPerSecond.value();
    }
}
