package dev.retier.agent.decide;

import dev.retier.agent.config.SiteConfig;
import dev.retier.state.Role;
import dev.retier.state.SiteId;
import dev.retier.state.Tier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a change is worth. It may be taken back when the load changes, or stay for good, whichever is worth more. A
 * change that is to be taken back is looked at until it has been; one that stays, over the payback time.
 */
final class Objective {
    private static final double NANOS_PER_SECOND = 1e9;

    private final Case facts;
    private final double noticed;
    private final double horizon;

    Objective(Case facts) {
        this.facts = facts;
        this.noticed = seconds(
                facts.rules().takeHistory().toNanos() + facts.rules().settle().toNanos());
        this.horizon = seconds(facts.rules().payback().toNanos());
    }

    private static double seconds(long nanos) {
        return nanos / NANOS_PER_SECOND;
    }

    /**
     * Of a change.
     *
     * @param gains of the better way
     * @param isForGood whether that is to let it stay
     * @param tolerance what of requests alone must be exceeded: the less, the more spells the figures are of
     */
    record Value(Gains gains, boolean isForGood, double tolerance) {
        boolean isWorthIt() {
            return gains.isWorthIt(tolerance);
        }

        boolean isAbove(Value other) {
            return gains.isAbove(other.gains);
        }
    }

    /** A site that the change concerns. */
    private record Part(Outlook outlook, Outlook.Change change) {}

    /** Of {@code steps} one after the other; {@code isSure} says whether the pressure has lasted for T. */
    Value of(List<Option> steps, boolean isSure) {
        List<Part> parts = parts(steps);
        double move = steps.stream().mapToDouble(Option::moveSeconds).sum();
        double members = steps.stream()
                .mapToDouble(step -> facts.trend(facts.site(), step.to()).isBelowMinimum() ? 1 : 0)
                .sum();
        Gains now = gains(
                parts, members, part -> part.outlook.at(part.outlook.spells().kind(), part.change.after()));
        Gains returning = Gains.none(facts.policy().sites().size());
        if (isSure) {
            double left = parts.stream()
                    .mapToDouble(part -> part.outlook.left(part.change, horizon))
                    .min()
                    .orElse(0);
            double back = noticed + move;
            double span = left + back;
            returning = gains(
                    parts,
                    members,
                    part -> part.outlook
                            .returning(part.change, left, move, back)
                            .times(1 / span));
        }
        Gains none = Gains.none(facts.policy().sites().size());
        boolean isRhythmKnown =
                parts.stream().allMatch(part -> part.outlook.spells().isRhythmKnown());
        Gains staying = isRhythmKnown && !none.isAbove(now)
                ? gains(parts, members, part -> part.outlook.forGood(part.change, move, horizon))
                : none;
        double tolerance = facts.rules().tolerance();
        Value brief = new Value(returning, false, tolerance);
        Value stay = new Value(staying, true, tolerance / Math.sqrt(spells(parts)));
        return stay.isWorthIt() && (!brief.isWorthIt() || stay.isAbove(brief)) ? stay : brief;
    }

    private static int spells(List<Part> parts) {
        return parts.stream()
                .mapToInt(part -> Math.max(1, part.outlook.spells().past().size()))
                .min()
                .orElse(1);
    }

    private List<Part> parts(List<Option> steps) {
        Map<SiteId, SiteConfig> sites = new LinkedHashMap<>();
        sites.put(facts.site().id(), facts.site());
        steps.forEach(step -> step.giver().ifPresent(site -> sites.put(site.id(), site)));
        List<Part> parts = new ArrayList<>();
        for (SiteConfig site : sites.values()) {
            Capacity present = facts.capacity(site);
            Capacity during = present;
            Capacity taken = new Capacity(0, 0);
            for (Option step : steps) {
                if (step.from() instanceof Role.Serving(SiteId id, Tier tier) && id.equals(site.id())) {
                    during = during.plus(tier, -step.unitsGiven());
                }
                if (site.id().equals(facts.site().id())) {
                    taken = taken.plus(step.to(), step.unitsTaken());
                }
            }
            Capacity after = new Capacity(during.proxy() + taken.proxy(), during.app() + taken.app());
            parts.add(new Part(facts.outlook(site, present), new Outlook.Change(during, after)));
        }
        return parts;
    }

    @FunctionalInterface
    private interface Weigher {
        Outlook.Worth of(Part part);
    }

    private Gains gains(List<Part> parts, double members, Weigher weigher) {
        int sites = facts.policy().sites().size();
        Double[] all = new Double[sites + 3];
        Arrays.fill(all, 0.0);
        all[0] = members;
        double taker = parts.getFirst().outlook.rate();
        for (Part part : parts) {
            Outlook.Worth worth = weigher.of(part);
            SiteConfig site = part.outlook.site();
            double requests = worth.requests() * (taker > 0 ? part.outlook.rate() / taker : 1);
            all[1 + facts.policy().sites().indexOf(site)] += worth.promised();
            all[sites + 1] += site.guaranteeRequestsPerSecond() == null ? requests : 0;
            all[sites + 2] += requests;
        }
        return new Gains(List.of(all));
    }
}
