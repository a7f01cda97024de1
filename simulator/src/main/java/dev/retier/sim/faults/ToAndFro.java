package dev.retier.sim.faults;

import dev.retier.sim.cluster.ClusterListener;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.RoleWord.Phase;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * Tells decisions that go round in a circle, as each split makes the next one look better, from moves that come to
 * nothing: how often the nodes have come to each split, counted anew when an order is undone. Not thread-safe.
 */
final class ToAndFro implements ClusterListener {
    private static final int ROUNDS = 3;

    private final IntFunction<RoleWord> words;
    private final int nodes;
    private final Map<Map<Role, Integer>, Integer> splits = new HashMap<>();
    private boolean isBack;

    /** For a cluster of so many nodes, which have these role words when it is told of a change. */
    ToAndFro(int nodes, IntFunction<RoleWord> words) {
        this.nodes = nodes;
        this.words = words;
    }

    /** Whether the newest split was there twice before, and no order was undone since. */
    boolean isBack() {
        return isBack;
    }

    @Override
    public void wordChanged(int node, RoleWord before, RoleWord now) {
        if (before.phase() == Phase.ORDERED && now.equals(before.completed())) {
            isBack = splits.merge(split(), 1, Integer::sum) >= ROUNDS;
        } else if (before.phase() == Phase.ORDERED) {
            splits.clear();
            isBack = false;
        }
    }

    /** How many nodes have each role, the ordered ones their next. */
    private Map<Role, Integer> split() {
        Map<Role, Integer> counts = new HashMap<>();
        IntStream.range(0, nodes).forEach(node -> counts.merge(words.apply(node).to(), 1, Integer::sum));
        return counts;
    }
}
