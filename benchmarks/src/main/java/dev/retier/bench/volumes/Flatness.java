package dev.retier.bench.volumes;

import dev.retier.bench.Stats;
import java.util.List;

/**
 * Whether something grows: by the medians of the three thirds of its samples, in their order.
 *
 * @param first what it takes to warm up
 * @param middle what the last third is compared with
 */
record Flatness(double first, double middle, double last) {
    private static final int THIRDS = 3;
    private static final double MOST = 1.1;

    /** Of samples that were taken at equal distances; refuses less than three with {@link IllegalArgumentException}. */
    static Flatness of(List<Double> samples) {
        if (samples.size() < THIRDS) {
            throw new IllegalArgumentException(samples.size() + " samples have no thirds");
        }
        return new Flatness(third(samples, 0), third(samples, 1), third(samples, 2));
    }

    private static double third(List<Double> samples, int index) {
        int from = samples.size() * index / THIRDS;
        int until = samples.size() * (index + 1) / THIRDS;
        return Stats.of(samples.subList(from, until), Double::doubleValue).median();
    }

    /** The last third by the middle one. */
    double growth() {
        return last / middle;
    }

    /** Whether the last third is no more than a tenth above the middle one. */
    boolean isFlat() {
        return last <= MOST * middle;
    }
}
