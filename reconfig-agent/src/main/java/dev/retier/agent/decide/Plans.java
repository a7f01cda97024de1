package dev.retier.agent.decide;

import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.view.NodeView;
import dev.retier.link.NodeId;
import dev.retier.state.Role;
import dev.retier.state.Tier;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the rails allow for one site, valued by the {@link Objective}: nodes of one giver for one tier, as many as are
 * worth most together; where none of that is worth it, two steps of which the one makes the other possible or useful.
 */
final class Plans {
    /**
     * So many sizes of machines are told apart.
     */
    private static final int SIZES = 8;

    /** Where both tiers of a site are short, so many givers are looked at for each: all of those of two sites. */
    private static final int GIVERS = 4;

    private final Case facts;
    private final Objective objective;
    private final Map<Role.Serving, Options> options = new HashMap<>();
    private final List<Plan> alike = new ArrayList<>();
    private final List<Plan> pairs = new ArrayList<>();
    private final Map<Tier, List<Options.Refusal>> refusals = new EnumMap<>(Tier.class);
    private final Map<Tier, Boolean> sure = new EnumMap<>(Tier.class);

    /**
     * Some steps.
     *
     * @param waves the same, as many of them at once as may be
     * @param waits whether it is not to be made before the pressure has lasted for T
     */
    record Plan(List<Option> steps, List<List<Option>> waves, Objective.Value value, boolean waits) {
        /** Whether it is worth making now. */
        boolean isWorthIt() {
            return value.isWorthIt() && !waits;
        }

        /** Of what is worth the same, fewer nodes are better. */
        private boolean isBetterThan(Plan other) {
            boolean isFewer = steps.size() < other.steps.size();
            return value.isAbove(other.value) || (isFewer && !other.value.isAbove(value));
        }
    }

    private Plans(Case facts, Predicate<TierTrend> taking) {
        this.facts = facts;
        this.objective = new Objective(facts);
        List<Options> takers = new ArrayList<>();
        for (Tier tier : tiers(taking)) {
            Optional<StayReason> rail = rail(tier);
            if (rail.isPresent()) {
                refusals.put(tier, List.of(new Options.Refusal("none", rail.get())));
            } else {
                takers.add(optionsOf(new Role.Serving(facts.site().id(), tier)));
            }
        }
        takers.forEach(this::alike);
        if (alike.stream().noneMatch(plan -> plan.value().isWorthIt())) {
            takers.forEach(this::pairs);
        }
    }

    /** All that may be worth making. */
    static Plans toMake(Case facts) {
        return new Plans(facts, TierTrend::isPressed);
    }

    /** The same, and what calm tiers could take, which is worth nothing, for people to see. */
    static Plans toShow(Case facts) {
        return new Plans(facts, _ -> true);
    }

    /**
     * A proxy that has nobody to forward to has nothing to serve: a site that has lost both
     * tiers takes apps first.
     */
    private List<Tier> tiers(Predicate<TierTrend> taking) {
        boolean hasApps = !facts.trend(facts.site(), Tier.APP).members().isEmpty();
        return Stream.of(Tier.values())
                .filter(tier -> tier == Tier.APP || hasApps)
                .filter(tier -> taking.test(facts.trend(facts.site(), tier)))
                .toList();
    }

    private Optional<StayReason> rail(Tier tier) {
        SiteConfig site = facts.site();
        return Stream.of(
                        Rails.when(!facts.trend(site, tier).isFresh(), StayReason.SETTLING),
                        Rails.when(facts.isAtMaximum(site, tier), StayReason.RECEIVER_AT_MAXIMUM),
                        Rails.ofSite(facts, site, facts.lacking(site, tier)))
                .flatMap(reasons -> reasons)
                .findFirst();
    }

    /** The plans that are worth most, the best first. */
    List<Plan> best(int most) {
        List<Plan> all = new ArrayList<>(alike);
        all.addAll(pairs);
        return best(all, most);
    }

    private static List<Plan> best(List<Plan> all, int most) {
        List<Plan> left = new ArrayList<>(all);
        List<Plan> best = new ArrayList<>();
        while (best.size() < most && !left.isEmpty()) {
            Plan next = left.getFirst();
            for (Plan other : left) {
                next = other.isBetterThan(next) ? other : next;
            }
            best.add(next);
            Set<Option> steps = Set.copyOf(next.steps());
            left.removeIf(other -> other.steps.size() == steps.size() && steps.containsAll(other.steps));
        }
        return best;
    }

