package dev.retier.agent.decide;

import dev.retier.agent.config.ServerKind;
import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.view.NodeView;
import dev.retier.state.Role;
import dev.retier.state.Tier;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** From where a pressed tier takes a node, and which. Stateless. */
final class Donors {
    /** A site that breaks its promise takes whatever helps. */
    private static final double LEAST_GAIN = 0.02;

    private static final double NANOS_PER_SECOND = 1e9;

    private Donors() {}

    /** A tier that is asked, and by what right. */
    private record Donor(SiteConfig site, Tier tier, Claim claim) {
        Role role() {
            return Case.role(site, tier);
        }

        String name() {
            return site.name() + "/" + (tier == Tier.PROXY ? "proxy" : "app");
        }
    }

    /** The first move that the rails allow, or why there is none. */
    static Decision choose(Case facts, Receiver receiver) {
        List<NodeView.Known> spares = Candidates.rested(facts, Candidates.able(facts, receiver.tier(), Role.SPARE));
        boolean isHigherWaiting = isHigherPriorityWaiting(facts, spares);
        if (!spares.isEmpty() && !isHigherWaiting) {
            return move(facts, receiver, best(facts, receiver, spares));
        }
        List<Refusal> refusals = new ArrayList<>();
        if (!spares.isEmpty()) {
            refusals.add(new Refusal("spare", StayReason.HIGHER_PRIORITY_FIRST));
        }
        for (Donor donor : donors(facts, receiver).toList()) {
            switch (ask(facts, receiver, donor)) {
                case Decision.Move move -> {
                    return move;
                }
                case Decision.Stay stay -> refusals.add(new Refusal(donor.name(), stay.reason()));
            }
        }
        return mostTelling(facts, refusals);
    }

    private record Refusal(String donor, StayReason reason) {}

    /**
     * What passes by itself is worth waiting for; else the first refusal, of the nearest donor. All are in the detail
     * when there is more than one.
     */
    private static Decision mostTelling(Case facts, List<Refusal> refusals) {
        StayReason reason = refusals.stream()
                .map(Refusal::reason)
                .filter(StayReason::isPassing)
                .findFirst()
                .orElseGet(() -> refusals.getFirst().reason);
        String asked = refusals.stream()
                .map(refusal -> refusal.donor + " " + refusal.reason)
                .collect(Collectors.joining(", ", "; asked ", ""));
        return Decision.stay(facts.site().id(), reason, facts.figures() + (refusals.size() > 1 ? asked : ""));
    }

    /** A site that goes first would take one of the spare nodes as well, if its own rails let it take any. */
    private static boolean isHigherPriorityWaiting(Case facts, List<NodeView.Known> spares) {
        return facts.policy().sites().stream()
                .filter(site -> site.priority() < facts.site().priority())
                .filter(site -> facts.rail(site).isEmpty())
                .anyMatch(site -> Receiver.of(facts, site).stream()
                        .anyMatch(receiver -> Candidates.isRoomFor(facts, site, receiver.tier(), spares)));
    }

    /** In order: the own site's other tier; sites of lower priority, the lowest first; the others, the lowest first. */
    private static Stream<Donor> donors(Case facts, Receiver receiver) {
        Claim own = receiver.reason() == MoveReason.BELOW_MINIMUM ? Claim.FAILED : Claim.FAIR;
        Stream<Donor> otherTier =
                Stream.of(new Donor(facts.site(), receiver.tier().other(), own));
        Stream<Donor> otherSites = facts.policy().sites().reversed().stream()
                .filter(site -> !site.id().equals(facts.site().id()))
                .flatMap(site -> leastPressedFirst(facts, site)
                        .map(tier -> new Donor(site, tier, Claim.against(facts, receiver, site))));
        return receiver.reason() == MoveReason.RECURRENCE ? otherTier : Stream.concat(otherTier, otherSites);
    }

    private static Stream<Tier> leastPressedFirst(Case facts, SiteConfig site) {
        return Stream.of(Tier.values())
                .sorted(Comparator.comparingDouble(
                        tier -> facts.trend(site, tier).mean()));
    }

