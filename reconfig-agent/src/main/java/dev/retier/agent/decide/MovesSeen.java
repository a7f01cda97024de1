package dev.retier.agent.decide;

import dev.retier.agent.config.ServerKind;
import dev.retier.agent.view.ClusterView;
import dev.retier.agent.view.NodeView;
import dev.retier.agent.view.WordChange;
import dev.retier.agent.view.WordChange.Kind;
import dev.retier.link.NodeId;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.RoleWord.Phase;
import dev.retier.state.SiteId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The moves that this agent has seen in role words. A value; a look that shows no other word gives the same one. */
final class MovesSeen {
    /** A single move that was held up says nothing about the next. */
    private static final int MAX_SECONDS = 5;

    private final Map<NodeId, RoleWord> words;
    private final Map<NodeId, Long> nodeChangedNanos;
    private final Map<SiteId, HourOfMoves> moves;
    private final Map<NodeId, UndoneOrders> undone;
    private final Map<ServerKind, RecentMedian> seconds;
    private final @Nullable CompletedMove newest;

    private MovesSeen(Draft draft) {
        this.words = draft.words;
        this.nodeChangedNanos = draft.nodes;
        this.moves = draft.moves;
        this.undone = draft.undone;
        this.seconds = draft.seconds;
        this.newest = draft.newest;
    }

    /** What the next value will hold. */
    private static final class Draft {
        private final Map<NodeId, RoleWord> words = new HashMap<>();
        private final Map<NodeId, Long> nodes = new HashMap<>();
        private final Map<SiteId, HourOfMoves> moves = new HashMap<>();
        private final Map<NodeId, UndoneOrders> undone = new TreeMap<>();
        private final Map<ServerKind, RecentMedian> seconds = new HashMap<>();
        private @Nullable CompletedMove newest;
    }

    static MovesSeen none() {
        return new MovesSeen(new Draft());
    }

    MovesSeen after(ClusterView view, Policy policy, long nowNanos) {
        if (hasShown(view)) {
            return this;
        }
        Draft next = copy();
        view.known().forEach(node -> {
            RoleWord before = next.words.put(node.id(), node.word());
            if (before != null && !node.word().isSameButFence(before)) {
                changed(next, node, before, policy.kind(node.id()), nowNanos);
            }
        });
        return new MovesSeen(next);
    }

    private boolean hasShown(ClusterView view) {
        for (NodeView node : view.nodes().values()) {
            if (node instanceof NodeView.Known known && !known.word().equals(words.get(known.id()))) {
                return false;
            }
        }
        return true;
    }

    private Draft copy() {
        Draft draft = new Draft();
        draft.words.putAll(words);
        draft.nodes.putAll(nodeChangedNanos);
        draft.moves.putAll(moves);
        draft.undone.putAll(undone);
        draft.seconds.putAll(seconds);
        draft.newest = newest;
        return draft;
    }

    private static void changed(
            Draft next, NodeView.Known node, RoleWord before, Optional<ServerKind> kind, long nowNanos) {
        RoleWord now = node.word();
        WordChange change = WordChange.between(before, now);
        if (change.kind() == Kind.COMPLETED) {
            CompletedMove move = new CompletedMove(node.id(), change.from(), change.to(), change.epoch());
            completed(next, move, sites(before, now), nowNanos);
        } else if (change.kind() == Kind.UNDONE) {
            UndoneOrders earlier = next.undone.get(node.id());
            next.undone.put(node.id(), earlier == null ? UndoneOrders.first(nowNanos) : earlier.more(nowNanos));
        }
        Long orderedNanos = next.nodes.get(node.id()); // none: it was on its way when this agent first looked
        if (kind.isPresent() && orderedNanos != null && hasArrived(before, now)) {
            double took = (nowNanos - orderedNanos) / 1e9;
            next.seconds.merge(
                    kind.get(), RecentMedian.none().with(took, MAX_SECONDS), (all, _) -> all.with(took, MAX_SECONDS));
        }
        next.nodes.put(node.id(), nowNanos);
    }

    /** Only a move that came to its end counts for its sites: an order that was undone is for its node to answer. */
    private static void completed(Draft next, CompletedMove move, Set<SiteId> sites, long nowNanos) {
        CompletedMove newest = next.newest;
        if (newest == null || move.epoch() > newest.epoch()) {
            next.newest = move;
        }
        next.undone.remove(move.node());
        for (SiteId site : sites) {
            next.moves.put(
                    site, next.moves.getOrDefault(site, HourOfMoves.none()).with(nowNanos));
        }
    }

    Optional<CompletedMove> newest() {
        return Optional.ofNullable(newest);
    }

    /** Whether the move that {@code before} ordered is complete in {@code now}. */
    private static boolean hasArrived(RoleWord before, RoleWord now) {
        return before.phase() == Phase.ORDERED && now.serves(before.to()) && now.epoch() == before.epoch();
    }

    double seconds(ServerKind kind) {
        return seconds.getOrDefault(kind, RecentMedian.none()).value();
    }

    private static Set<SiteId> sites(RoleWord... words) {
        Set<SiteId> sites = new HashSet<>();
        for (RoleWord word : words) {
            for (Role role : List.of(word.from(), word.to())) {
                if (role instanceof Role.Serving(SiteId site, var _)) {
                    sites.add(site);
                }
            }
        }
        return sites;
    }

    boolean hasChanged(NodeId node) {
        return nodeChangedNanos.containsKey(node);
    }

    /** By node, in order of id; none of a node whose newest move succeeded. */
    Map<NodeId, UndoneOrders> undone() {
        return undone;
    }

    int lastHour(SiteId site, long nowNanos) {
        return moves.getOrDefault(site, HourOfMoves.none()).count(nowNanos);
    }
}
