package dev.retier.agent.decide;

import dev.retier.agent.config.DecisionRules;
import dev.retier.agent.config.SiteConfig;
import dev.retier.state.Tier;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The tier of a site that needs a node, and why. */
record Receiver(Tier tier, MoveReason reason) {
    /** Pressures closer than this are equal: the choice must not hang on noise. */
    private static final double EQUAL_LOAD = 0.02;

    /**
     * The tiers of {@code site} whose trigger has held: of two first the one that has lost its nodes, then the more
     * pressed, then the one with fewer nodes, for which one more is worth more.
     */
    static List<Receiver> of(Case facts, SiteConfig site) {
        Comparator<Receiver> neediest = Comparator.<Receiver, Boolean>comparing(
                        one -> facts.trend(site, one.tier).isBelowMinimum())
                .thenComparingLong(one -> Math.round(facts.trend(site, one.tier).mean() / EQUAL_LOAD))
                .thenComparingInt(one -> -facts.trend(site, one.tier).members().size())
                .thenComparing(one -> one.tier == Tier.PROXY);
        return Stream.of(Tier.values())
                .filter(tier -> tier == Tier.APP || hasApps(facts, site))
                .flatMap(tier -> reason(facts, site, tier).map(reason -> new Receiver(tier, reason)).stream())
                .sorted(neediest.reversed())
                .toList();
    }

    /** A proxy that has nobody to forward to has nothing to serve: a site that has lost both tiers takes apps first. */
    private static boolean hasApps(Case facts, SiteConfig site) {
        return !facts.trend(site, Tier.APP).members().isEmpty();
    }

    private static Optional<MoveReason> reason(Case facts, SiteConfig site, Tier tier) {
        TierTrend trend = facts.trend(site, tier);
        DecisionRules rules = facts.rules();
        long guaranteeNanos = rules.guaranteeHistory().toNanos();
        boolean isPressedForT = trend.isPressedFor(rules.takeHistory().toNanos(), facts.nowNanos());
        if (trend.isBelowMinimum()) {
            return isPressedForT ? Optional.of(MoveReason.BELOW_MINIMUM) : Optional.empty();
        }
        if (trend.isPressedFor(guaranteeNanos, facts.nowNanos())
                && facts.trend(site).isShortFor(guaranteeNanos, facts.nowNanos())) {
            return Optional.of(MoveReason.GUARANTEE);
        }
        if (isPressedForT) {
            return Optional.of(MoveReason.PRESSURE);
        }
        return isRecurring(facts, site, tier) ? Optional.of(MoveReason.RECURRENCE) : Optional.empty();
    }

    /** Bursts shorter than T never last for T; once both tiers have shown their rhythm, that says who lacks a node. */
    private static boolean isRecurring(Case facts, SiteConfig site, Tier tier) {
        double takeNanos =
                facts.rules().takeHistory().toNanos() * (1 + facts.rules().tolerance());
        return facts.rhythm(site, tier).isBusy()
                && Stream.of(Tier.values())
                        .allMatch(one -> facts.rhythm(site, one)
                                .isOfBurstsShorterThan(
                                        takeNanos, facts.trend(site, one).membersSinceNanos()));
    }
}
