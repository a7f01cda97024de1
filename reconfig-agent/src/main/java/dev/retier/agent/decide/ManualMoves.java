package dev.retier.agent.decide;

import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.view.ClusterView;
import dev.retier.agent.view.NodeView;
import dev.retier.agent.view.RoleText;
import dev.retier.link.NodeId;
import dev.retier.state.LoadRecord.Health;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.RoleWord.Phase;
import dev.retier.state.SiteId;
import dev.retier.state.Tier;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Whether an operator's move may be made: by the rails that a decided one obeys but for tiers that settle, and with no
 * question of pressure and gain, which is the operator's. What an order goes past is {@link Past}.
 * Stateless; the same input gives the same answer.
 */
public final class ManualMoves {
    private ManualMoves() {}

    /** What an order goes past. */
    public enum Past {
        /** Nothing. */
        NOTHING,
        /** What keeps the cluster from moving too often: who takes something back has not moved at will. */
        RESTS,
        /** That, guarantees, differing configurations and edges that say nothing; never what keeps a site alive. */
        FORCE;

        private boolean passes(StayReason reason) {
            return switch (reason) {
                case NODE_RESTS, MOVE_BUDGET_SPENT -> this != NOTHING;
                case CONFIG_DIFFERS, EDGE_NOT_HEARD, DONOR_NEEDS_ITS_GUARANTEE -> this == FORCE;
                default -> false;
            };
        }

        /** Of an order to move; {@code isForced} if the operator says so. */
        public static Past ofMove(boolean isForced) {
            return isForced ? FORCE : NOTHING;
        }

        /** Of an order that takes an earlier one back, undo or undrain. */
        public static Past ofReturn(boolean isForced) {
            return isForced ? FORCE : RESTS;
        }
    }

