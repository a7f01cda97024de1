package dev.retier.bench.iwarp;

import dev.retier.report.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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

    /** A table for {@link #addTo}: medians, the ratio of each round, of processor time, and heap allocation. */
    static Table table() {
        return new Table(
                "operation",
                "tcp_us",
                "iwarp_us",
                "ratio",
                "ratio_least",
                "ratio_most",
                "cpu_ratio",
                "allocated_bytes_per_operation");
    }

    void addTo(Table table) {
        double[] ratios = new double[tcp.size()];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = iwarp.get(i).nanosPerOperation() / tcp.get(i).nanosPerOperation();
        }
        Arrays.sort(ratios);
        table.row(
                name,
                median(tcp, Sample::nanosPerOperation) / 1000,
                median(iwarp, Sample::nanosPerOperation) / 1000,
                ratios[ratios.length / 2],
                ratios[0],
                ratios[ratios.length - 1],
                median(iwarp, Sample::cpuNanosPerOperation) / median(tcp, Sample::cpuNanosPerOperation),
                median(iwarp, Sample::bytesPerOperation));
    }

    private static double median(List<Sample> samples, ToDoubleFunction<Sample> what) {
        double[] values = samples.stream().mapToDouble(what).sorted().toArray();
        return values[values.length / 2];
    }
}
