package dev.retier.bench;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The time between two looks at what goes on by itself. Stateless. */
public final class Pause {
    private Pause() {}

    /** Returns after so long, also when it is interrupted meanwhile. */
    public static void seconds(int seconds) {
        millis(TimeUnit.SECONDS.toMillis(seconds));
    }

    /** The same of milliseconds. */
    public static void millis(long millis) {
        long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        for (long left = endNanos - System.nanoTime(); left > 0; left = endNanos - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
