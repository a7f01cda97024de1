package dev.retier.verbs;

/**
 * Whether it pays to poll for a moment before sleeping: not where answers come later than a spin lasts. After each spin
 * in vain twice as many waits go without one, up to {@link #MOST_SKIPPED}; one that found something starts afresh.
 * Owned by one thread at a time; a guess, and harmless, if several threads wait at once.
 */
public final class AdaptiveSpin {
    /** Waits in a row without a spin at most, so that a change for the better is noticed. */
    public static final int MOST_SKIPPED = 256;

    private int skipAfterNext = 1;
    private int toSkip;

    /** Spins in the first wait. */
    public AdaptiveSpin() {}

    /** Whether to spin in this wait. */
    public boolean isPromising() {
        if (toSkip > 0) {
            toSkip--;
            return false;
        }
        return true;
    }

    /** A spin is over. */
    public void ended(boolean found) {
        toSkip = found ? 0 : skipAfterNext;
        skipAfterNext = found ? 1 : Math.min(MOST_SKIPPED, 2 * skipAfterNext);
    }
}