    private static Decision ask(Case facts, Receiver receiver, Donor donor) {
        TierTrend giving = facts.trend(donor.site, donor.tier);
        boolean isOwnSite = donor.site.id().equals(facts.site().id());
        Optional<StayReason> siteRefusal = isOwnSite ? Optional.empty() : facts.rail(donor.site);
        if (siteRefusal.isPresent()) {
            return facts.no(siteRefusal.get());
        }
        if (giving.members().size() <= donor.site.bounds(donor.tier).min()) {
            return facts.no(StayReason.DONOR_AT_MINIMUM);
        }
        if (!giving.isFresh()) {
            return facts.no(StayReason.SETTLING);
        }
        if (facts.view().isHeldByAnEdge(donor.role())) {
            return facts.no(StayReason.EDGE_NOT_HEARD);
        }
        List<NodeView.Known> known = Candidates.able(facts, receiver.tier(), donor.role());
        if (known.isEmpty()) {
            return facts.no(StayReason.NO_DONOR_KNOWN);
        }
        if (donor.tier == Tier.APP && facts.hasUnmanagedProxy(donor.site)) {
            return facts.no(StayReason.UPSTREAM_UNMANAGED);
        }
        return select(facts, receiver, donor, known);
    }

    private static Decision select(Case facts, Receiver receiver, Donor donor, List<NodeView.Known> known) {
        if (donor.claim == Claim.FAIR) {
            Optional<StayReason> pressure = tooPressedToGive(facts, receiver, donor);
            if (pressure.isPresent()) {
                return facts.no(pressure.get());
            }
        }
        List<NodeView.Known> rested = Candidates.rested(facts, known);
        if (rested.isEmpty()) {
            boolean isAnyWilling = known.stream().anyMatch(node -> facts.restLeftNanos(node.id()) <= 0);
            return facts.no(isAnyWilling ? StayReason.NODE_COOL_DOWN : StayReason.NODE_RESTS);
        }
        NodeView.Known victim = best(facts, receiver, rested);
        return refusal(facts, receiver, donor, victim)
                .<Decision>map(facts::no)
                .orElseGet(() -> move(facts, receiver, victim));
    }

    /** A rhythm that is known says more than T of calm; what idles beside members that are busy is free at once. */
    private static Optional<StayReason> tooPressedToGive(Case facts, Receiver receiver, Donor donor) {
        TierTrend giving = facts.trend(donor.site, donor.tier);
        boolean isOwnSite = donor.site.id().equals(facts.site().id());
        boolean isHigher = donor.site.priority() < facts.site().priority();
        boolean isUneven = giving.isUneven(facts.rules().takeThreshold());
        if (giving.isPressed() && !isUneven) {
            return Optional.of(isOwnSite ? StayReason.BOTH_TIERS_PRESSED : StayReason.DONOR_NOT_CALM);
        }
        if (receiver.reason() == MoveReason.RECURRENCE) {
            return Optional.empty();
        }
        long calmNanos =
                (isHigher ? facts.rules().giveBackHistory() : facts.rules().giveHistory()).toNanos();
        boolean isCalm = isUneven || giving.isCalmFor(calmNanos, facts.nowNanos());
        boolean isBelow = isOwnSite || giving.mean() <= facts.rules().giveThreshold();
        return isCalm && isBelow ? Optional.empty() : Optional.of(StayReason.DONOR_NOT_CALM);
    }

    private static Optional<StayReason> refusal(Case facts, Receiver receiver, Donor donor, NodeView.Known victim) {
        return switch (donor.claim) {
            case FAILED -> Optional.empty();
            case ENTITLED -> keepsGuarantee(facts, donor, victim, 1) ? Optional.empty() : needsIt();
            case SURPLUS ->
                keepsGuarantee(facts, donor, victim, 1 + facts.rules().tolerance())
                                && !new Swing(facts, donor.site, donor.tier, victim).breaksPromise()
                        ? Optional.empty()
                        : tooPressedToGive(facts, receiver, donor)
                                .or(() -> fairRefusal(facts, receiver, donor, victim))
                                .map(_ -> StayReason.DONOR_NEEDS_ITS_GUARANTEE);
            case FAIR -> fairRefusal(facts, receiver, donor, victim);
        };
    }

