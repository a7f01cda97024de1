package dev.retier.bench.iwarp;

import dev.retier.bench.iwarp.Comparison.Spread;
import dev.retier.report.Table;
import java.util.ArrayList;
import java.util.List;

/** Whether many regions, or large ones, make writes slower (experiment E13's first half): all set-ups in each round. */
final class Regions {
    private static final int SMALL = 64;
    private static final int LARGE = 1024;
    private static final int MEBIBYTE = 1 << 20;
    private static final double TARGET = 1.05;

    private final Rounds rounds;

    Regions(Rounds rounds) {
        this.rounds = rounds;
    }

    private record Setup(String name, int count, int bytes) {}

    private static final List<Setup> SETUPS = List.of(
            new Setup("1 region of 1 MiB", 1, MEBIBYTE),
            new Setup("1,000 regions of 1 MiB", 1000, MEBIBYTE),
            new Setup("100,000 regions of 1 MiB", 100_000, MEBIBYTE),
            new Setup("1 region of 1 GiB", 1, 1 << 30));

    /** One row per set-up: times, and the ratio to the first row of the same round. */
    Table measure() throws Exception {
        List<RegionWrites> open = new ArrayList<>();
        try {
            for (Setup setup : SETUPS) {
                IO.println("measuring: regions, registering " + setup.name());
                open.add(new RegionWrites(setup.count(), setup.bytes(), SMALL, LARGE));
            }
            double[][][] micros = measure(open);
            Table table = new Table(
                    "writes_into", "bytes", "us", "ratio_to_first", "ratio_least", "ratio_most", "target", "met");
            for (int size = 0; size < 2; size++) {
                for (int setup = 0; setup < SETUPS.size(); setup++) {
                    addTo(table, setup, size, micros);
                }
            }
            return table;
        } finally {
            for (RegionWrites writes : open) {
                writes.close();
            }
        }
    }

    /** Microseconds by size, set-up and round. */
    private double[][][] measure(List<RegionWrites> open) throws Exception {
        double[][][] micros = new double[2][open.size()][rounds.count()];
        for (int round = -1; round < rounds.count(); round++) {
            for (int size = 0; size < 2; size++) {
                for (int setup = 0; setup < open.size(); setup++) {
                    Sample sample = Sample.of(open.get(setup).choose(size), rounds.time());
                    if (round >= 0) {
                        micros[size][setup][round] = sample.nanosPerOperation() / 1e3;
                    }
                }
            }
        }
        return micros;
    }

    private static void addTo(Table table, int setup, int size, double[][][] micros) {
        double[] mine = micros[size][setup];
        double[] ratios = new double[mine.length];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = mine[i] / micros[size][0][i];
        }
        Spread spread = Spread.of(ratios);
        table.row(
                SETUPS.get(setup).name(),
                size == 0 ? SMALL : LARGE,
                Spread.of(mine).median(),
                spread.median(),
                spread.least(),
                spread.most(),
                "<= " + TARGET,
                spread.median() <= TARGET ? "yes" : "no");
    }
}
