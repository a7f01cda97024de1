package dev.retier.sim.cluster;

import dev.retier.agent.decide.MoveReason;
import dev.retier.agent.move.RollbackReason;
import dev.retier.link.NodeId;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.RoleWord.Phase;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What happened in a cluster: moves, and how many nodes each tier had. Not thread-safe. */
public final class Chronicle {
    private final List<MoveSeen> moves = new ArrayList<>();
    private final Map<Long, Integer> placeOfEpoch = new HashMap<>();
    private final Map<Long, MoveReason> reasons = new HashMap<>();
    private final List<Sizes> sizes = new ArrayList<>();
    private final Map<Role, Integer> serving = new HashMap<>();

    /**
     * How many nodes serve each role from a moment on; nodes on their way serve none.
     *
     * @param seconds since the clients began
     */
    public record Sizes(double seconds, Map<Role, Integer> serving) {
        /** Keeps its own copy. */
        public Sizes {
            serving = Map.copyOf(serving);
        }

        /** Nodes that serve {@code role}. */
        public int of(Role role) {
            return serving.getOrDefault(role, 0);
        }
    }

    void starts(RoleWord word, double seconds) {
        count(word, 1);
        noteSizes(seconds);
    }

    void changed(RoleWord before, RoleWord now, double seconds) {
        if (before.phase() == now.phase() && before.to().equals(now.to())) {
            return; // a fence
        }
        count(before, -1);
        count(now, 1);
        noteSizes(seconds);
    }

    private void count(RoleWord word, int change) {
        if (word.phase() == Phase.ACTIVE) {
            serving.merge(word.to(), change, Integer::sum);
        }
    }

    private void noteSizes(double seconds) {
        if (!sizes.isEmpty() && sizes.getLast().seconds() == seconds) {
            sizes.removeLast();
        }
        sizes.add(new Sizes(seconds, serving));
    }

    void ordered(NodeId node, RoleWord word, double seconds) {
        placeOfEpoch.put(word.epoch(), moves.size());
        moves.add(new MoveSeen(seconds, -1, node, word.from(), word.to(), reasons.get(word.epoch()), null));
    }

    /** The reason of an order; the node that moves may learn of the order only later. */
    void because(RoleWord word, MoveReason reason) {
        reasons.put(word.epoch(), reason);
        Integer place = placeOfEpoch.get(word.epoch());
        if (place != null) {
            MoveSeen move = moves.get(place);
            moves.set(place, move.because(reason));
        }
    }

    void ended(RoleWord order, double seconds, @Nullable RollbackReason undone) {
        int place = place(order);
        moves.set(place, moves.get(place).ended(seconds, undone));
    }

    private int place(RoleWord word) {
        return Objects.requireNonNull(placeOfEpoch.get(word.epoch()), "a move that was never ordered");
    }

    /** The moves in the order of their orders. */
    public List<MoveSeen> moves() {
        return List.copyOf(moves);
    }

    /** Tier sizes, each from its moment on. */
    public List<Sizes> sizes() {
        return List.copyOf(sizes);
    }
}
