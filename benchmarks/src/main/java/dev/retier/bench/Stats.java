package dev.retier.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Figures of one kind, in the order in which they came, and what is said of them. Not thread-safe. */
public final class Stats {
    private static final double NANOS_PER_MICRO = 1e3;

    private double[] values = new double[16];
    private int count;
    private double[] sorted = new double[0];

    private boolean isSorted = true;

    /** No figures yet. */
    public Stats() {}

    /** These figures. */
    public static Stats of(double... values) {
        Stats stats = new Stats();
        for (double value : values) {
            stats.add(value);
        }
        return stats;
    }

    /** What is done again and again. */
    public interface Step {
        /** Once. */
        void run() throws IOException;
    }

    /** How many microseconds each took of {@code step}, one after the other for so long. */
    public static Stats micros(Duration time, Step step) throws IOException {
        Stats micros = new Stats();
        long beganNanos = System.nanoTime();
        for (long at = beganNanos; at - beganNanos < time.toNanos(); ) {
            step.run();
            long now = System.nanoTime();
            micros.add((now - at) / NANOS_PER_MICRO);
            at = now;
        }
        return micros;
    }

    /** One figure of each. */
    public static <T> Stats of(List<T> all, ToDoubleFunction<? super T> figure) {
        return of(all.stream().mapToDouble(figure).toArray());
    }

    /** One figure by the other, round by round; only rounds that both have. */
    public static Stats ratios(Stats over, Stats under) {
        Stats ratios = new Stats();
        for (int i = 0; i < Math.min(over.count, under.count); i++) {
            ratios.add(over.values[i] / under.values[i]);
        }
        return ratios;
    }

    /** Adds one. */
    public void add(double value) {
        if (count == values.length) {
            values = Arrays.copyOf(values, 2 * count);
        }
        values[count++] = value;
        isSorted = false;
    }

    /** Adds all of another. */
    public void addAll(Stats other) {
        for (int i = 0; i < other.count; i++) {
            add(other.values[i]);
        }
    }

    /** How many there are. */
    public int count() {
        return count;
    }

    /** All of them together. */
    public double sum() {
        return Arrays.stream(values, 0, count).sum();
    }

    /** The middle one, of an even number the mean of the middle two; NaN when there is none. */
    public double median() {
        return (ranked((count - 1) / 2) + ranked(count / 2)) / 2;
    }

    /** The least; NaN when there is none. */
    public double least() {
        return ranked(0);
    }

    /** The greatest; NaN when there is none. */
    public double most() {
        return ranked(count - 1);
    }

    /** The least figure that this share of all, above 0 to 1, does not exceed; NaN when there is none. */
    public double quantile(double share) {
        return ranked((int) Math.ceil(share * count) - 1);
    }

    /** By size, from 0; the least or greatest for a rank beyond these, NaN when there is none. */
    public double ranked(int rank) {
        if (count == 0) {
            return Double.NaN;
        }
        if (!isSorted) {
            sorted = Arrays.copyOf(values, count);
            Arrays.sort(sorted);
            isSorted = true;
        }
        return sorted[Math.clamp(rank, 0, count - 1)];
    }

    /** The greatest in the part of all, in their order, that has this index from 0; 0 if none is in it. */
    public double mostInPart(int part, int parts) {
        int from = (int) ((long) count * part / parts);
        int to = (int) ((long) count * (part + 1) / parts);
        return Arrays.stream(values, from, to).max().orElse(0);
    }
}
