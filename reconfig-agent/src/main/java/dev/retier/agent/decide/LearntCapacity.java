package dev.retier.agent.decide;

import dev.retier.agent.view.ClusterView;
import dev.retier.agent.view.NodeView;
import dev.retier.link.NodeId;
import dev.retier.state.LoadRecord;
import dev.retier.state.Role;
import dev.retier.state.RoleWord.Phase;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

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
        Map<NodeId, Learnt> next = null;
        for (NodeView seen : view.nodes().values()) {
            Learnt before = nodes.get(seen.id());
            if (seen instanceof NodeView.Known node && (before == null || isTelling(node) || !isOf(node, before))) {
                next = next == null ? new HashMap<>(nodes) : next;
                next.put(node.id(), learnt(node, before));
            }
        }
        return next == null ? this : new LearntCapacity(next);
    }

    private static Learnt learnt(NodeView.Known node, @Nullable Learnt before) {
        RecentMedian figures = before != null && isOf(node, before) ? before.requestsPerSecond : RecentMedian.none();
        return new Learnt(
                node.word().to(),
                isTelling(node)
                        ? figures.with(
                                node.load().requestsPerSecond() / node.load().utilisation())
                        : figures);
    }

    private static boolean isTelling(NodeView.Known node) {
        return node.word().phase() == Phase.ACTIVE
                && node.load().utilisation() >= LEAST_UTILISATION
                && node.load().requestsPerSecond() > 0;
    }

    private static boolean isOf(NodeView.Known node, Learnt learnt) {
        return learnt.role.equals(node.word().to());
    }

    /** What a node of {@code role} says that it can do, else what was learnt; 0 if neither is known. */
    double weight(NodeId node, Role role, LoadRecord load) {
        double told = load.capacityUnitsPerSecond();
        Learnt learnt = nodes.get(node);
        return told > 0 || learnt == null || !learnt.role.equals(role) ? told : learnt.requestsPerSecond.value();
    }
}
