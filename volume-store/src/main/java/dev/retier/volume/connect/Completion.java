package dev.retier.volume.connect;

import java.time.Duration;

/**
 * How a client learns of answers (seed 000, section 3.2).
 *
 * @param mode of threads that wait
 * @param pollFor how long they take answers themselves, if they are {@link CompletionMode#ADAPTIVE}
 * @param batchAbove with more requests under way nobody is woken by an answer while no thread sleeps for one: whoever
 *     asks for something next, or polls, takes what has come, and what is asked for leaves with a few others. {@link
 *     #NEVER}: there are never so many
 */
public record Completion(CompletionMode mode, Duration pollFor, int batchAbove) {
    /** For {@code batchAbove}. */
    public static final int NEVER = Integer.MAX_VALUE;

    /** Adaptive, 20 us, 8. */
    public static final Completion DEFAULT = new Completion(CompletionMode.ADAPTIVE, Duration.ofNanos(20_000), 8);

    /** Refuses what cannot be with {@link IllegalArgumentException}. */
    public Completion {
        if (batchAbove < 1) {
            throw new IllegalArgumentException("batch-above " + batchAbove + ": give it 1 at least");
        }
        if (pollFor.isNegative() || pollFor.compareTo(Duration.ofSeconds(1)) > 0) {
            throw new IllegalArgumentException("poll-for " + pollFor + ": give it up to a second");
        }
    }
}
