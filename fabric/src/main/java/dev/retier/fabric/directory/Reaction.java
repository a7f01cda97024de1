package dev.retier.fabric.directory;

import dev.retier.link.NodeId;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;

/** What to do next: an answer ends it, and anything else leads to the next reaction. */
public sealed interface Reaction permits RegionAnswer, Reaction.Perform {
    /**
     * Do all of {@code effects}, in any order and at the same time, each within a bound of time; then call {@code
     * then} with one answer per effect, in their order. The answer to what failed is a refusal.
     */
    record Perform(List<? extends Action> effects, Function<List<RegionAnswer>, Reaction> then) implements Reaction {}

    /** Performs one effect. */
    static Reaction perform(Action effect, Function<RegionAnswer, Reaction> then) {
        return new Perform(List.of(effect), answers -> then.apply(answers.getFirst()));
    }

    /** Asks one node. */
    static Reaction ask(NodeId node, RegionRequest request, Function<RegionAnswer, Reaction> then) {
        return perform(new Action.Call(node, request), then);
    }

    /** Asks several nodes at once, each its own request. */
    static Reaction askAll(
            Collection<NodeId> nodes,
            Function<NodeId, RegionRequest> request,
            Function<List<RegionAnswer>, Reaction> then) {
        return new Perform(
                nodes.stream()
                        .map(node -> new Action.Call(node, request.apply(node)))
                        .toList(),
                then);
    }
}
