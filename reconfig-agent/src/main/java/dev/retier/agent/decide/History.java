package dev.retier.agent.decide;

import dev.retier.agent.config.DecisionRules;
import dev.retier.agent.config.ServerKind;
import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.view.ClusterView;
import dev.retier.link.NodeId;
import dev.retier.state.Role;
import dev.retier.state.SiteId;
import dev.retier.state.Tier;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What decisions remember of earlier looks: the trend of each tier, and the moves seen. A value: each look gives a new
 * one. Memory is bounded by the number of tiers, of nodes, and of moves that an hour may have.
 */
public final class History {
    private final Map<Role.Serving, TierTrend> tiers;
    private final Map<SiteId, OfSite> sites;
    private final MovesSeen moves;

    /** What is remembered of one site. */
    private record OfSite(SiteTrend trend, Spells spells) {
        static OfSite none(long nowNanos) {
            return new OfSite(SiteTrend.none(), Spells.none(nowNanos));
        }
    }

    private History(Map<Role.Serving, TierTrend> tiers, Map<SiteId, OfSite> sites, MovesSeen moves) {
        this.tiers = tiers;
        this.sites = sites;
        this.moves = moves;
    }

    /** Before the first look. */
    public static History none() {
        return new History(Map.of(), Map.of(), MovesSeen.none());
    }

    /**
     * After one more look.
     *
     * @param view what the look showed
     * @param nowNanos monotonic time of the look
     */
    public History after(ClusterView view, Policy policy, long nowNanos) {
        Map<Role.Serving, TierTrend> nextTiers = new HashMap<>();
        Map<SiteId, OfSite> nextSites = new HashMap<>();
        for (SiteConfig site : policy.sites()) {
            for (Tier tier : Tier.values()) {
                Role.Serving role = new Role.Serving(site.id(), tier);
                TierSample sample = TierSample.of(
                        view, role, site.bounds(tier), policy.rules().takeThreshold());
                TierTrend trend = next(tiers.get(role), sample, policy, nowNanos);
                nextTiers.put(role, trend);
            }
            OfSite before = sites.getOrDefault(site.id(), OfSite.none(nowNanos));
            SiteTrend.Look look = SiteTrend.Look.of(view, site, nextTiers, nowNanos);
            Spells spells = look.tell(
                    before.spells,
                    policy.rules().takeThreshold(),
                    policy.publishInterval().toNanos());
            nextSites.put(site.id(), new OfSite(before.trend.after(look), spells));
        }
        return new History(nextTiers, nextSites, moves.after(view, policy, nowNanos));
    }

    private static TierTrend next(@Nullable TierTrend before, TierSample now, Policy policy, long nowNanos) {
        DecisionRules rules = policy.rules();
        long settlingNanos = policy.settling().toNanos();
        boolean isSame = before != null && before.members().equals(now.members());
        long membersSince = before != null && isSame ? before.membersSinceNanos() : nowNanos;
        boolean isSettled = before == null || now.missing() > 0 || nowNanos - membersSince >= settlingNanos;
        TierTrend.Direction direction =
                before != null && !isSettled && !now.weights().isEmpty() ? before.direction() : now.direction(rules);
        boolean isUnbroken = before != null && before.direction() == direction;
        return new TierTrend(
                now.members(),
                membersSince,
                now.pressure(),
                now.weights(),
                direction,
                before != null && isUnbroken ? before.directionSinceNanos() : nowNanos,
                isSettled,
                now.missing());
    }

    /** The trend of one tier; null before the first look at it. */
    public @Nullable TierTrend tier(SiteId site, Tier tier) {
        return tiers.get(new Role.Serving(site, tier));
    }

    /** Until the next tier has settled whose members have changed; {@link Long#MAX_VALUE} if all have. */
    public long settlesInNanos(Policy policy, long nowNanos) {
        return tiers.values().stream()
                .filter(trend -> !trend.isFresh())
                .mapToLong(trend -> policy.settling().toNanos() - (nowNanos - trend.membersSinceNanos()))
                .filter(left -> left > 0)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /** How the loads of one site have followed each other; null before the first look at it. */
    @Nullable
    Spells spells(SiteId site) {
        OfSite known = sites.get(site);
        return known == null ? null : known.spells;
    }

    /** The trend of one site; null before the first look at it. */
    public @Nullable SiteTrend site(SiteId site) {
        OfSite known = sites.get(site);
        return known == null ? null : known.trend;
    }

    /** How long moves of nodes with servers of {@code kind} have taken of late, in seconds; 0 if none was seen. */
    double moveSeconds(ServerKind kind) {
        return moves.seconds(kind);
    }

    /** Whether {@code node} was seen to change its role. */
    boolean hasChanged(NodeId node) {
        return moves.hasChanged(node);
    }

    /** The orders that were undone, by node in order of id; none of a node whose newest move succeeded. */
    Map<NodeId, UndoneOrders> undone() {
        return moves.undone();
    }

    /** The newest move that this agent has seen complete; empty before the first. */
    Optional<CompletedMove> newestMove() {
        return moves.newest();
    }

    /** Moves to or from {@code site} that were completed within the last hour. */
    int movesLastHour(SiteId site, long nowNanos) {
        return moves.lastHour(site, nowNanos);
    }
}
