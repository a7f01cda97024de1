package dev.retier.agent.decide;

import dev.retier.agent.view.NodeView;
import dev.retier.state.Role;
import dev.retier.state.Tier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the rails allow for one site, valued by the {@link Objective}: nodes of one giver for one tier, as many as are
 * worth most together, or one for each of two tiers. Stateless.
 */
final class Plans {
    /** Of up to so many nodes at once each number is valued, of more every doubling. */
    private static final int EACH = 8;

    private final Case facts;
    private final Objective objective;
    private final List<Plan> valued = new ArrayList<>();

    /** Some steps in a row. */
    record Plan(List<Option> steps, Objective.Value value) {
        /** Keeps its own copy. */
        Plan {
            steps = List.copyOf(steps);
        }
    }

    private Plans(Case facts) {
        this.facts = facts;
        this.objective = new Objective(facts);
    }

    /** The plans that are worth most, the best first. */
    static List<Plan> best(Case facts, int most) {
        Plans plans = new Plans(facts);
        plans.search();
        List<Plan> best = new ArrayList<>();
        while (best.size() < most && !plans.valued.isEmpty()) {
            Plan next = plans.valued.getFirst();
            for (Plan other : plans.valued) {
                next = other.value().isAbove(next.value()) ? other : next;
            }
            plans.valued.remove(next);
            best.add(next);
        }
        return best;
    }

    /** A proxy that has nobody to forward to has nothing to serve: a site that has lost both tiers takes apps first. */
    private static List<Tier> tiers(Case facts) {
        return facts.trend(facts.site(), Tier.APP).members().isEmpty() ? List.of(Tier.APP) : List.of(Tier.values());
    }

    private void search() {
        List<Options> options = tiers(facts).stream()
                .filter(tier -> facts.trend(facts.site(), tier).isFresh()
                        && facts.rail(facts.site()).isEmpty())
                .map(tier -> Options.of(facts, tier))
                .toList();
        options.forEach(this::alike);
        if (options.size() > 1) {
            pairs(options.getFirst(), options.getLast());
        }
    }

    /** One node, two, and so on. */
    private void alike(Options found) {
        boolean isSure = facts.isSure(facts.site(), found.to());
        for (Options.Giver giver : found.givers()) {
            int most = giver.nodes().size();
            Optional<Plan> best = Optional.empty();
            for (int count = 1; count <= most; count = count < EACH ? count + 1 : next(count, most)) {
                List<Option> steps = giver.nodes().subList(0, count).stream()
                        .map(node -> found.option(facts, giver, node))
                        .toList();
                best = better(best, steps, isSure);
            }
            best.ifPresent(valued::add);
        }
    }

    private static int next(int count, int most) {
        return count == most ? most + 1 : Math.min(most, 2 * count);
    }

    private void pairs(Options first, Options second) {
        boolean isSure = facts.isSure(facts.site(), first.to()) || facts.isSure(facts.site(), second.to());
        for (Options.Giver one : first.givers()) {
            for (Options.Giver other : second.givers()) {
                NodeView.Known node = one.nodes().getFirst();
                other.nodes().stream()
                        .filter(candidate -> !candidate.id().equals(node.id()))
                        .findFirst()
                        .flatMap(next -> inEitherOrder(
                                first.option(facts, one, node), second.option(facts, other, next), isSure))
                        .ifPresent(valued::add);
            }
        }
    }

    /** What both come to is the same; but a tier at its minimum gives only once it has got. */
    private Optional<Plan> inEitherOrder(Option one, Option other, boolean isSure) {
        return better(Optional.empty(), List.of(one, other), isSure)
                .or(() -> better(Optional.empty(), List.of(other, one), isSure));
    }

    private Optional<Plan> better(Optional<Plan> known, List<Option> steps, boolean isSure) {
        if (!isWithinBounds(steps)) {
            return known;
        }
        Plan plan = new Plan(steps, objective.of(steps, isSure));
        return known.isEmpty() || plan.value().isAbove(known.get().value()) ? Optional.of(plan) : known;
    }

    /** Step by step. */
    private boolean isWithinBounds(List<Option> steps) {
        Map<Role, Integer> changes = new HashMap<>();
        for (Option step : steps) {
            Role to = Case.role(facts.site(), step.to());
            int takers = facts.trend(facts.site(), step.to()).members().size() + changes.getOrDefault(to, 0);
            if (takers >= facts.site().bounds(step.to()).max()
                    || step.isAtMinimum(facts, changes.getOrDefault(step.from(), 0))) {
                return false;
            }
            changes.merge(to, 1, Integer::sum);
            changes.merge(step.from(), -1, Integer::sum);
        }
        return true;
    }
}
