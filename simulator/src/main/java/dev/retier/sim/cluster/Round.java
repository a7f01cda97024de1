package dev.retier.sim.cluster;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Operations posted together: over when all have answered or the deadline has passed. Not thread-safe. */
final class Round<T> {
    private final Map<Integer, T> answers = new TreeMap<>();
    private final int expected;
    private final Consumer<Map<Integer, T>> then;
    private boolean isOver;

    Round(int expected, Consumer<Map<Integer, T>> then) {
        this.expected = expected;
        this.then = then;
        if (expected == 0) {
            end();
        }
    }

    void answered(int whom, T answer) {
        answers.putIfAbsent(whom, answer);
        if (answers.size() == expected) {
            end();
        }
    }

    final void end() {
        if (!isOver) {
            isOver = true;
            then.accept(answers);
        }
    }
}
