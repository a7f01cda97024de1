package dev.retier.agent.decide;

import dev.retier.agent.config.DecisionRules;
import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.view.ClusterView;
import dev.retier.state.NodeId;
import dev.retier.state.Role;
import dev.retier.state.SiteId;
import dev.retier.state.Tier;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What decisions remember of earlier looks: the trend of each tier, and the moves seen. A value: each look gives a new
 * one. Memory is bounded by the number of tiers, of nodes, and of moves that an hour may have.
 */
public final class History {
    private final Map<Role.Serving, TierTrend> tiers;
    private final MovesSeen moves;

    private History(Map<Role.Serving, TierTrend> tiers, MovesSeen moves) {
        this.tiers = tiers;
        this.moves = moves;
    }

    /** Before the first look. */
    public static History none() {
        return new History(Map.of(), MovesSeen.none());
    }

    /**
     * After one more look.
     *
     * @param view what the look showed
     * @param nowNanos monotonic time of the look
     */
    public History after(ClusterView view, Policy policy, long nowNanos) {
        Map<Role.Serving, TierTrend> next = new HashMap<>();
        for (SiteConfig site : policy.sites()) {
            for (Tier tier : Tier.values()) {
                Role.Serving role = new Role.Serving(site.id(), tier);
                TierSample sample = TierSample.of(view, role, site.bounds(tier));
                next.put(role, next(tiers.get(role), sample, policy.rules(), nowNanos));
            }
        }
        return new History(next, moves.after(view, nowNanos));
    }

    private static TierTrend next(@Nullable TierTrend before, TierSample now, DecisionRules rules, long nowNanos) {
        boolean isSame = before != null && before.members().equals(now.members());
        long membersSince = before != null && isSame ? before.membersSinceNanos() : nowNanos;
        boolean isSettled = before == null
                || now.isBelowMinimum()
                || nowNanos - membersSince >= rules.settle().toNanos();
        TierTrend.Direction direction =
                before != null && !isSettled && now.known() > 0 ? before.direction() : now.direction(rules);
        boolean isUnbroken = before != null && before.direction() == direction;
        return new TierTrend(
                now.members(),
                membersSince,
                now.known(),
                now.mean(),
                now.capacity(),
                direction,
                before != null && isUnbroken ? before.directionSinceNanos() : nowNanos,
                isSettled,
                now.isBelowMinimum());
    }

    /** The trend of one tier; null before the first look at it. */
    public @Nullable TierTrend tier(SiteId site, Tier tier) {
        return tiers.get(new Role.Serving(site, tier));
    }

    /** Whether {@code node} has changed its role within the last {@code restNanos}. */
    boolean isResting(NodeId node, long restNanos, long nowNanos) {
        return moves.isResting(node, restNanos, nowNanos);
    }

    /** Whether a node of {@code site} has changed its role within the last {@code restNanos}. */
    boolean isResting(SiteId site, long restNanos, long nowNanos) {
        return moves.isResting(site, restNanos, nowNanos);
    }

    /** Moves ordered within the last hour that touched {@code site}. */
    int movesLastHour(SiteId site, long nowNanos) {
        return moves.lastHour(site, nowNanos);
    }
}
