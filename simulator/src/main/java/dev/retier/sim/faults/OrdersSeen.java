package dev.retier.sim.faults;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.sim.cluster.ClusterListener;
import dev.retier.state.SiteId;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How often each agent has ordered for each site in its present life, and the orders of each node that were undone
 * since a move of it succeeded last, as they truly were. Agents that start anew have forgotten some, so that the true
 * rest is the longest that any agent may keep. Not thread-safe.
 */
final class OrdersSeen {
    private static final long HOUR_NANOS = Duration.ofHours(1).toNanos();
    /** An hour, four times quartered: so that an hour sees five orders at most. */
    private static final long SHORTEST_NANOS = HOUR_NANOS / 256;
    /** Clocks run up to 5 % fast or slow. */
    private static final double DRIFT = 1.06;

    private final long firstNanos;
    private final int[] inARow;
    private final long[] lastNanos;
    private final ClusterListener.@Nullable Order[] underWay;
    private final List<Map<SiteId, Integer>> own;

    OrdersSeen(ClusterConfig config) {
        int nodes = config.nodes().size();
        this.firstNanos = Math.max(
                SHORTEST_NANOS,
                Math.max(
                        config.longestMove().toNanos(),
                        config.decision().coolDownNode().toNanos()));
        this.inARow = new int[nodes];
        this.lastNanos = new long[nodes];
        this.underWay = new ClusterListener.Order[nodes];
        this.own =
                Stream.<Map<SiteId, Integer>>generate(HashMap::new).limit(nodes).toList();
    }

    /** A new life of the agent of {@code node} begins. */
    void forget(int node) {
        own.get(node).clear();
    }

    /** How often {@code mover} has ordered for that site, with this one. */
    int ordering(int mover, SiteId site) {
        return own.get(mover).merge(site, 1, Integer::sum);
    }

    void ordered(ClusterListener.Order order) {
        underWay[order.target()] = order;
    }

    /** The order of {@code node} has ended; one that was undone is no move of its sites. */
    void ended(int node, boolean isDone, long nowNanos) {
        ClusterListener.Order order = underWay[node];
        if (order != null && !isDone) {
            order.move().sites().forEach(site -> own.get(order.mover()).merge(site, -1, Integer::sum));
        }
        underWay[node] = null;
        inARow[node] = isDone ? 0 : inARow[node] + 1;
        lastNanos[node] = nowNanos;
    }

    /** Whether even who has seen only the newest one undone must still let the node rest. */
    boolean isTooSoon(int node, long nowNanos) {
        return inARow[node] > 0 && (nowNanos - lastNanos[node]) * DRIFT < firstNanos;
    }

    /** Whether who has seen all of them may still let the node rest. */
    boolean mayRest(int node, long nowNanos) {
        double restNanos = firstNanos * Math.pow(4, inARow[node] - 1.0) * DRIFT;
        return inARow[node] > 0 && nowNanos - lastNanos[node] < Math.min(restNanos, HOUR_NANOS * DRIFT);
    }
}
