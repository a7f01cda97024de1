package dev.retier.agent.decide;

import static dev.retier.agent.decide.Decision.stay;

import dev.retier.agent.config.Mode;
import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.view.ClusterView;
import dev.retier.state.Tier;
import java.util.List;
import java.util.Optional;

/**
 * Decides for one site after one look (seed thesis, sections 3.2.3 to 3.2.6, and chapter 6 for several sites): a tier
 * that has been pressed for T, or whose site delivers less than its guarantee, takes a spare node, else a node of the
 * site's other tier, else one of a site of lower priority, the lowest first, else what a site of higher priority can do
 * without; if every rail allows it. A need that takes more than one move, over several priorities, is met by one
 * decision after the other. Stateless; the same input gives the same answer.
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
            return stay(site.id(), StayReason.TOO_MUCH_UNKNOWN, "no look yet");
        }
        Optional<StayReason> refusal = clusterRail(facts);
        Decision decision = refusal.isPresent() ? facts.no(refusal.get()) : take(facts, Receiver.of(facts, site));
        boolean isHeldBack = policy.mode() == Mode.RECOMMEND;
        return isHeldBack && decision instanceof Decision.Move move
                ? new Decision.Stay(site.id(), StayReason.MODE_RECOMMEND, move.detail(), move)
                : decision;
    }

    /** What nobody can give to the neediest tier the other one may be able to use. */
    private static Decision take(Case facts, List<Receiver> receivers) {
        if (receivers.isEmpty()) {
            return noReceiver(facts);
        }
        Decision neediest = take(facts, receivers.getFirst());
        boolean isHopeless =
                neediest instanceof Decision.Stay stay && !stay.reason().isPassing();
        Decision other = isHopeless && receivers.size() > 1 ? take(facts, receivers.getLast()) : neediest;
        return other instanceof Decision.Move ? other : neediest;
    }

    private static Optional<StayReason> clusterRail(Case facts) {
        if (facts.policy().mode() == Mode.OBSERVE) {
            return Optional.of(StayReason.MODE_OBSERVE);
        }
        if (!facts.view().differing().isEmpty()) {
            return Optional.of(StayReason.CONFIG_DIFFERS);
        }
        if (facts.view().unknownShare() > facts.rules().maxUnknownShare()) {
            return Optional.of(StayReason.TOO_MUCH_UNKNOWN);
        }
        boolean isInFlight = !facts.view().ordered(facts.site().id()).isEmpty();
        return isInFlight ? Optional.of(StayReason.MOVE_IN_FLIGHT) : Optional.empty();
    }

    private static Decision noReceiver(Case facts) {
        boolean isAnyPressed = facts.trend(facts.site(), Tier.PROXY).isPressed()
                || facts.trend(facts.site(), Tier.APP).isPressed();
        return facts.no(isAnyPressed ? StayReason.PRESSURE_TOO_SHORT : StayReason.NO_PRESSURE);
    }

    private static Decision take(Case facts, Receiver receiver) {
        TierTrend pressed = facts.trend(facts.site(), receiver.tier());
        if (!pressed.isFresh()) {
            return facts.no(StayReason.SETTLING);
        }
        if (pressed.members().size() >= facts.site().bounds(receiver.tier()).max()) {
            return facts.no(StayReason.RECEIVER_AT_MAXIMUM);
        }
        Optional<StayReason> refusal = facts.rail(facts.site());
        return refusal.isPresent() ? facts.no(refusal.get()) : Donors.choose(facts, receiver);
    }
}
