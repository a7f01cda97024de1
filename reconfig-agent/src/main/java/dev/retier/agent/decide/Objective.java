package dev.retier.agent.decide;

import dev.retier.agent.config.SiteConfig;
import dev.retier.state.Role;
import dev.retier.state.SiteId;
import dev.retier.state.Tier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What a change is worth. It may be taken back when the load changes, or stay for good, whichever is worth more. A
 * change that is to be taken back is looked at until it has been; one that stays, in the long run.
 */
final class Objective {
    /**
     * What is counted deviates by chance: so many times the root of the number of requests that it was counted in are
     * within it. Looks are many, and one of them in which all is as it seems is enough for a move.
     */
    private static final double CHANCE = 3;

    private static final double NANOS_PER_SECOND = 1e9;

    private final Case facts;
    private final Map<SiteId, Integer> ranks = new HashMap<>();

    Objective(Case facts) {
        this.facts = facts;
        facts.policy().sites().forEach(site -> ranks.put(site.id(), ranks.size()));
    }

    /** The slowest one ends it. */
    private static double seconds(List<Option> wave) {
        return wave.stream().mapToDouble(Option::moveSeconds).max().orElse(0);
    }

    private static double seconds(long nanos) {
        return nanos / NANOS_PER_SECOND;
    }

    /**
     * Of a change.
     *
     * @param gains of the better way
     * @param now what it would be worth if this load lasted for ever and moves took no time
     * @param stands the better way
     * @param tolerance what of requests alone must be exceeded
     */
    record Value(Gains gains, Gains now, Stands stands, double tolerance) {
        boolean isWorthIt() {
            return gains.isWorthIt(tolerance);
        }

        /** What is worth making is above what is not. */
        boolean isAbove(Value other) {
            return isWorthIt() == other.isWorthIt() ? gains.isAbove(other.gains) : isWorthIt();
        }

        /** Why it is not worth it. */
        StayReason refusal() {
            if (gains.breaksPromise()) {
                return StayReason.DONOR_NEEDS_ITS_GUARANTEE;
            }
            return now.isWorthIt(tolerance) ? StayReason.LULL_TOO_SHORT : StayReason.NO_GAIN;
        }

        /** What it is made for. */
        MoveReason reason() {
            if (gains.bringsMembers()) {
                return MoveReason.BELOW_MINIMUM;
            }
            if (gains.keepsPromise()) {
                return MoveReason.GUARANTEE;
            }
            return stands == Stands.FOR_GOOD ? MoveReason.RECURRENCE : MoveReason.PRESSURE;
        }
    }

    /**
     * A step, and when it is made.
     *
     * @param leaves share of the time that the whole takes after which the node leaves
     * @param arrives share of that time after which it serves again
     */
    private record Stage(Option step, double leaves, double arrives) {}

    private static List<Stage> stages(List<List<Option>> waves) {
        double all = waves.stream().mapToDouble(Objective::seconds).sum();
        List<Stage> stages = new ArrayList<>();
        double before = 0;
        for (List<Option> wave : waves) {
            double leaves = all > 0 ? before / all : 0;
            before += seconds(wave);
            double arrives = all > 0 ? before / all : 1;
            wave.forEach(step -> stages.add(new Stage(step, leaves, arrives)));
        }
        return stages;
    }

    /** A site that the change concerns. */
    private record Part(SiteConfig site, Outlook outlook, Outlook.Change change) {}

    /** Of {@code waves} one after the other; {@code isSure}: whether what presses counts as it is. */
    Value of(List<List<Option>> waves, boolean isSure) {
        List<Stage> stages = stages(waves);
        List<Part> parts = parts(stages);
        double move = waves.stream().mapToDouble(Objective::seconds).sum();
        double members = members(stages.stream().map(Stage::step).toList());
        Gains now = gains(parts, members, part -> part.outlook.now(part.change.after()));
        Gains none = Gains.none(ranks.size());
        Value brief = isSure ? brief(parts, members, now, move) : new Value(none, now, Stands.THIS_SPELL, tolerance());
        boolean isRhythmKnown = parts.stream().allMatch(part -> part.outlook.isRhythmKnown());
        Gains staying = isRhythmKnown && now.isAbove(none)
                ? gains(parts, members, part -> part.outlook.forGood(part.change, noticed(part) + move))
                : none;
        Value stay = new Value(staying, now, Stands.FOR_GOOD, tolerance());
        return stay.isWorthIt() && stay.isAbove(brief) ? stay : brief;
    }

