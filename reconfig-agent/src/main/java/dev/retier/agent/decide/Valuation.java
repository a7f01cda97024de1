package dev.retier.agent.decide;

import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.view.ClusterView;
import dev.retier.link.NodeId;
import dev.retier.state.Role;
import dev.retier.state.Tier;
import java.util.List;
import java.util.Optional;

/**
 * What the best changes are worth to one site, for people: see reconfig-agent/README.md, "Deciding". {@link Decider}
 * decides by the same figures. A value.
 *
 * @param best the changes that are worth most, the best first
 */
public record Valuation(List<Change> best) {
    private static final int SHOWN = 3;

    /** Keeps its own copy. */
    public Valuation {
        best = List.copyOf(best);
    }

    /** One node that moves. */
    public record Step(NodeId node, Role from, Role to) {}

    /**
     * Some nodes that move.
     *
     * @param steps at least one
     * @param gains what it is worth, in order of weight: members that tiers lack; promised requests of each site, in
     *     order of priority; requests of all sites, as shares
     * @param lasting the same if this load lasted for ever and moves took no time
     * @param stands for how long it is taken to stand
     * @param tolerance what of requests alone must be exceeded
     * @param refusal why it is not worth making; empty when it is
     */
    public record Change(
            List<Step> steps,
            List<Double> gains,
            List<Double> lasting,
            Stands stands,
            double tolerance,
            Optional<StayReason> refusal) {
        /** Keeps its own copies. */
        public Change {
            steps = List.copyOf(steps);
            gains = List.copyOf(gains);
            lasting = List.copyOf(lasting);
        }

        /** Whether it is worth making. */
        public boolean isWorthIt() {
            return refusal.isEmpty();
        }
    }

    /** The moves of a change that was decided. */
    public static List<Step> steps(Decision.Change change) {
        return change.moves().stream()
                .map(move -> new Step(move.node(), move.from(), move.to()))
                .toList();
    }

    /**
     * For a site after a look.
     *
     * @param view the newest look
     * @param history up to and including that look
     * @param policy what to obey
     * @param site one of the policy's, which may take nodes
     * @param nowNanos monotonic time of the look
     */
    public static Valuation of(ClusterView view, History history, Policy policy, SiteConfig site, long nowNanos) {
        Case facts = new Case(view, history, policy, site, nowNanos);
        if (!facts.hasLooked()) {
            return new Valuation(List.of());
        }
        return new Valuation(Plans.toShow(facts).best(SHOWN).stream()
                .map(plan -> new Change(
                        plan.steps().stream()
                                .map(step -> new Step(step.node().id(), step.from(), step.role()))
                                .toList(),
                        plan.value().gains().parts(),
                        plan.value().now().parts(),
                        plan.value().stands(),
                        plan.value().tolerance(),
                        refusal(facts, plan)))
                .toList());
    }

    /** Before all else, a tier that takes nodes is pressed, and has been for T. */
    private static Optional<StayReason> refusal(Case facts, Plans.Plan plan) {
        if (plan.isWorthIt()) {
            return Optional.empty();
        }
        List<Tier> taking = plan.steps().stream()
                .filter(step -> step.taker().id().equals(facts.site().id()))
                .map(Option::to)
                .toList();
        if (taking.stream().anyMatch(tier -> facts.isSure(facts.site(), tier))) {
            return Optional.of(plan.value().refusal());
        }
        boolean isAnyPressed =
                taking.stream().anyMatch(tier -> facts.trend(facts.site(), tier).isPressed());
        return Optional.of(isAnyPressed ? StayReason.PRESSURE_TOO_SHORT : StayReason.NO_PRESSURE);
    }
}
