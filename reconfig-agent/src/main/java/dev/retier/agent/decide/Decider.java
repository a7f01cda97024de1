package dev.retier.agent.decide;

import dev.retier.agent.config.Mode;
import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.view.ClusterView;
import dev.retier.state.Tier;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Decides for one site after one look (seed thesis, sections 3.2.3 to 3.2.6, and chapters 6 and 7): of all changes that
 * the rails allow, the one that is worth most by the {@link Objective}, if it is worth making; else why none is.
 * Stateless; the same input gives the same answer.
 */
public final class Decider {
    private Decider() {}

    /**
     * Stay or move.
     *
     * @param view the newest look
     * @param history up to and including that look
     * @param policy what to obey
     * @param site one of the policy's, which may take a node
     * @param nowNanos monotonic time of the look
     */
    public static Decision decide(ClusterView view, History history, Policy policy, SiteConfig site, long nowNanos) {
        Case facts = new Case(view, history, policy, site, nowNanos);
        if (!facts.hasLooked()) {
            return Decision.stay(site.id(), StayReason.TOO_MUCH_UNKNOWN, "no look yet");
        }
        Optional<StayReason> refusal = Rails.ofDecision(facts).findFirst();
        Decision decision = refusal.isPresent() ? facts.no(refusal.get()) : choose(facts, Plans.toMake(facts));
        boolean isHeldBack = policy.mode() == Mode.RECOMMEND;
        return isHeldBack && decision instanceof Decision.Change change
                ? new Decision.Stay(site.id(), StayReason.MODE_RECOMMEND, change.detail(), change)
                : decision;
    }

    private static Decision choose(Case facts, Plans plans) {
        return plans.chosen().<Decision>map(plan -> change(facts, plan)).orElseGet(() -> stay(facts, plans));
    }

    private static Decision.Change change(Case facts, Plans.Plan plan) {
        MoveReason reason = plan.value().reason();
        String figures = facts.figures();
        List<List<Decision.Move>> waves = plan.waves().stream()
                .map(wave -> wave.stream()
                        .map(step -> new Decision.Move(
                                step.taker().id(), step.node().id(), step.from(), step.role(), reason, figures))
                        .toList())
                .toList();
        return new Decision.Change(facts.site().id(), waves, reason, figures);
    }

    private static Decision stay(Case facts, Plans plans) {
        boolean isAnyPressed = Stream.of(Tier.values())
                .anyMatch(tier -> facts.trend(facts.site(), tier).isPressed());
        return Stream.of(Tier.values())
                .filter(tier -> facts.isSure(facts.site(), tier))
                .filter(tier -> !plans.refusals(tier).isEmpty()) // proxies are not asked for while there are no apps
                .max(neediest(facts))
                .map(tier -> mostTelling(facts, plans.refusals(tier)))
                .orElseGet(() -> facts.no(isAnyPressed ? StayReason.PRESSURE_TOO_SHORT : StayReason.NO_PRESSURE));
    }

    private static Comparator<Tier> neediest(Case facts) {
        return Comparator.<Tier, Boolean>comparing(
                        tier -> facts.trend(facts.site(), tier).isBelowMinimum())
                .thenComparingDouble(tier -> facts.trend(facts.site(), tier).pressure());
    }

    /**
     * What passes by itself is worth waiting for; else the first refusal, of the nearest donor. All are in the detail
     * when there is more than one.
     */
    private static Decision mostTelling(Case facts, List<Options.Refusal> refusals) {
        StayReason reason = refusals.stream()
                .map(Options.Refusal::reason)
                .filter(StayReason::isPassing)
                .findFirst()
                .orElseGet(() -> refusals.getFirst().reason());
        String asked = refusals.stream()
                .map(refusal -> refusal.giver() + " " + refusal.reason())
                .collect(Collectors.joining(", ", "; asked ", ""));
        return Decision.stay(facts.site().id(), reason, facts.figures() + (refusals.size() > 1 ? asked : ""));
    }
}
