package dev.retier.bench.volumes;

import dev.retier.bench.Progress;
import dev.retier.bench.QuietRounds;
import dev.retier.bench.QuietRounds.Kept;
import dev.retier.bench.Stats;
import dev.retier.report.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * One thing, done by retier and by others in turn.
 *
 * @param name short, as in {@code A3}
 * @param what is done
 * @param unit of the figures
 * @param isMoreBetter whether it is; else less is
 * @param ours how retier does it
 * @param others what is beside it; none are left out that this machine has not
 */
record Row(String name, String what, String unit, boolean isMoreBetter, Way ours, List<Beside> others) {
    private static final int MOST_TO_WARM_UP = 10;
    /** What becomes faster by more than this from one sample to the next is not warm. */
    private static final double STILL_WARMING = 1.05;

    /** A way to do it. */
    @FunctionalInterface
    interface Way {
        /** One sample's figure. */
        double measure() throws Exception;
    }

    /**
     * What is beside it.
     *
     * @param target what retier's figure by this one's shall be, at least or, where less is better, at most; 0 for none
     */
    record Beside(String name, double target, Way way) {}

    /** Copies the list. */
    Row {
        others = List.copyOf(others);
    }

    /** A table for rows. */
    static Table table() {
        return new Table("row", "what", "unit", "retier", "beside_it", "its_figure", "ratio", "target", "verdict");
    }

    /** Measures it in rounds, after those that warm up, every other one in the opposite order. */
    void measure(QuietRounds rounds, int count, Table into) throws Exception {
        Progress.tell("measuring: " + name + " " + what);
        if (count > 1) {
            warmUp();
        }
        Kept<Map<String, Double>> kept = rounds.run(1, count, number -> round(number % 2 != 0));
        Stats own = of(kept, "");
        if (others.isEmpty()) {
            into.row(name, what, unit, own.median(), "-", Double.NaN, range(own), "-", "no target");
        }
        for (Beside other : others) {
            Stats theirs = of(kept, other.name);
            Stats ratios = Stats.ratios(own, theirs);
            boolean isMet = isMoreBetter ? ratios.median() >= other.target : ratios.median() <= other.target;
            into.row(
                    name,
                    what,
                    unit,
                    own.median(),
                    other.name,
                    theirs.median(),
                    range(ratios),
                    other.target == 0 ? "-" : (isMoreBetter ? ">= " : "<= ") + other.target,
                    other.target == 0 ? "no target" : kept.verdict(isMet));
        }
    }

    /** Servers run for days: Java's compiler has ended its work before anything counts. */
    private void warmUp() throws Exception {
        double best = ours.measure();
        boolean isBetter = true;
        for (int more = 0; more < MOST_TO_WARM_UP && isBetter; more++) {
            double next = ours.measure();
            isBetter = isMoreBetter ? next > best * STILL_WARMING : next < best / STILL_WARMING;
            best = isMoreBetter ? Math.max(best, next) : Math.min(best, next);
        }
    }

    private Map<String, Double> round(boolean isReversed) throws Exception {
        List<Beside> order = new ArrayList<>(others);
        order.addFirst(new Beside("", 0, ours));
        if (isReversed) {
            Collections.reverse(order);
        }
        Map<String, Double> figures = new HashMap<>();
        for (Beside one : order) {
            settle();
            figures.put(one.name, one.way.measure());
        }
        return figures;
    }

    /** What was written before is on the disk, so that nobody's sample has to wait for another one's. */
    private static void settle() throws IOException, InterruptedException {
        new ProcessBuilder("sync").inheritIO().start().waitFor();
    }

    private static Stats of(Kept<Map<String, Double>> kept, String way) {
        return Stats.of(kept.all(), round -> Objects.requireNonNull(round.get(way), "each was measured"));
    }

    private static String range(Stats stats) {
        return String.format(
                Locale.ROOT,
                stats.median() < 100 ? "%.2f (%.2f..%.2f)" : "%.0f (%.0f..%.0f)",
                stats.median(),
                stats.least(),
                stats.most());
    }
}