    /** The one to make, if any is worth making. */
    Optional<Plan> chosen() {
        return best(1).stream().filter(Plan::isWorthIt).findFirst();
    }

    /** Who refused that tier a node, and why, the nearest first. */
    List<Options.Refusal> refusals(Tier tier) {
        return refusals.getOrDefault(tier, List.of());
    }

    /** One node, two, and so on; all spares before those of a tier. */
    private void alike(Options found) {
        List<Options.Refusal> refused = new ArrayList<>(found.refusals());
        List<Option> spares = found.givers().stream()
                .filter(giver -> giver.site().isEmpty())
                .flatMap(giver -> options(found, giver))
                .toList();
        for (Options.Giver giver : found.givers()) {
            List<Option> before = giver.site().isEmpty() ? List.of() : spares;
            List<Option> all =
                    Stream.concat(before.stream(), options(found, giver)).toList();
            Counted counted = new Counted(all, before.size(), found.to());
            Optional<Plan> best = Optional.empty();
            for (int count = 1; count <= counted.most(); count = next(count, counted.most())) {
                best = counted.better(best, count);
            }
            best = refined(best, counted);
            for (NodeView.Known node : sizes(giver.nodes())) {
                best = better(best, List.of(found.option(giver, node)), found.to());
            }
            best.ifPresent(alike::add);
            refused.add(new Options.Refusal(
                    giver.name(), best.map(plan -> plan.value().refusal()).orElse(StayReason.DONOR_AT_MINIMUM)));
        }
        refusals.put(found.to(), refused);
    }

    /** So many nodes of one giver, behind all that come before them. */
    private final class Counted {
        private final List<Option> all;
        private final int before;
        private final Tier to;

        Counted(List<Option> all, int before, Tier to) {
            this.all = all;
            this.before = before;
            this.to = to;
        }

        int most() {
            return all.size() - before;
        }

        Optional<Plan> better(Optional<Plan> known, int count) {
            return count > 0 && count <= most() ? Plans.this.better(known, all.subList(0, before + count), to) : known;
        }

        int count(Plan plan) {
            return plan.steps().size() - before;
        }
    }

    /** By halves, from the best of the doublings: so one order is enough where the need is between two of them. */
    private static Optional<Plan> refined(Optional<Plan> coarse, Counted counted) {
        Optional<Plan> best = coarse;
        int count = coarse.map(counted::count).orElse(0);
        for (int step = count / 2; step > 0; step /= 2) {
            best = counted.better(counted.better(best, count - step), count + step);
            count = best.map(counted::count).orElse(count);
        }
        return best;
    }

    private static Stream<Option> options(Options found, Options.Giver giver) {
        return giver.nodes().stream().map(node -> found.option(giver, node));
    }

    private static int next(int count, int most) {
        return count == most ? most + 1 : Math.min(most, 2 * count);
    }

    private void pairs(Options last) {
        if (!isSure(last.to()) && !breaksPromise(last.to())) {
            return;
        }
        Set<NodeId> able = last.givers().stream()
                .flatMap(giver -> giver.nodes().stream())
                .map(NodeView.Known::id)
                .collect(Collectors.toSet());
        if (hasOthers(last, able)) {
            for (Options.Giver giver : last.givers()) {
                if (giver.role() instanceof Role.Serving place) {
                    Options inPlace = optionsOf(place);
                    pairs(last, giver, inPlace, inPlace.givers(), (one, other) -> !isDetour(one, other, able));
                }
            }
        }
        Role.Serving besides = new Role.Serving(facts.site().id(), last.to().other());
        TierTrend trend = facts.trend(facts.site(), besides.tier());
        if (trend.isPressed() && trend.isFresh()) {
            Options beside = optionsOf(besides);
            List<Options.Giver> cheapest = cheapest(beside, last.to());
            cheapest(last, last.to()).stream()
                    .filter(giver -> !giver.role().equals(besides)) // with a node in the place of that one, see above
                    .forEach(giver -> pairs(last, giver, beside, cheapest, (_, _) -> true));
        }
    }

    /** A node of {@code giver} for one tier, and with it one of each of {@code others} for another. */
    private void pairs(
            Options last,
            Options.Giver giver,
            Options options,
            List<Options.Giver> others,
            BiPredicate<Option, Option> isOfUse) {
        for (NodeView.Known node : sizes(giver.nodes())) {
            Option wanted = last.option(giver, node);
            others.stream()
                    .flatMap(other -> sizes(without(other, wanted)).stream().map(next -> options.option(other, next)))
                    .filter(companion -> isOfUse.test(companion, wanted))
                    .forEach(companion ->
                            inEitherOrder(companion, wanted, last.to()).ifPresent(pairs::add));
        }
    }

