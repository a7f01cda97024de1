package dev.retier.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A median, and its confidence interval of 95 %: of twenty measurements like this one, nineteen have the true median in
 * theirs.
 *
 * @param from its lower end
 * @param median of the figures at hand
 * @param to its upper end
 */
public record Interval(double from, double median, double to) {
    private static final int RESAMPLES = 2_000;
    private static final double OUTSIDE = 0.05;
    /** Of fewer blocks, resampling would promise more than they say. */
    private static final int LEAST_BLOCKS = 5;

    /**
     * Of all figures of these blocks. Figures of one block share what happened in it, so whole blocks are resampled
     * (the cluster bootstrap: Field and Welsh, "Bootstrapping clustered data", 2007), always with the same random
     * numbers. Of fewer than five blocks it is from the least figure to the greatest.
     */
    public static Interval ofMedian(List<Stats> blocks) {
        Stats all = together(blocks);
        if (blocks.size() < LEAST_BLOCKS) {
            return new Interval(all.least(), all.median(), all.most());
        }
        SplittableRandom random = new SplittableRandom(1);
        Stats medians = new Stats();
        for (int i = 0; i < RESAMPLES; i++) {
            List<Stats> drawn = new ArrayList<>();
            for (int block = 0; block < blocks.size(); block++) {
                drawn.add(blocks.get(random.nextInt(blocks.size())));
            }
            medians.add(together(drawn).median());
        }
        return new Interval(medians.quantile(OUTSIDE / 2), all.median(), medians.quantile(1 - OUTSIDE / 2));
    }

    private static Stats together(List<Stats> blocks) {
        Stats all = new Stats();
        blocks.forEach(all::addAll);
        return all;
    }

    /** Whether all of it is at most {@code limit}. */
    public boolean isAtMost(double limit) {
        return to <= limit;
    }

    /** Whether all of it is at least {@code limit}. */
    public boolean isAtLeast(double limit) {
        return from >= limit;
    }
}
