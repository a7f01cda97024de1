package dev.retier.sim.faults;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.decide.Decision;
import dev.retier.sim.cluster.ClusterListener;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.RoleWord.Phase;
import dev.retier.state.SiteId;
import dev.retier.state.Tier;
import java.time.Duration;
import java.util.Arrays;
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

    private final long firstNanos;
    private final int[] inARow;
    private final long[] lastNanos;
    private final ClusterListener.@Nullable Order[] underWay;
    private final List<Map<SiteId, Integer>> own;
    /** The word of each node by the newest look of each agent, and whether that look can have told of its end. */
    private final @Nullable RoleWord[][] words;

    private final boolean[][] isTold;

    OrdersSeen(ClusterConfig config) {
        int nodes = config.nodes().size();
        this.firstNanos = config.longestMove().toNanos();
        this.inARow = new int[nodes];
        this.lastNanos = new long[nodes];
        this.words = new RoleWord[nodes][nodes];
        this.isTold = new boolean[nodes][nodes];
        this.underWay = new ClusterListener.Order[nodes];
        this.own =
                Stream.<Map<SiteId, Integer>>generate(HashMap::new).limit(nodes).toList();
    }

    /** A new life of the agent of {@code node} begins. */
    void forget(int node) {
        own.get(node).clear();
        Arrays.fill(words[node], null);
    }

    /**
     * An agent has looked at a node. That an order was undone it can tell when it saw the order, or the node before it
     * in the same role.
     */
    void looked(int agent, int node, RoleWord now) {
        RoleWord before = words[agent][node];
        if (before != null && before.epoch() == now.epoch() && before.phase() == now.phase()) {
            return;
        }
        words[agent][node] = now;
        isTold[agent][node] = before != null
                && (before.phase() == Phase.ORDERED
                        ? before.epoch() == now.epoch()
                        : before.to().equals(now.to()));
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

    /** Whether {@code agent}, even if it has seen only the newest one undone, must still let the node rest. */
    boolean isTooSoon(int agent, int node, long nowNanos) {
        return isTold[agent][node] && inARow[node] > 0 && (nowNanos - lastNanos[node]) * Safety.DRIFT < firstNanos;
    }

    /** Whether who has seen all of them may still let the node rest. */
    boolean mayRest(int node, long nowNanos) {
        double restNanos = firstNanos * Math.pow(4, inARow[node] - 1.0) * Safety.DRIFT;
        return inARow[node] > 0 && nowNanos - lastNanos[node] < Math.min(restNanos, HOUR_NANOS * Safety.DRIFT);
    }

    /** Whether a node on its way is of a site of which {@code move} changes a tier; else it is not in its way. */
    static boolean isOfOneSite(RoleWord word, Decision.Move move) {
        return Stream.of(move.from(), move.to())
                .anyMatch(role -> isOfOneSite(role, word.from()) || isOfOneSite(role, word.to()));
    }

    private static boolean isOfOneSite(Role one, Role other) {
        return one instanceof Role.Serving(SiteId site, Tier _)
                && other instanceof Role.Serving(SiteId same, Tier _)
                && site.equals(same);
    }
}
