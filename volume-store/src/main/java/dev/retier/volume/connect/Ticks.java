package dev.retier.volume.connect;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** What is put off until a client looks after its requests the next time. Thread-safe. */
final class Ticks {
    private final Queue<Runnable> due = new ConcurrentLinkedQueue<>();

    /** Runs it with the next tick, which is not waited for. */
    void next(Runnable action) {
        due.add(action);
    }

    /** To be called now and then; what is put off meanwhile is for the next one. */
    void tick() {
        for (int left = due.size(); left > 0; left--) {
            Runnable action = due.poll();
            if (action != null) {
                action.run();
            }
        }
    }
}
