package dev.retier.agent.decide;

import dev.retier.agent.config.Mode;
import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.view.ClusterView;
import dev.retier.agent.view.NodeView;
import dev.retier.agent.view.RoleText;
import dev.retier.state.LoadRecord.Health;
import dev.retier.state.NodeId;
import dev.retier.state.Role;
import dev.retier.state.RoleWord.Phase;
import dev.retier.state.SiteId;
import dev.retier.state.Tier;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Whether an operator's move may be made: by every rail that a decided one obeys, but with no question of pressure and
 * gain, which is the operator's. Force goes past rests and budgets, never past what keeps a site alive. Stateless; the
 * same input gives the same answer.
 */
public final class ManualMoves {
    private ManualMoves() {}

    /**
     * What an operator wants.
     *
     * @param node the one to be moved
     * @param to the role that it is to have
     * @param isForced whether rests and budgets are to be passed over
     */
    public record Wish(NodeId node, Role to, boolean isForced) {}

    /**
     * The move, or why not.
     *
     * @param view the newest look
     * @param history up to and including that look
     * @param policy what to obey
     * @param nowNanos monotonic time of the look
     */
    public static Decision decide(ClusterView view, History history, Policy policy, Wish wish, long nowNanos) {
        Optional<Role> from = view.word(wish.node).map(word -> word.to());
        SiteConfig site = Stream.of(Optional.of(wish.to), from)
                .flatMap(Optional::stream)
                .flatMap(role -> site(policy, role).stream())
                .findFirst()
                .orElseGet(() -> policy.sites().getFirst());
        Case facts = new Case(view, history, policy, site, nowNanos);
        if (!facts.hasLooked()) {
            return Decision.stay(site.id(), StayReason.TOO_MUCH_UNKNOWN, "no look yet");
        }
        return refusal(facts, wish)
                .<Decision>map(facts::no)
                .orElseGet(() -> new Decision.Move(
                        site.id(), wish.node, from.orElseThrow(), wish.to, MoveReason.OPERATOR, facts.figures()));
    }

    /**
     * The move that takes the newest one back, which this agent must have seen and which must still be the newest of
     * its node.
     */
    public static Optional<Wish> undo(ClusterView view, History history, boolean isForced) {
        return history.newestMove()
                .filter(move -> view.word(move.node())
                        .filter(word -> word.epoch() == move.epoch() && word.serves(move.to()))
                        .isPresent())
                .map(move -> new Wish(move.node(), move.from(), isForced));
    }

    private static Optional<SiteConfig> site(Policy policy, Role role) {
        return role instanceof Role.Serving(SiteId id, Tier _) ? policy.site(id) : Optional.empty();
    }

    private static Optional<StayReason> refusal(Case facts, Wish wish) {
        if (facts.policy().mode() == Mode.OBSERVE) {
            return Optional.of(StayReason.MODE_OBSERVE);
        }
        if (facts.view().unknownShare() > facts.rules().maxUnknownShare()) {
            return Optional.of(StayReason.TOO_MUCH_UNKNOWN);
        }
        if (!(facts.view().nodes().get(wish.node) instanceof NodeView.Known known)
                || known.load().serverHealth() != Health.UP) {
            return Optional.of(StayReason.NODE_UNKNOWN);
        }
        if (known.word().phase() == Phase.ORDERED) {
            return Optional.of(StayReason.MOVE_IN_FLIGHT);
        }
        if (known.word().to().equals(wish.to)) {
            return Optional.of(StayReason.ALREADY_THERE);
        }
        if (!facts.policy().canServe(wish.node, wish.to)) {
            return Optional.of(StayReason.CANNOT_SERVE);
        }
        return giver(facts, known.word().to()).or(() -> taker(facts, wish.to)).or(() -> rests(facts, known, wish));
    }

    private static Optional<StayReason> giver(Case facts, Role from) {
        if (!(from instanceof Role.Serving(SiteId id, Tier tier))) {
            return Optional.empty();
        }
        SiteConfig site = facts.policy().site(id).orElseThrow();
        if (!facts.view().ordered(id).isEmpty()) {
            return Optional.of(StayReason.MOVE_IN_FLIGHT);
        }
        if (facts.view().serving(from).size() <= site.bounds(tier).min()) {
            return Optional.of(StayReason.DONOR_AT_MINIMUM);
        }
        boolean isUnmanaged = tier == Tier.APP && facts.hasUnmanagedProxy(site);
        return isUnmanaged ? Optional.of(StayReason.UPSTREAM_UNMANAGED) : Optional.empty();
    }

    private static Optional<StayReason> taker(Case facts, Role to) {
        if (!(to instanceof Role.Serving(SiteId id, Tier tier))) {
            return Optional.empty();
        }
        SiteConfig site = facts.policy().site(id).orElseThrow();
        if (!facts.view().ordered(id).isEmpty()) {
            return Optional.of(StayReason.MOVE_IN_FLIGHT);
        }
        boolean isFull = facts.view().serving(to).size() >= site.bounds(tier).max();
        return isFull ? Optional.of(StayReason.RECEIVER_AT_MAXIMUM) : Optional.empty();
    }

    private static Optional<StayReason> rests(Case facts, NodeView.Known known, Wish wish) {
        if (wish.isForced) {
            return Optional.empty();
        }
        long restNanos = facts.rules().coolDownNode().toNanos();
        if (facts.history().isResting(wish.node, restNanos, facts.nowNanos())) {
            return Optional.of(StayReason.NODE_COOL_DOWN);
        }
        return Stream.of(known.word().to(), wish.to)
                .flatMap(role -> site(facts.policy(), role).stream())
                .flatMap(site -> facts.rail(site).stream())
                .findFirst();
    }

    /** The predicted pressure of what is left when the node goes, for people; empty when it serves nothing. */
    public static String prediction(History history, Role from, NodeId node) {
        if (!(from instanceof Role.Serving(SiteId id, Tier tier))) {
            return "";
        }
        TierTrend trend = history.tier(id, tier);
        double left = trend == null ? Double.NaN : Objects.requireNonNull(trend).meanWithout(node);
        return Double.isFinite(left)
                ? RoleText.tier(from) + " would be at " + Math.round(left * 100) / 100.0 + " without it"
                : "";
    }
}
