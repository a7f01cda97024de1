package dev.retier.traces.made;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Draws ranks 0..n-1 where rank k comes up in proportion to 1/(k+1)^s (Zipf's law). Immutable, thread-safe.
 *
 * <p>The table is computed with {@link StrictMath}, so that a seed gives the same trace on every machine.
 */
public final class ZipfRanks {
    /** Largest catalogue: a table of 8 MB. */
    public static final int MAX_OBJECTS = 1 << 20;

    private final double[] cumulative;

    /**
     * Prepares the table.
     *
     * @param objects size of the catalogue, 1..{@link #MAX_OBJECTS}
     * @param exponent 0 (all alike) .. 10
     * @throws IllegalArgumentException when a value is out of range
     */
    public ZipfRanks(int objects, double exponent) {
        if (objects < 1 || objects > MAX_OBJECTS) {
            throw new IllegalArgumentException("catalogue of " + objects + " objects is not within 1.." + MAX_OBJECTS);
        }
        if (!(exponent >= 0 && exponent <= 10)) {
            throw new IllegalArgumentException("Zipf exponent " + exponent + " is not within 0..10");
        }
        cumulative = new double[objects];
        double sum = 0;
        for (int rank = 0; rank < objects; rank++) {
            sum += StrictMath.pow(rank + 1.0, -exponent);
            cumulative[rank] = sum;
        }
    }

    /** The next rank, 0 being the most popular; uses exactly one number of {@code random}. */
    public int draw(SplittableRandom random) {
        double point = random.nextDouble() * cumulative[cumulative.length - 1];
        int found = Arrays.binarySearch(cumulative, point);
        return Math.min(found >= 0 ? found + 1 : -found - 1, cumulative.length - 1);
    }
}
