package dev.retier.bench.iwarp;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Interleaved rounds of one thing done over plain TCP and over iWARP. */
final class Comparison {
    private final String name;
    private final List<Sample> tcp = new ArrayList<>();
    private final List<Sample> iwarp = new ArrayList<>();

    Comparison(String name) {
        this.name = name;
    }

    void add(Sample overTcp, Sample overIwarp) {
        tcp.add(overTcp);
        iwarp.add(overIwarp);
    }

    /** The head of {@link #row}. */
    static String header() {
        return String.format(
                "%-30s %10s %10s %22s %9s %9s",
                "operation", "tcp us", "iwarp us", "ratio (least..most)", "cpu ratio", "alloc B");
    }

    /** Medians, the ratio of each round, the ratio of processor time, and allocation per operation. */
    String row() {
        double[] ratios = new double[tcp.size()];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = iwarp.get(i).nanosPerOperation() / tcp.get(i).nanosPerOperation();
        }
        java.util.Arrays.sort(ratios);
        return String.format(
                Locale.ROOT,
                "%-30s %10.2f %10.2f %8.2f (%.2f..%.2f) %9.2f %9.1f",
                name,
                median(tcp, Sample::nanosPerOperation) / 1000,
                median(iwarp, Sample::nanosPerOperation) / 1000,
                ratios[ratios.length / 2],
                ratios[0],
                ratios[ratios.length - 1],
                median(iwarp, Sample::cpuNanosPerOperation) / median(tcp, Sample::cpuNanosPerOperation),
                median(iwarp, Sample::bytesPerOperation));
    }

    /** One line per round: operation, round, then wall, processor and allocation of both. */
    List<String> csv() {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < tcp.size(); i++) {
            lines.add(String.format(
                    Locale.ROOT,
                    "%s,%d,%.1f,%.1f,%.1f,%.1f,%.1f",
                    name,
                    i,
                    tcp.get(i).nanosPerOperation(),
                    iwarp.get(i).nanosPerOperation(),
                    tcp.get(i).cpuNanosPerOperation(),
                    iwarp.get(i).cpuNanosPerOperation(),
                    iwarp.get(i).bytesPerOperation()));
        }
        return lines;
    }

    private static double median(List<Sample> samples, ToDoubleFunction<Sample> what) {
        double[] values = samples.stream().mapToDouble(what).sorted().toArray();
        return values[values.length / 2];
    }
}
