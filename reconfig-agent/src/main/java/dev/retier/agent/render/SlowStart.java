package dev.retier.agent.render;

import dev.retier.agent.view.ClusterView;
import dev.retier.agent.view.NodeView;
import dev.retier.link.NodeId;
import dev.retier.state.Role;
import dev.retier.state.Tier;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Since when each node has been seen in the app tier, and how much of its share it is given because of that: a tenth at
 * first, a tenth more each ninth of the slow start. What was there when it was first seen has its whole share. A value:
 * each look gives a new one.
 */
public final class SlowStart {
    /** The whole share. */
    public static final int FULL = 100;

    private static final int STEP = 10;

    private final Map<NodeId, Seen> nodes;

    /** A node in an app tier, or in none; {@code isOld} if it has been in it ever since it was first seen. */
    private record Seen(Optional<Role> app, boolean isOld, long sinceNanos) {}

    private SlowStart(Map<NodeId, Seen> nodes) {
        this.nodes = nodes;
    }

    /** Before the first look. */
    public static SlowStart none() {
        return new SlowStart(Map.of());
    }

    /** After one more look, at {@code nowNanos}. */
    public SlowStart after(ClusterView view, long nowNanos) {
        Map<NodeId, Seen> next = new HashMap<>();
        for (NodeView node : view.nodes().values()) {
            view.word(node.id()).ifPresent(word -> {
                Optional<Role> app = Optional.of(word.to()).filter(role -> isApp(role) && word.serves(role));
                Seen before = nodes.get(node.id());
                Optional<Role> now = app.filter(_ -> node.isServing());
                boolean isSame = before != null && before.app.equals(now);
                next.put(node.id(), isSame ? before : new Seen(now, before == null, nowNanos));
            });
        }
        return new SlowStart(next);
    }

    private static boolean isApp(Role role) {
        return role instanceof Role.Serving(var _, Tier tier) && tier == Tier.APP;
    }

    /**
     * The share of each app node in hundredths; one that is missing has its whole share.
     *
     * @param duration of a slow start, zero for none
     */
    public Map<NodeId, Integer> weights(Duration duration, long nowNanos) {
        Map<NodeId, Integer> weights = new HashMap<>();
        nodes.forEach((node, seen) -> {
            long elapsed = nowNanos - seen.sinceNanos;
            if (seen.app.isPresent() && !seen.isOld && elapsed < duration.toNanos()) {
                weights.put(node, STEP * (1 + (int) (9 * elapsed / duration.toNanos())));
            }
        });
        return weights;
    }
}
