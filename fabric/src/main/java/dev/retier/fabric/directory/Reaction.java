package dev.retier.fabric.directory;

import java.util.List;
import java.util.function.Function;

/** What to do next. */
public sealed interface Reaction {
    /** Done: this is the answer. */
    record Reply(RegionAnswer answer) implements Reaction {}

    /**
     * Do all of {@code effects}, in any order and at the same time, each within a bound of time; then call {@code
     * then} with one answer per effect, in their order. The answer to what failed is a refusal.
     */
    record Perform(List<? extends Action> effects, Function<List<RegionAnswer>, Reaction> then) implements Reaction {}

    /** Refuses. */
    static Reaction refuse(dev.retier.fabric.directory.RegionFailure failure, String detail) {
        return new Reply(new RegionAnswer.Refused(failure, detail));
    }

    /** Performs one effect. */
    static Reaction perform(Action effect, Function<RegionAnswer, Reaction> then) {
        return new Perform(List.of(effect), answers -> then.apply(answers.getFirst()));
    }
}
