package dev.retier.iwarp.net;

/**
 * Whether it pays to poll before sleeping: not where answers come later than a spin lasts. After each spin in vain
 * twice as many waits go without one, up to {@link #MOST_SKIPPED}; one that found something starts afresh.
 * A guess if several threads wait at once.
 */
final class SpinHistory {
    /** Waits in a row without a spin at most, so that a change for the better is noticed. */
    static final int MOST_SKIPPED = 256;

    private int skipAfterNext = 1;
    private int toSkip;

    /** Whether to spin in this wait. */
    boolean promising() {
        if (toSkip > 0) {
            toSkip--;
            return false;
        }
        return true;
    }

    /** A spin is over. */
    void ended(boolean found) {
        toSkip = found ? 0 : skipAfterNext;
        skipAfterNext = found ? 1 : Math.min(MOST_SKIPPED, 2 * skipAfterNext);
    }
}
