package dev.retier.state;

/**
 * One hosted website, as the words on the wire number it. Its name, priority and guarantee are configuration.
 *
 * @param value 1 to {@value #MAX_VALUE}; 0 stands for "no site" (a spare node) in the role word
 */
public record SiteId(int value) implements Comparable<SiteId> {
    /** Six bits of the role word, less the zero. */
    public static final int MAX_VALUE = 63;

    /** Refuses a value out of range with {@link IllegalArgumentException}. */
    public SiteId {
        if (value < 1 || value > MAX_VALUE) {
            throw new IllegalArgumentException("site id " + value + " is not in 1.." + MAX_VALUE);
        }
    }

    @Override
    public int compareTo(SiteId other) {
        return Integer.compare(value, other.value);
    }
}
