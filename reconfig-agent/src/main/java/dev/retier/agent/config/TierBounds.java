package dev.retier.agent.config;

/**
 * How many nodes a tier of a site may have.
 *
 * @param min fewest, 0 or more; a move never goes below
 * @param max most, at least {@code min}
 */
public record TierBounds(int min, int max) {
    /** One node stays in each tier; a cell has up to 256 nodes. */
    public static final TierBounds DEFAULTS = new TierBounds(1, 256);

    /** Refuses a negative minimum or a maximum below it with {@link IllegalArgumentException}. */
    public TierBounds {
        if (min < 0 || max < min) {
            throw new IllegalArgumentException("min " + min + ", max " + max + ": need 0 <= min <= max");
        }
    }
}
