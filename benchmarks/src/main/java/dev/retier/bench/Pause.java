package dev.retier.bench;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The time between two looks at what goes on by itself. Stateless. */
public final class Pause {
    private Pause() {}

    /** Returns after so long, also when it is interrupted meanwhile. */
    public static void seconds(int seconds) {
        long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        for (long left = endNanos - System.nanoTime(); left > 0; left = endNanos - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
