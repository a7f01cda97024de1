package dev.retier.state.verbs;

/**
 * Whether it pays to serve a queue for a moment before sleeping. After each time in vain twice as many waits go without
 * it, up to {@link #MOST_SKIPPED}; one that was of use starts afresh. A guess if several threads wait at once.
 */
final class HelpHistory {
    /** Waits in a row without help at most, so that a change for the better is noticed. */
    static final int MOST_SKIPPED = 256;

    private int skipAfterNext = 1;
    private int toSkip;

    /** Whether to help in this wait. */
    boolean isPromising() {
        if (toSkip > 0) {
            toSkip--;
            return false;
        }
        return true;
    }

    /** A wait with help is over. */
    void ended(boolean wasOfUse) {
        toSkip = wasOfUse ? 0 : skipAfterNext;
        skipAfterNext = wasOfUse ? 1 : Math.min(MOST_SKIPPED, 2 * skipAfterNext);
    }
}
