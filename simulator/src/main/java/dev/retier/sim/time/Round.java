package dev.retier.sim.time;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Operations posted together: over when all have answered or the deadline has passed. Not thread-safe. */
public final class Round<T> {
    private final Map<Integer, T> answers = new TreeMap<>();
    private final int expected;
    private final Consumer<Map<Integer, T>> then;
    private boolean isOver;

    /** Waits for so many answers; {@code then} is told of those that came, by whom they came from. */
    public Round(int expected, Consumer<Map<Integer, T>> then) {
        this.expected = expected;
        this.then = then;
        if (expected == 0) {
            end();
        }
    }

    /** The answer of {@code whom}; a second one does not count. */
    public void answered(int whom, T answer) {
        answers.putIfAbsent(whom, answer);
        if (answers.size() == expected) {
            end();
        }
    }

    /** No answer counts from now on; what has come is told. */
    public void end() {
        if (!isOver) {
            isOver = true;
            then.accept(answers);
        }
    }
}
