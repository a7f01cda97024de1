package dev.retier.fabric.locks.protocol;

/** An operation on the two words of a ticket lock, wherever its home is. */
public sealed interface LockOperation {
    /** Fetches the ticket word and adds 1. */
    record Draw() implements LockOperation {}

    /** Reads the turn word. */
    record Look() implements LockOperation {}

    /** Puts {@code next} into the turn word if {@code expected} is in it. */
    record Swap(NowServing expected, NowServing next) implements LockOperation {}
}
