package dev.retier.agent.decide;

import dev.retier.agent.config.Mode;
import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.view.ClusterView;
import dev.retier.agent.view.NodeView;
import dev.retier.state.LoadRecord.Health;
import dev.retier.state.Role;
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
                : Rails.ofDecision(facts)
                        .findFirst()
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
        Stream<StayReason> ofSites = Stream.of(move.from(), move.to())
                .filter(Role.Serving.class::isInstance)
                .flatMap(role -> facts.policy()
                        .site(((Role.Serving) role).site())
                        .map(site -> Rails.ofSite(facts, site, facts.lacking(move.to())))
                        .orElse(Stream.of(StayReason.PLAN_BROKEN)));
        return Stream.of(Rails.ofNode(facts, move.node()), leaving(facts, move.from()), ofSites)
                .flatMap(reasons -> reasons)
                .findFirst();
    }

    private static Stream<StayReason> leaving(Case facts, Role from) {
        return from instanceof Role.Serving serving
                ? facts.policy().site(serving.site()).stream()
                        .flatMap(site -> Rails.ofLeaving(facts, site, serving.tier()))
                : Stream.empty();
    }
}
