package dev.retier.bench.iwarp;

import dev.retier.bench.Interval;
import dev.retier.bench.Progress;
import dev.retier.bench.QuietRounds.Kept;
import dev.retier.bench.Stats;
import dev.retier.report.Table;
import java.util.ArrayList;
import java.util.List;

/** Whether many regions, or large ones, make writes slower (experiment E13's first half): all set-ups in turn. */
final class Regions {
    private static final int SMALL = 64;
    private static final int LARGE = 1024;
    private static final int MEBIBYTE = 1 << 20;
    private static final double TARGET = 1.05;

    private final Turns turns;

    Regions(Turns turns) {
        this.turns = turns;
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
                Progress.tell("measuring: regions, registering " + setup.name());
                open.add(new RegionWrites(setup.count(), setup.bytes(), SMALL, LARGE));
            }
            Kept<List<double[][]>> rounds = turns.rounds().run(1, turns.blocks(), _ -> block(open));
            Table table = new Table(
                    "writes_into", "bytes", "us", "ratio_to_first", "ratio_from", "ratio_to", "target", "verdict");
            for (int size = 0; size < 2; size++) {
                for (int setup = 0; setup < SETUPS.size(); setup++) {
                    addTo(table, setup, size, rounds);
                }
            }
            return table;
        } finally {
            for (RegionWrites writes : open) {
                writes.close();
            }
        }
    }

    private List<double[][]> block(List<RegionWrites> open) throws Exception {
        List<double[][]> all = new ArrayList<>();
        for (int turn = 0; turn < turns.turns(); turn++) {
            all.add(micros(open, turn % 2 == 1));
        }
        return all;
    }

    /** Microseconds of one turn, by size and set-up. */
    private double[][] micros(List<RegionWrites> open, boolean isReversed) throws Exception {
        double[][] micros = new double[2][open.size()];
        for (int size = 0; size < 2; size++) {
            for (int i = 0; i < open.size(); i++) {
                int setup = isReversed ? open.size() - 1 - i : i;
                Sample sample = Sample.of(open.get(setup).choose(size), turns.time());
                micros[size][setup] = sample.nanosPerOperation() / 1e3;
            }
        }
        return micros;
    }

    private static void addTo(Table table, int setup, int size, Kept<List<double[][]>> rounds) {
        Stats mine = Stats.of(rounds.all().stream().flatMap(List::stream).toList(), turn -> turn[size][setup]);
        Interval ratios = Interval.ofMedian(rounds.all().stream()
                .map(block -> Stats.of(block, turn -> turn[size][setup] / turn[size][0]))
                .toList());
        table.row(
                SETUPS.get(setup).name(),
                size == 0 ? SMALL : LARGE,
                mine.median(),
                ratios.median(),
                ratios.from(),
                ratios.to(),
                "<= " + TARGET,
                rounds.verdict(ratios.isAtMost(TARGET), ratios.from() > TARGET));
    }
}
