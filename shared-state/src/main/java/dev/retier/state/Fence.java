package dev.retier.state;

import dev.retier.link.NodeId;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/** Fences earlier holders of a move lock off. Stateless. */
public final class Fence {
    /** A word that keeps changing has somebody else at it; that node is left alone. */
    private static final int TRIES = 3;

    private Fence() {}

    /**
     * A change of one role word that is wanted.
     *
     * @param expected what it must be
     * @param next what it is to be
     */
    public record Change(RoleWord expected, RoleWord next) {}

    /**
     * Fences all words, those that had changed meanwhile once more. The word of a node on its way is left alone: no
     * order expects it, and the node itself does.
     *
     * @param isSafe whether the caller still holds the lock
     * @param read the words as last read
     * @param swap carries out all changes and gives the outcome of each
     * @return the words as they now are; a node that was not reached, or not before the lease ran out,
     *     is missing
     */
    public static Map<NodeId, RoleWord> set(
            BooleanSupplier isSafe,
            Map<NodeId, RoleWord> read,
            Function<Map<NodeId, Change>, Map<NodeId, CasOutcome>> swap) {
        Map<NodeId, RoleWord> fenced = new TreeMap<>();
        Map<NodeId, Change> pending = changes(read);
        for (int attempt = 0; attempt < TRIES && !pending.isEmpty() && isSafe.getAsBoolean(); attempt++) {
            pending = changes(judge(pending, swap.apply(pending), fenced));
        }
        return fenced;
    }

    private static Map<NodeId, Change> changes(Map<NodeId, RoleWord> words) {
        Map<NodeId, Change> changes = new TreeMap<>();
        words.forEach((node, word) -> {
            if (word.phase() == RoleWord.Phase.ACTIVE) {
                changes.put(node, new Change(word, word.fenced()));
            }
        });
        return changes;
    }

    /** Notes what was won; gives the words that those which were lost have instead. */
    private static Map<NodeId, RoleWord> judge(
            Map<NodeId, Change> changes, Map<NodeId, CasOutcome> outcomes, Map<NodeId, RoleWord> fenced) {
        Map<NodeId, RoleWord> lost = new TreeMap<>();
        outcomes.forEach((node, outcome) -> {
            switch (outcome) {
                case CasOutcome.Won _ ->
                    fenced.putIfAbsent(
                            node, Objects.requireNonNull(changes.get(node)).next());
                case CasOutcome.Lost(RoleWord actual) -> lost.put(node, actual);
                case CasOutcome.Malformed _, CasOutcome.Unreachable _, CasOutcome.Unresolved _ -> {}
            }
        });
        return lost;
    }
}