    /**
     * What an operator wants.
     *
     * @param node the one to be moved
     * @param to the role that it is to have
     * @param past what it goes past
     */
    public record Wish(NodeId node, Role to, Past past) {}

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
                .<Decision>map(reason -> Decision.stay(site.id(), reason, detail(facts, wish, reason)))
                .orElseGet(() -> Decision.Change.of(
                        site.id(),
                        new Decision.Move(
                                site.id(),
                                wish.node,
                                from.orElseThrow(),
                                wish.to,
                                MoveReason.OPERATOR,
                                facts.figures())));
    }

    /** What is to be undone. */
    public sealed interface Undo {
        /** This takes the newest move back. */
        record Take(Wish wish) implements Undo {}

        /** The newest move, or a try of one, is not known here: {@code node} made it in {@code epoch}. */
        record Elsewhere(NodeId node, long epoch) implements Undo {}

        /** No move is known, or its node has changed since. */
        record Nothing() implements Undo {}
    }

    /**
     * What the own journal told of when this agent started.
     *
     * @param self its node
     * @param newest the newest move of that node that was completed
     */
    public record OwnPast(NodeId self, Optional<CompletedMove> newest) {}

    /**
     * The move that takes the newest one back. Words do not tell which role a node had before, so this agent must have
     * seen the move, or have it in its own journal; no other node may have a later epoch that it has not seen come.
     *
     * @param own what this agent knew when it started
     */
    public static Undo undo(ClusterView view, History history, OwnPast own, boolean isForced) {
        Optional<CompletedMove> newest = Stream.of(history.newestMove(), own.newest)
                .flatMap(Optional::stream)
                .max(Comparator.comparingLong(CompletedMove::epoch));
        long epoch = newest.map(CompletedMove::epoch).orElse(0L);
        Optional<NodeView.Known> later = view.known()
                .filter(node -> !node.id().equals(own.self))
                .filter(node -> node.word().epoch() > epoch && !history.hasChanged(node.id()))
                .max(Comparator.comparingLong(node -> node.word().epoch()));
        if (later.isPresent()) {
            return new Undo.Elsewhere(later.get().id(), later.get().word().epoch());
        }
        return newest.filter(move -> view.word(move.node())
                        .filter(word -> word.epoch() == move.epoch() && word.serves(move.to()))
                        .isPresent())
                .<Undo>map(move -> new Undo.Take(new Wish(move.node(), move.from(), Past.ofReturn(isForced))))
                .orElseGet(Undo.Nothing::new);
    }

    private static Optional<SiteConfig> site(Policy policy, Role role) {
        return role instanceof Role.Serving(SiteId id, Tier _) ? policy.site(id) : Optional.empty();
    }

    private static Optional<StayReason> refusal(Case facts, Wish wish) {
        return refusals(facts, wish).filter(reason -> !wish.past.passes(reason)).findFirst();
    }

    private static Stream<StayReason> refusals(Case facts, Wish wish) {
        if (!(facts.view().nodes().get(wish.node) instanceof NodeView.Known known)
                || !known.load().serverHealth().isUp()) {
            return Stream.concat(Rails.ofCluster(facts), Stream.of(StayReason.NODE_UNKNOWN));
        }
        Role from = known.word().to();
        return Stream.of(
                        Rails.ofCluster(facts),
                        Rails.when(known.word().phase() == Phase.ORDERED, StayReason.MOVE_IN_FLIGHT),
                        Rails.when(from.equals(wish.to), StayReason.ALREADY_THERE),
                        Rails.when(!facts.policy().canServe(wish.node, wish.to), StayReason.CANNOT_SERVE),
                        Rails.when(known.load().serverHealth() == Health.UNMOVABLE, StayReason.NODE_UNMOVABLE),
                        Rails.ofNode(facts, wish.node),
                        leaving(facts, from),
                        taking(facts, wish.to),
                        promise(facts, from, wish),
                        Rails.when(facts.restLeftNanos(wish.node) > 0, StayReason.NODE_RESTS))
                .flatMap(reasons -> reasons);
    }

    private static Stream<StayReason> leaving(Case facts, Role from) {
        return from instanceof Role.Serving(SiteId id, Tier tier)
                ? facts.policy().site(id).stream()
                        .flatMap(site -> Stream.of(
                                        Rails.ofSite(facts, site, 0),
                                        Rails.when(facts.isAtMinimum(site, tier), StayReason.DONOR_AT_MINIMUM),
                                        Rails.ofLeaving(facts, site, tier))
                                .flatMap(reasons -> reasons))
                : Stream.empty();
    }

    private static Stream<StayReason> taking(Case facts, Role to) {
        return to instanceof Role.Serving(SiteId id, Tier tier)
                ? facts.policy().site(id).stream()
                        .flatMap(site -> Stream.concat(
                                Rails.ofSite(facts, site, 0),
                                Rails.when(facts.isAtMaximum(site, tier), StayReason.RECEIVER_AT_MAXIMUM)))
                : Stream.empty();
    }

    /** A site that is left keeps what its guarantee needs; one that only shifts a node keeps it in the tier left. */
    private static Stream<StayReason> promise(Case facts, Role from, Wish wish) {
        if (!(from instanceof Role.Serving(SiteId id, Tier tier))) {
            return Stream.empty();
        }
        SiteConfig site = facts.policy().site(id).orElseThrow();
        Double guarantee = site.guaranteeRequestsPerSecond();
        boolean isLeft = !(wish.to instanceof Role.Serving(SiteId next, Tier _)) || !next.equals(id);
        boolean isKept = guarantee == null
                || (carriedWithout(facts, site, tier, wish.node) >= guarantee
                        && !(isLeft && facts.trend(site).isShort()));
        return Rails.when(!isKept, StayReason.DONOR_NEEDS_ITS_GUARANTEE);
    }

    private static double carriedWithout(Case facts, SiteConfig site, Tier tier, NodeId node) {
        Load load = facts.spells(site).load(facts.spells(site).kind());
        boolean isKnown = load.isKnown() && facts.trend(site).deliveredPerSecond() > 0;
        return isKnown ? load.carried(tier, facts.trend(site, tier).capacityWithout(node)) : 0;
    }

    private static String detail(Case facts, Wish wish, StayReason reason) {
        return figures(facts, wish, reason) + (Past.FORCE.passes(reason) ? "; --force passes it" : "");
    }

    private static String figures(Case facts, Wish wish, StayReason reason) {
        Optional<Role> from = facts.view().word(wish.node).map(RoleWord::to);
        if (reason != StayReason.DONOR_NEEDS_ITS_GUARANTEE
                || !(from.orElse(Role.SPARE) instanceof Role.Serving(SiteId id, Tier tier))) {
            return facts.figures();
        }
        SiteConfig site = facts.policy().site(id).orElseThrow();
        double carried = carriedWithout(facts, site, tier, wish.node);
        long guarantee = Math.round(Objects.requireNonNull(site.guaranteeRequestsPerSecond()));
        boolean isKnown = carried > 0 && Double.isFinite(carried);
        String what = !isKnown
                ? "what its " + RoleText.tier(Case.role(site, tier)) + " tier carries is not known yet, let alone"
                : "its " + RoleText.tier(Case.role(site, tier)) + " tier would carry about " + Math.round(carried)
                        + "/s";
        return site.name() + " is promised " + guarantee + "/s and delivers "
                + Math.round(facts.trend(site).deliveredPerSecond()) + "/s; " + what + " without the node";
    }

    /** The predicted pressure of what is left when the node goes, for people; empty when it serves nothing. */
    public static String prediction(History history, Role from, NodeId node) {
        if (!(from instanceof Role.Serving(SiteId id, Tier tier))) {
            return "";
        }
        TierTrend trend = history.tier(id, tier);
        double left = trend == null ? Double.NaN : Objects.requireNonNull(trend).pressureWithout(node);
        return Double.isFinite(left)
                ? RoleText.tier(from) + " would be at " + Math.round(left * 100) / 100.0 + " without it"
                : "";
    }
}