    /** What requests alone must exceed. */
    private double tolerance() {
        return facts.rules().tolerance();
    }

    /** The same, where so many tell it. */
    private double tolerance(double requests) {
        return Math.max(tolerance(), CHANCE / Math.sqrt(requests));
    }

    /** Requests by which the present load is known: those of T, or more, as it lasts. */
    private double seen(Part part) {
        return Math.max(
                part.outlook.rate() * history(), facts.spells(part.site).done().requests());
    }

    private double history() {
        return seconds(facts.rules().takeHistory().toNanos());
    }

    /** How long a site goes without what it lacks until it asks for it. */
    private double noticed(Part part) {
        double settling = seconds(facts.policy().settling().toNanos());
        return facts.spells(part.site).isEachBoundToLast(history()) ? settling : history() + settling;
    }

    /** What may be chance is not counted on for ever, whatever else is remembered. */
    private Value brief(List<Part> parts, double members, Gains now, double move) {
        List<Part> harmed = parts.stream()
                .filter(part -> !part.outlook.isHarmless(part.change))
                .toList();
        Value forEver = new Value(now, now, Stands.WHILE_OF_USE, tolerance(seen(parts.getFirst())));
        boolean isChance = !forEver.isWorthIt() && now.isWorthIt(tolerance());
        if (harmed.isEmpty() && !isChance) {
            return forEver;
        }
        double left = (harmed.isEmpty() ? parts : harmed)
                .stream().mapToDouble(part -> part.outlook.left()).min().orElse(0);
        return new Value(returning(parts, members, left, move), now, Stands.THIS_SPELL, tolerance());
    }

    private Gains returning(List<Part> parts, double members, double left, double move) {
        return gains(
                parts,
                members,
                part -> part.outlook
                        .returning(part.change, left, move, noticed(part) + move)
                        .times(1 / (left + noticed(part))));
    }

    /** How many of the nodes go to tiers that have for T been without members that they must have. */
    private double members(List<Option> steps) {
        Map<Role, Integer> lacking = new HashMap<>();
        double members = 0;
        for (Option step : steps) {
            int lacks = facts.lacking(step.taker(), step.to());
            members += lacking.merge(step.role(), 1, Integer::sum) <= lacks ? 1 : 0;
        }
        return members;
    }

    private List<Part> parts(List<Stage> stages) {
        Map<SiteId, SiteConfig> sites = new LinkedHashMap<>();
        sites.put(facts.site().id(), facts.site());
        stages.forEach(stage -> {
            stage.step.giver().ifPresent(site -> sites.put(site.id(), site));
            sites.put(stage.step.taker().id(), stage.step.taker());
        });
        List<Part> parts = new ArrayList<>();
        for (SiteConfig site : sites.values()) {
            Capacity present = facts.capacity(site);
            parts.add(new Part(site, facts.outlook(site), change(site, present, stages)));
        }
        return parts;
    }

    /** Meanwhile a site has on average what its nodes do until they leave and once they have arrived. */
    private static Outlook.Change change(SiteConfig site, Capacity present, List<Stage> stages) {
        Capacity during = present;
        Capacity after = present;
        for (Stage stage : stages) {
            Option step = stage.step;
            if (step.from() instanceof Role.Serving(SiteId id, Tier tier) && id.equals(site.id())) {
                during = during.plus(tier, -step.unitsGiven() * (1 - stage.leaves));
                after = after.plus(tier, -step.unitsGiven());
            }
            if (site.id().equals(step.taker().id())) {
                during = during.plus(step.to(), step.unitsTaken() * (1 - stage.arrives));
                after = after.plus(step.to(), step.unitsTaken());
            }
        }
        return new Outlook.Change(during, after);
    }

    @FunctionalInterface
    private interface Weigher {
        Outlook.Worth of(Part part);
    }

    private Gains gains(List<Part> parts, double members, Weigher weigher) {
        int sites = ranks.size();
        Double[] all = new Double[sites + 2];
        Arrays.fill(all, 0.0);
        all[0] = members;
        double taker = parts.getFirst().outlook.rate();
        for (Part part : parts) {
            Outlook.Worth worth = weigher.of(part);
            double requests = worth.requests() * (taker > 0 ? part.outlook.rate() / taker : 1);
            all[1 + Objects.requireNonNull(ranks.get(part.site.id()))] += worth.promised();
            all[sites + 1] += requests;
        }
        return new Gains(List.of(all));
    }
}
