package dev.retier.testsupport;

/**
 * How often a test repeats what it does: as often as it says each day, and so many times as often in {@code ./retier
 * test --long}, which tests nothing else. Stateless.
 */
public final class Repeats {
    /** System property: by how much {@code --long} multiplies seeds, scenarios and kills; 1 when it is not set. */
    public static final String FACTOR_PROPERTY = "retier.tests.repeat";

    private Repeats() {}

    /** {@code daily}, or that many times more in a long run. */
    public static int of(int daily) {
        return Math.multiplyExact(daily, Integer.getInteger(FACTOR_PROPERTY, 1));
    }
}
