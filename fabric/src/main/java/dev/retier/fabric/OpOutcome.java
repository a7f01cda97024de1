package dev.retier.fabric;

/** How a one-sided operation ended. */
public sealed interface OpOutcome {
    /**
     * It was done.
     *
     * @param found what an atomic found in the word; 0 for others
     */
    record Done(long found) implements OpOutcome {}

    /** It was not begun. */
    record NotDone(String reason) implements OpOutcome {}

    /** The connection ended before the answer came: it may have been done or not. */
    record Unknown(String reason) implements OpOutcome {}
}
