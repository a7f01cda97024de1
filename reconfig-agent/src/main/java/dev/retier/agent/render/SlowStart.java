package dev.retier.agent.render;

import dev.retier.agent.view.ClusterView;
import dev.retier.agent.view.NodeView;
import dev.retier.state.NodeId;
import dev.retier.state.Role;
import dev.retier.state.Tier;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Since when each app node has been seen in its tier, and how much of its share it is given because of that: a tenth at
 * first, a tenth more each ninth of the slow start. What was there at the first look has its whole share. A value: each
 * look gives a new one.
 */
public final class SlowStart {
    /** The whole share. */
    public static final int FULL = 100;

    private static final int STEP = 10;

    private final boolean hasLooked;
    private final Map<NodeId, Joined> joined;

    private record Joined(Role role, boolean isOld, long sinceNanos) {}

    private SlowStart(boolean hasLooked, Map<NodeId, Joined> joined) {
        this.hasLooked = hasLooked;
        this.joined = joined;
    }

    /** Before the first look. */
    public static SlowStart none() {
        return new SlowStart(false, Map.of());
    }

    /** After one more look, at {@code nowNanos}. */
    public SlowStart after(ClusterView view, long nowNanos) {
        Map<NodeId, Joined> next = new HashMap<>();
        for (NodeView node : view.nodes().values()) {
            view.word(node.id())
                    .filter(word -> node.isServing() && word.serves(word.to()))
                    .filter(word -> word.to() instanceof Role.Serving(var _, Tier tier) && tier == Tier.APP)
                    .ifPresent(word -> next.put(node.id(), joined(node.id(), word.to(), nowNanos)));
        }
        return new SlowStart(hasLooked || !view.nodes().isEmpty(), next);
    }

    private Joined joined(NodeId node, Role role, long nowNanos) {
        Joined before = joined.get(node);
        return before != null && before.role.equals(role) ? before : new Joined(role, !hasLooked, nowNanos);
    }

    /**
     * The share of each app node in hundredths; one that is missing has its whole share.
     *
     * @param duration of a slow start, zero for none
     */
    public Map<NodeId, Integer> weights(Duration duration, long nowNanos) {
        Map<NodeId, Integer> weights = new HashMap<>();
        joined.forEach((node, seen) -> {
            long elapsed = nowNanos - seen.sinceNanos;
            if (!seen.isOld && elapsed < duration.toNanos()) {
                weights.put(node, STEP * (1 + (int) (9 * elapsed / duration.toNanos())));
            }
        });
        return weights;
    }
}
