package dev.retier.agent.decide;

import dev.retier.agent.view.ClusterView;
import dev.retier.agent.view.NodeView;
import dev.retier.link.NodeId;
import dev.retier.state.LoadRecord.Health;
import java.util.List;

/** Who makes a move that all agents would decide alike. Stateless. */
public final class Initiator {
    private Initiator() {}

    /**
     * Whether {@code self} is to make {@code change}: it serves the tier that gets the first node, or nobody known does
     * and it has the lowest id of all that are known and working. The move lock settles what is left.
     */
    public static boolean mayMake(NodeId self, ClusterView view, Decision.Change change) {
        List<NodeView> receivers = view.serving(change.first().to());
        boolean isOurs = receivers.stream().anyMatch(node -> node.id().equals(self) && isKnown(node));
        boolean isNobodys = receivers.stream().noneMatch(Initiator::isKnown);
        return isOurs || (isNobodys && isFirst(self, view));
    }

    /** Whether {@code self} alone is to make it: if it does not, nobody does. */
    public static boolean isLeftTo(NodeId self, ClusterView view, Decision.Change change) {
        return mayMake(self, view, change)
                && view.serving(change.first().to()).stream()
                        .noneMatch(node -> !node.id().equals(self) && isKnown(node));
    }

    private static boolean isFirst(NodeId self, ClusterView view) {
        return view.known()
                .filter(node -> node.load().serverHealth() != Health.LEAVING)
                .findFirst()
                .map(node -> node.id().equals(self))
                .orElse(false);
    }

    private static boolean isKnown(NodeView node) {
        return node instanceof NodeView.Known;
    }
}