    /** Who loses least by giving one: what two sites lose adds up; and who can give only once it has got one. */
    private List<Options.Giver> cheapest(Options found, Tier pressed) {
        if (found.givers().size() <= GIVERS) {
            return found.givers();
        }
        List<Plan> ones = new ArrayList<>();
        Set<Role> dear = new HashSet<>();
        for (Options.Giver giver : found.givers()) {
            Optional<Plan> one = Optional.empty();
            for (NodeView.Known node : sizes(giver.nodes())) {
                one = better(one, List.of(found.option(giver, node)), pressed);
            }
            one.ifPresent(plan -> {
                ones.add(plan);
                dear.add(giver.role());
            });
        }
        best(ones, GIVERS).forEach(plan -> dear.remove(plan.steps().getFirst().from()));
        return found.givers().stream()
                .filter(giver -> !dear.contains(giver.role()))
                .toList();
    }

    /** Whether there may be any node that would make no detour. */
    private boolean hasOthers(Options last, Set<NodeId> able) {
        Role wanted = Case.role(facts.site(), last.to());
        List<NodeView.Known> all = facts.able();
        return all.stream().map(this::size).distinct().limit(2).count() > 1
                || all.stream()
                        .filter(node ->
                                !node.word().serves(wanted) && !node.word().serves(Role.DRAINED))
                        .anyMatch(node -> !able.contains(node.id()));
    }

    /** Whether the node that takes the place could go to the tier itself, or comes from there, and does as much. */
    private static boolean isDetour(Option companion, Option wanted, Set<NodeId> able) {
        return companion.role().equals(wanted.from())
                && (able.contains(companion.node().id()) || companion.from().equals(wanted.role()))
                && companion.moveSeconds() == wanted.moveSeconds()
                && companion.node().load().capacityUnitsPerSecond()
                        == wanted.node().load().capacityUnitsPerSecond();
    }

    /** What tells machines apart: what they can do, and how long they take to move. */
    private record Size(double units, double moveSeconds) {}

    private Size size(NodeView.Known node) {
        return new Size(node.load().capacityUnitsPerSecond(), facts.moveSeconds(node));
    }

    /** Of unequal machines the first of each size. */
    private List<NodeView.Known> sizes(List<NodeView.Known> nodes) {
        Set<Size> seen = new HashSet<>();
        return nodes.stream().filter(node -> seen.add(size(node))).limit(SIZES).toList();
    }

    private Options optionsOf(Role.Serving role) {
        return options.computeIfAbsent(
                role, _ -> new Options(facts, facts.policy().site(role.site()).orElseThrow(), role.tier()));
    }

    private static List<NodeView.Known> without(Options.Giver giver, Option wanted) {
        return giver.nodes().stream()
                .filter(node -> !node.id().equals(wanted.node().id()))
                .toList();
    }

    /** What both come to is the same; but a tier at its minimum gives only once it has got. */
    private Optional<Plan> inEitherOrder(Option one, Option other, Tier pressed) {
        Optional<Plan> first = better(Optional.empty(), List.of(one, other), pressed);
        boolean isAtOnce = first.filter(plan -> plan.waves().size() == 1).isPresent();
        return isAtOnce ? first : better(first, List.of(other, one), pressed);
    }

    /** Of {@code steps} that are for what presses that tier. */
    private Optional<Plan> better(Optional<Plan> known, List<Option> steps, Tier pressed) {
        Optional<List<List<Option>>> waves = Waves.of(facts, steps);
        if (waves.isEmpty()) {
            return known;
        }
        boolean isSure = isSure(pressed);
        Objective.Value value = objective.of(waves.get(), isSure || breaksPromise(pressed));
        boolean waits =
                !isSure && value.stands() != Stands.FOR_GOOD && !value.gains().keepsPromise();
        Plan plan = new Plan(steps, waves.get(), value, waits);
        return known.isEmpty() || plan.isBetterThan(known.get()) ? Optional.of(plan) : known;
    }

    private boolean isSure(Tier tier) {
        return sure.computeIfAbsent(tier, asked -> facts.isSure(facts.site(), asked));
    }

    /** What a broken promise loses until T is over is certain. */
    private boolean breaksPromise(Tier tier) {
        return facts.breaksPromise(facts.site(), tier);
    }
}
