package dev.retier.agent.render;

import dev.retier.agent.view.ClusterView;
import dev.retier.agent.view.NodeView;
import dev.retier.link.NodeId;
import java.util.HashMap;
import java.util.Map;

/**
 * What each node has last said that it can do. One that is silent keeps what it said, and small changes are none: for
 * each change the files of all proxies are made anew. A value: each look gives a new one.
 *
 * @param units by node, in units per second, above 0
 */
public record Capacities(Map<NodeId, Double> units) {
    /** Before the first look. */
    public static final Capacities NONE = new Capacities(Map.of());

    private static final double LEAST_CHANGE = 0.1;

    /** Keeps its own copy of the map. */
    public Capacities {
        units = Map.copyOf(units);
    }

    /** After one more look. */
    public Capacities after(ClusterView view) {
        Map<NodeId, Double> next = new HashMap<>(units);
        for (NodeView node : view.nodes().values()) {
            if (node instanceof NodeView.Known known && known.load().capacityUnitsPerSecond() > 0) {
                double told = known.load().capacityUnitsPerSecond();
                next.merge(known.id(), told, (before, now) -> isChange(before, now) ? now : before);
            }
        }
        return next.equals(units) ? this : new Capacities(next);
    }

    private static boolean isChange(double before, double now) {
        return Math.abs(now - before) > LEAST_CHANGE * before;
    }

    /** By node, in hundredths of the least that any can do: see {@link Member#weight}. */
    Map<NodeId, Integer> weights() {
        double least =
                units.values().stream().mapToDouble(Double::doubleValue).min().orElse(1);
        Map<NodeId, Integer> weights = new HashMap<>();
        units.forEach((id, power) ->
                weights.put(id, (int) Math.min(Member.MOST, Math.round(Member.LEAST * power / least))));
        return weights;
    }
}
