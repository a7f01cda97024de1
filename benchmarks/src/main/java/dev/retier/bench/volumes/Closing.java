package dev.retier.bench.volumes;

import dev.retier.bench.Progress;
import java.util.ArrayDeque;
import java.util.Deque;

/** What is ended at the end, the last one first. Not thread-safe. */
final class Closing implements AutoCloseable {
    private final Deque<AutoCloseable> all = new ArrayDeque<>();

    /** Ends this one, too. */
    <T extends AutoCloseable> T add(T one) {
        all.push(one);
        return one;
    }

    /** Ends all, also where one of them fails to. */
    @Override
    public void close() {
        while (!all.isEmpty()) {
            try {
                all.pop().close();
            } catch (Exception failed) {
                Progress.tell("what was started could not be ended: " + failed.getMessage());
            }
        }
    }
}
