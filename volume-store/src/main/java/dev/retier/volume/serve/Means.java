package dev.retier.volume.serve;

import java.util.concurrent.ThreadFactory;
import java.util.function.LongSupplier;

/**
 * By what a server runs.
 *
 * @param threads that wait and do what takes long
 * @param clock in nanoseconds
 */
public record Means(ThreadFactory threads, LongSupplier clock) {
    /** Threads of the system, which keep no process alive, and its clock. */
    public static final Means SYSTEM =
            new Means(Thread.ofPlatform().name("volume-server-", 1).daemon().factory(), System::nanoTime);
}
