package dev.retier.volume.disk;

import java.util.concurrent.Executor;

/** Who makes a pool's checkpoints when they are due, each of which takes long; and by which clock. */
@FunctionalInterface
public interface Keeper extends Executor {
    /** Nanoseconds, as {@link System#nanoTime}. */
    default long nanos() {
        return System.nanoTime();
    }
}
