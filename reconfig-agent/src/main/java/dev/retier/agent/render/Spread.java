package dev.retier.agent.render;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.view.ClusterView;
import dev.retier.agent.view.NodeView;
import dev.retier.link.NodeId;
import dev.retier.state.LoadRecord;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.Tier;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * When a proxy lets kept connections go: while its tier has newcomers that are idle beside it, because clients that
 * keep their connections do not come to them. A value: each look gives a new one.
 *
 * <p>A newcomer is hungry from one round after it joined until its utilisation has come near the mean of the tier.
 * While there is one, a proxy that has more than the mean lets go, once a round, the share of its connections that is
 * too much. Clients need not come back to the newcomer: it gets its part of those that come back in turn or at random,
 * and what one round has brought says what the next has to do, so that no crowd of clients ever connects at once. A
 * tier in which nobody waits is left alone, and so is one whose newcomers' loads nobody knows. As clients may always
 * come back to where they were, a newcomer is hungry for twice as many rounds as there are proxies and a few more,
 * {@value #MOST_ROUNDS} at most. Who was there at the first look is a newcomer until it was seen to have its part.
 */
public final class Spread {
    /** Enough for one newcomer among twenty proxies whose clients come back at random. */
    static final int MOST_ROUNDS = 40;

    /** Of clients that come back at random each round leaves a newcomer of n proxies (1 - 1/n) of what it lacks. */
    private static final int ROUNDS_PER_MATE = 2;

    private static final int ROUNDS_MORE = 4;

    /** Below it requests wait on the mean less long than they are served. */
    private static final double BUSY = 0.5;

    /** Of the mean of the tier; what is missing then is within the noise of a utilisation. */
    private static final double NEAR = 0.8;

    private static final double WHOLE = 100;

    private final Map<NodeId, Member> members;
    private final LetGo letGo;
    private final long roundBeganNanos;

    /** A node in a proxy tier, or in none; {@code rounds} were made for it. */
    private record Member(Optional<Role> tier, boolean isNewcomer, long sinceNanos, int rounds) {
        /** Until then its utilisation may still be of what it did before. */
        boolean isDue(Duration round, long nowNanos) {
            return nowNanos - sinceNanos >= round.toNanos();
        }

        Member afterRound() {
            return new Member(tier, isNewcomer, sinceNanos, rounds + 1);
        }
    }

    /** Utilisation of the own node, and the mean of its tier by capacity; both 0 for none. */
    private record Standing(double own, double mean) {
        static Standing of(NodeId self, List<NodeView.Known> mates) {
            boolean areSized = mates.stream().allMatch(mate -> mate.load().capacityUnitsPerSecond() > 0);
            double own = 0;
            double capacity = 0;
            double work = 0;
            for (NodeView.Known mate : mates) {
                double weight = areSized ? mate.load().capacityUnitsPerSecond() : 1;
                capacity += weight;
                work += weight * mate.load().utilisation();
                own = mate.id().equals(self) ? mate.load().utilisation() : own;
            }
            return new Standing(own, capacity > 0 ? work / capacity : 0);
        }

        /** A tier in which nobody waits says nothing of its newcomers. */
        Member judged(Member member, LoadRecord load) {
            boolean isFed = own >= BUSY && load.utilisation() >= NEAR * mean;
            return isFed ? new Member(member.tier, false, member.sinceNanos, member.rounds) : member;
        }

        int percentTooMuch() {
            return own >= BUSY && own > mean ? (int) Math.ceil(WHOLE * (own - mean) / own) : 0;
        }
    }

    private Spread(Map<NodeId, Member> members, LetGo letGo, long roundBeganNanos) {
        this.members = members;
        this.letGo = letGo;
        this.roundBeganNanos = roundBeganNanos;
    }

    /** Before the first look: who is there then is a newcomer like any other, as an edge may have known only some. */
    public static Spread none() {
        return new Spread(Map.of(), LetGo.NONE, 0);
    }

    /** How long it takes until the effect of letting go can be seen in the view. */
    public static Duration round(ClusterConfig config) {
        return config.timing().sensitivity().plus(config.timing().settling());
    }

    /** What is to be let go now. */
    public LetGo letGo() {
        return letGo;
    }

    /**
     * After one more look, at {@code nowNanos}.
     *
     * @param self whose connections it is about
     * @param round see {@link #round}
     */
    public Spread after(ClusterView view, NodeId self, Duration round, long nowNanos) {
        Map<NodeId, Member> next = seen(view, nowNanos);
        Optional<Role> tier = Optional.ofNullable(view.nodes().get(self)).flatMap(node -> tierOf(view, node));
        List<NodeView.Known> mates = view.known()
                .filter(node -> tier.isPresent() && tierOf(view, node).equals(tier))
                .toList();
        Standing standing = Standing.of(self, mates);
        int mostRounds = Math.min(MOST_ROUNDS, ROUNDS_PER_MATE * mates.size() + ROUNDS_MORE);
        Member own = next.get(self);
        boolean isOwnDue = own != null && own.isDue(round, nowNanos);
        Set<NodeId> hungry = new HashSet<>();
        for (NodeView.Known mate : mates) {
            Member before = next.get(mate.id());
            if (isOwnDue && before != null && before.isDue(round, nowNanos)) {
                Member member = standing.judged(before, mate.load());
                next.put(mate.id(), member);
                if (member.isNewcomer && member.rounds < mostRounds) {
                    hungry.add(mate.id());
                }
            }
        }
        if (!hungry.isEmpty() && letGo.isAny() && nowNanos - roundBeganNanos < round.toNanos()) {
            return new Spread(next, letGo, roundBeganNanos);
        }
        int percent = hungry.isEmpty() ? 0 : standing.percentTooMuch();
        if (percent == 0) {
            return new Spread(next, new LetGo(letGo.round(), 0), nowNanos);
        }
        hungry.forEach(id -> next.computeIfPresent(id, (_, member) -> member.afterRound()));
        return new Spread(next, new LetGo(letGo.round() + 1, percent), nowNanos);
    }

    private Map<NodeId, Member> seen(ClusterView view, long nowNanos) {
        Map<NodeId, Member> next = new HashMap<>();
        for (NodeView node : view.nodes().values()) {
            if (view.word(node.id()).isPresent()) {
                Optional<Role> tier = tierOf(view, node);
                Member before = members.get(node.id());
                boolean isSame = before != null && before.tier.equals(tier);
                next.put(node.id(), isSame ? before : new Member(tier, true, nowNanos, 0));
            }
        }
        return next;
    }

    /** The proxy tier that a node serves in, if it does. */
    private static Optional<Role> tierOf(ClusterView view, NodeView node) {
        return view.word(node.id())
                .filter(word -> node.isServing() && word.serves(word.to()))
                .map(RoleWord::to)
                .filter(role -> role instanceof Role.Serving(var _, Tier tier) && tier == Tier.PROXY);
    }
}
