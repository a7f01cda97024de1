package dev.retier.load.drive;

import dev.retier.load.LoadException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Says when runs that are ready may begin, so that several processes, on several machines, begin together. Two machines
 * begin together as far as their clocks, or the file system they share, agree.
 */
@FunctionalInterface
public interface StartSignal {
    /** How often a start file is looked for. */
    long LOOK_EVERY_NANOS = 1_000_000;

    /** At once. */
    StartSignal NOW = () -> {};

    /**
     * Returns when the runs may begin.
     *
     * @throws LoadException when the signal cannot come any more
     * @throws InterruptedException when interrupted while waiting
     */
    void await() throws InterruptedException;

    /** At a time by the clock of the machine; a time that is past is refused, as the others would have begun. */
    static StartSignal at(Instant time) {
        return () -> {
            long leftNanos = Duration.between(Instant.now(), time).toNanos();
            if (leftNanos < 0) {
                throw new LoadException("start time " + time + " was over " + -leftNanos / 1_000_000
                        + " ms before this generator was ready; give a later one");
            }
            pause(leftNanos);
        };
    }

    /** When {@code file} appears; looked for every millisecond, for at most {@code longest}. */
    static StartSignal whenExists(Path file, Duration longest) {
        return () -> {
            long endNanos = System.nanoTime() + longest.toNanos();
            while (!Files.exists(file)) {
                if (System.nanoTime() - endNanos > 0) {
                    throw new LoadException(
                            "start file " + file + " has not appeared within " + longest.toSeconds() + " s");
                }
                pause(LOOK_EVERY_NANOS);
            }
        };
    }

    /** Waits for a time, not for a condition: the clock and a shared file system can be looked at only. */
    private static void pause(long nanos) throws InterruptedException {
        var _ = new CountDownLatch(1).await(nanos, TimeUnit.NANOSECONDS);
    }
}
