package dev.retier.bench.board;

import java.util.List;
import java.util.stream.IntStream;

/**
 * The same seeds with and without a change: what it does on average, and how sure that is.
 *
 * @param change of the mean; negative is worse
 * @param error standard error of that, over the pairs
 */
record Pairs(double change, double error) {
    /** Of Student's t with 19 degrees of freedom this is less than one in a thousand, as there are many figures. */
    private static final double SURE = 3.9;

    /** Of what each seed gave, in the same order. */
    static Pairs of(List<Double> before, List<Double> after) {
        List<Double> differences = IntStream.range(0, before.size())
                .mapToObj(pair -> after.get(pair) - before.get(pair))
                .toList();
        return new Pairs(
                differences.stream().mapToDouble(Double::doubleValue).average().orElse(0),
                deviation(differences) / Math.sqrt(Math.max(1, differences.size())));
    }

    /** Standard deviation of a sample. */
    static double deviation(List<Double> values) {
        double mean = values.stream().mapToDouble(Double::doubleValue).average().orElse(0);
        double squares = values.stream()
                .mapToDouble(value -> (value - mean) * (value - mean))
                .sum();
        return Math.sqrt(squares / Math.max(1, values.size() - 1));
    }

    /** Whether it is worse by at least {@code grain}, and not by chance. */
    boolean isWorse(double grain) {
        return change <= -grain && change <= -SURE * error;
    }

    /** Whether it is better by at least {@code grain}, and not by chance. */
    boolean isBetter(double grain) {
        return change >= grain && change >= SURE * error;
    }
}