    private static Optional<StayReason> needsIt() {
        return Optional.of(StayReason.DONOR_NEEDS_ITS_GUARANTEE);
    }

    /**
     * Whether the donor's site can go on delivering {@code factor} times its guarantee: by the capacity of its tier for
     * the present mix, as measured. A site that is promised nothing has nothing to keep; one that delivers too little
     * already has nothing to give.
     */
    private static boolean keepsGuarantee(Case facts, Donor donor, NodeView.Known victim, double factor) {
        Double guarantee = donor.site.guaranteeRequestsPerSecond();
        if (guarantee == null) {
            return true;
        }
        TierTrend giving = facts.trend(donor.site, donor.tier);
        SiteTrend site = facts.trend(donor.site);
        return !site.isShort() && site.carried(donor.tier, giving.capacityWithout(victim.id())) >= guarantee * factor;
    }

    /**
     * The receiver must be worse off than the donor then is: by the tolerance, as a tier that is all used carries that
     * share more with the node, and by what the move costs. A tier with idle members, whose mean is not above the
     * threshold, counts as just at it: it takes what the donor does not need. A tier that was pressed at once when it
     * had given a node last gives for throughput only what leaves it calm: else two splits that are equally good take
     * turns, each time the figures err in favour of the other.
     */
    private static Optional<StayReason> fairRefusal(Case facts, Receiver receiver, Donor donor, NodeView.Known victim) {
        boolean isOwnSite = donor.site.id().equals(facts.site().id());
        boolean isPromised = isOwnSite && receiver.reason() == MoveReason.GUARANTEE;
        double taking = Math.max(
                facts.trend(facts.site(), receiver.tier()).mean(), facts.rules().takeThreshold());
        double bound = isOwnSite ? taking : Math.min(taking, facts.rules().takeThreshold());
        double gain = isPromised ? LEAST_GAIN : facts.rules().tolerance();
        double cost = isPromised ? 0 : cost(facts, victim);
        double predicted = facts.trend(donor.site, donor.tier).meanWithout(victim.id());
        boolean isInVain =
                !isPromised && facts.rhythm(donor.site, donor.tier).giving().isInVain();
        boolean isPressedAgain = isInVain && predicted >= facts.rules().takeThreshold();
        if (isPressedAgain || predicted * (1 + gain) >= bound - cost) {
            return Optional.of(StayReason.NO_GAIN);
        }
        Swing swing = new Swing(facts, donor.site, donor.tier, victim);
        if (isPromised ? swing.mendsLess() : swing.breaksPromise()) {
            return needsIt();
        }
        return swing.isWorthIt(receiver) ? Optional.empty() : Optional.of(StayReason.LULL_TOO_SHORT);
    }

    /** The share of the payback time in which the node serves nobody, as moves of its kind have shown. */
    private static double cost(Case facts, NodeView.Known victim) {
        ServerKind kind = facts.policy().kinds().get(victim.id());
        double paybackSeconds = facts.rules().payback().toNanos() / NANOS_PER_SECOND;
        return kind == null ? 0 : Math.min(1, facts.history().moveSeconds(kind) / paybackSeconds);
    }

    private static NodeView.Known best(Case facts, Receiver receiver, List<NodeView.Known> nodes) {
        return nodes.stream().min(Candidates.order(facts, receiver.tier())).orElseThrow();
    }

    private static Decision.Move move(Case facts, Receiver receiver, NodeView.Known victim) {
        return new Decision.Move(
                facts.site().id(),
                victim.id(),
                victim.word().to(),
                Case.role(facts.site(), receiver.tier()),
                receiver.reason(),
                facts.figures());
    }
}
