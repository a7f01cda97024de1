package dev.retier.agent.decide;

import dev.retier.agent.config.Mode;
import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.view.ClusterView;
import dev.retier.agent.view.NodeView;
import dev.retier.state.LoadRecord.Health;
import dev.retier.state.Role;
import dev.retier.state.Tier;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Whether the rest of a change may still be made as it was planned, now that what came before has succeeded: by the
 * rails that a decision obeys but for tiers that settle, as those have just changed by the plan itself, and rests; with
 * no question of what it is worth, which was answered for the whole. Stateless.
 */
public final class Planned {
    private Planned() {}

    /**
     * The rest, or why not.
     *
     * @param view the newest look
     * @param history up to and including that look
     * @param policy what to obey
     * @param rest what is left of the change; what is ordered next is divided anew
     * @param nowNanos monotonic time of the look
     */
    public static Decision decide(
            ClusterView view, History history, Policy policy, Decision.Change rest, long nowNanos) {
        Optional<SiteConfig> site = policy.site(rest.site());
        if (site.isEmpty()) {
            return Decision.stay(rest.site(), StayReason.PLAN_BROKEN, "the site is gone");
        }
        Case facts = new Case(view, history, policy, site.get(), nowNanos);
        Optional<StayReason> refusal = policy.mode() == Mode.RECOMMEND
                ? Optional.of(StayReason.MODE_RECOMMEND)
                : Decider.clusterRail(facts)
                        .or(() -> rest.moves().stream()
                                .flatMap(move -> refusal(facts, move).stream())
                                .findFirst());
        if (refusal.isPresent()) {
            return facts.no(refusal.get());
        }
        Optional<List<List<Decision.Move>>> waves = Waves.of(facts, rest.moves());
        return waves.isPresent()
                ? new Decision.Change(rest.site(), waves.get(), rest.reason(), rest.detail())
                : facts.no(StayReason.PLAN_BROKEN);
    }

    private static Optional<StayReason> refusal(Case facts, Decision.Move move) {
        boolean isThere = facts.view().nodes().get(move.node()) instanceof NodeView.Known known
                && known.load().serverHealth() == Health.UP
                && known.word().serves(move.from())
                && facts.policy().mayMove(move.node(), move.to());
        if (!isThere) {
            return Optional.of(StayReason.PLAN_BROKEN);
        }
        if (facts.view().isHeldByAnEdge(move.from())) {
            return Optional.of(StayReason.EDGE_NOT_HEARD);
        }
        return Stream.of(move.from(), move.to())
                .flatMap(role -> refusal(facts, move, role).stream())
                .findFirst();
    }

    private static Optional<StayReason> refusal(Case facts, Decision.Move move, Role role) {
        if (!(role instanceof Role.Serving serving)) {
            return Optional.empty();
        }
        Optional<SiteConfig> site = facts.policy().site(serving.site());
        if (site.isEmpty()) {
            return Optional.of(StayReason.PLAN_BROKEN);
        }
        boolean isLeft = role.equals(move.from());
        boolean isUnmanaged = isLeft && serving.tier() == Tier.APP && facts.hasUnmanagedProxy(site.get());
        return isUnmanaged
                ? Optional.of(StayReason.UPSTREAM_UNMANAGED)
                : facts.rail(site.get(), facts.lacking(move.to()));
    }
}
