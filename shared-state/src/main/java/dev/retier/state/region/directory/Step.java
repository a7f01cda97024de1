package dev.retier.state.region.directory;

import java.util.List;
import java.util.function.Function;

/** What to do next. */
public sealed interface Step {
    /** Done: this is the answer. */
    record Reply(Answer answer) implements Step {}

    /**
     * Do all of {@code effects}, in any order and at the same time, each within a bound of time; then call {@code
     * then} with one answer per effect, in their order. The answer to what failed is a refusal.
     */
    record Perform(List<? extends Effect> effects, Function<List<Answer>, Step> then) implements Step {}

    /** Refuses. */
    static Step refuse(dev.retier.state.region.RegionFailure failure, String detail) {
        return new Reply(new Answer.Refused(failure, detail));
    }

    /** Performs one effect. */
    static Step perform(Effect effect, Function<Answer, Step> then) {
        return new Perform(List.of(effect), answers -> then.apply(answers.getFirst()));
    }
}
