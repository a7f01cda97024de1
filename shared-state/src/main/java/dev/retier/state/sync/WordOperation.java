package dev.retier.state.sync;

/** An operation on the two words of a ticket lock, wherever its home is. */
public sealed interface WordOperation {
    /** Fetches the ticket word and adds 1. */
    record Draw() implements WordOperation {}

    /** Reads the turn word. */
    record Look() implements WordOperation {}

    /** Puts {@code next} into the turn word if {@code expected} is in it. */
    record Swap(Turn expected, Turn next) implements WordOperation {}
}
