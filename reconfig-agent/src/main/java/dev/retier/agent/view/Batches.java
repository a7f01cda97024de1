package dev.retier.agent.view;

import dev.retier.state.Epochs;
import dev.retier.state.RoleWord;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which orders were given together, and of which of these batches one look has shown all. Swaps of several words land
 * one by one, and a look reads words one by one: a file that is made after half a batch was seen must not pass for one
 * that leaves out all of its nodes. A value.
 */
public final class Batches {
    private final Map<Long, Batch> batches;

    /** The words of one batch that were seen; of the same batch if, and only if, the first epoch is the same. */
    private record Batch(long first, boolean isWhole) {}

    private Batches(Map<Long, Batch> batches) {
        this.batches = batches;
    }

    /** Those that {@code view} shows of a cluster with these epochs. */
    public static Batches of(ClusterView view, Epochs epochs) {
        SortedMap<Long, RoleWord> words = new TreeMap<>();
        view.nodes()
                .keySet()
                .forEach(node -> view.word(node)
                        .filter(word -> word.isAfter() || word.isBefore())
                        .ifPresent(word -> words.put(word.epoch(), word)));
        Map<Long, Batch> batches = new HashMap<>();
        while (!words.isEmpty()) {
            take(words, epochs, batches);
        }
        return new Batches(batches);
    }

    /** The first word that is left, and those that follow it. */
    private static void take(SortedMap<Long, RoleWord> words, Epochs epochs, Map<Long, Batch> batches) {
        RoleWord first = Objects.requireNonNull(words.remove(words.firstKey()));
        RoleWord last = first;
        RoleWord next = last.isBefore() ? words.get(epochs.after(last.epoch())) : null;
        SortedMap<Long, RoleWord> taken = new TreeMap<>(Map.of(first.epoch(), first));
        while (next != null && next.isAfter()) {
            last = next;
            words.remove(last.epoch());
            taken.put(last.epoch(), last);
            next = last.isBefore() ? words.get(epochs.after(last.epoch())) : null;
        }
        Batch batch = new Batch(first.epoch(), !first.isAfter() && !last.isBefore());
        taken.keySet().forEach(epoch -> batches.put(epoch, batch));
    }

    /** Whether all orders have been seen that were given together with that of {@code word}, which the view shows. */
    public boolean isWhole(RoleWord word) {
        Batch batch = batch(word);
        return batch == null ? !word.isAfter() && !word.isBefore() : batch.isWhole;
    }

    /** Whether both were ordered together, and all of that batch has been seen. */
    public boolean areTogether(RoleWord one, RoleWord other) {
        Batch batch = batch(one);
        return batch != null && batch.isWhole && batch.equals(batch(other));
    }

    private @Nullable Batch batch(RoleWord word) {
        return word.isAfter() || word.isBefore() ? batches.get(word.epoch()) : null;
    }
}
