package dev.retier.agent.decide;

import dev.retier.agent.config.Mode;
import dev.retier.agent.config.SiteConfig;
import dev.retier.link.NodeId;
import dev.retier.state.Tier;
import java.util.stream.Stream;

/**
 * What forbids a change whatever it is worth, as reasons in the order in which they are told: for who decides by value,
 * goes on with a plan or obeys an operator. None, when it may be made. Stateless.
 */
final class Rails {
    private Rails() {}

    /** Those of a decision that is made without an operator: of the whole cluster, and that its site is at rest. */
    static Stream<StayReason> ofDecision(Case facts) {
        return Stream.concat(ofCluster(facts), inFlight(facts, facts.site()));
    }

    /** Those that concern the whole cluster. */
    static Stream<StayReason> ofCluster(Case facts) {
        boolean isTooMuchUnknown = facts.view().unknownShare() > facts.rules().maxUnknownShare();
        return Stream.of(
                        when(facts.policy().mode() == Mode.OBSERVE, StayReason.MODE_OBSERVE),
                        when(!facts.view().differing().isEmpty(), StayReason.CONFIG_DIFFERS),
                        when(isTooMuchUnknown, StayReason.TOO_MUCH_UNKNOWN))
                .flatMap(reasons -> reasons);
    }

    /**
     * Those that concern one site and no tier of it: they hold for the one that takes and the one that gives.
     *
     * @param lacking how many members the tier lacks for which it is asked: the budget is for machines that go to and
     *     fro, and keeps nobody from mending what is lost
     */
    static Stream<StayReason> ofSite(Case facts, SiteConfig site, int lacking) {
        boolean isSpent = facts.history().movesLastHour(site.id(), facts.nowNanos())
                >= facts.rules().movesPerHour();
        return Stream.concat(inFlight(facts, site), when(lacking == 0 && isSpent, StayReason.MOVE_BUDGET_SPENT));
    }

    /** Those that concern a tier that a node leaves, besides its minimum: who sends to it must be heard to let go. */
    static Stream<StayReason> ofLeaving(Case facts, SiteConfig site, Tier tier) {
        boolean isHeld = facts.view().isHeldByAnEdge(Case.role(site, tier));
        boolean isUnmanaged = tier == Tier.APP && facts.hasUnmanagedProxy(site);
        return Stream.concat(when(isHeld, StayReason.EDGE_NOT_HEARD), when(isUnmanaged, StayReason.UPSTREAM_UNMANAGED));
    }

    /** That of a node that leaves its role: who has a volume of it attached would lose it. */
    static Stream<StayReason> ofNode(Case facts, NodeId node) {
        return when(facts.holdsVolumes(node), StayReason.HOLDS_VOLUMES);
    }

    private static Stream<StayReason> inFlight(Case facts, SiteConfig site) {
        return when(facts.isMoveInFlight(site), StayReason.MOVE_IN_FLIGHT);
    }

    /** That reason, if it holds. */
    static Stream<StayReason> when(boolean isSo, StayReason reason) {
        return isSo ? Stream.of(reason) : Stream.empty();
    }
}
