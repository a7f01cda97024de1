package dev.retier.bench.scale;

import dev.retier.bench.Measures;
import dev.retier.bench.ResultOptions;
import dev.retier.bench.Results;
import dev.retier.bench.state.LookCost;
import dev.retier.report.Axis;
import dev.retier.report.Plot;
import dev.retier.report.Plot.Point;
import dev.retier.report.Plot.Series;
import dev.retier.report.Plot.Shape;
import dev.retier.report.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench scale}: what 10 to 10,000 nodes cost, in one cell, in cells, and with sampled looks. */
@Command(
        name = "scale",
        description =
                "What 10 to 10,000 nodes cost: a look, the bytes on the wire, and the time until a changed load is met;"
                        + " in one cell, in cells of 256, and with sampled looks. Each figure says if it is measured,"
                        + " simulated or computed.")
@Measures(modules = {"verbs", "soft-iwarp", "link", "fabric", "shared-state", "reconfig-agent", "balance", "simulator"})
public final class ScaleBench implements Callable<Integer> {
    private static final List<Integer> SIZES = List.of(10, 30, 100, 256, 1000, 3000, 10_000);
    /** Where looks over soft-iwarp are measured: between these two the cost of a slot shows. */
    private static final int FEW = 31;

    private static final int MANY = 127;
    private static final int CELL = 256;
    private static final int SAMPLE = 32;
    private static final int WITNESSES = 3;
    private static final double SENSITIVITY_SECONDS = 0.2;
    private static final double MICROS_PER_SECOND = 1e6;
    /** Of one core, for the agent and for answering others. */
    private static final double BEARABLE_SHARE = 0.05;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            description = "Time for each measured look (default: ${DEFAULT-VALUE}).")
    private double seconds = 2;

    @Mixin
    private ResultOptions options = new ResultOptions();

    private final Map<Integer, Double> coreMicros = new TreeMap<>();
    private double slotCpuMicros;
    private double slotMicros;

    /**
     * {@inheritDoc}
     *
     * @throws IOException if there are no ports, or the results cannot be kept
     * @throws InterruptedException if interrupted
     */
    @Override
    public Integer call() throws IOException, InterruptedException {
        Results results = options.begin("scale", "From 10 to 10,000 nodes", "./retier bench scale");
        measured(results);
        looks(results);
        new SettlingTables(slotMicros, SAMPLE).add(results);
        cells(results);
        options.end(results);
        return 0;
    }

    private void measured(Results results) throws IOException {
        LookCost few = LookCost.measure(FEW, seconds);
        LookCost many = LookCost.measure(MANY, seconds);
        slotCpuMicros = (many.cpuMicros() - few.cpuMicros()) / (MANY - FEW);
        slotMicros = (many.medianMicros() - few.medianMicros()) / (MANY - FEW);
        Table table = new Table("what", "nodes", "median_us", "cpu_us", "us_per_slot");
        for (LookCost look : List.of(few, many)) {
            table.row(
                    "reading all slots over soft-iwarp, both ends",
                    look.nodes(),
                    look.medianMicros(),
                    look.cpuMicros(),
                    look.cpuMicros() / (look.nodes() - 1));
        }
        for (int size : SIZES) {
            double micros = coreMicros(size);
            double pressed = CoreCost.micros(size, 1, true, seconds / 4);
            table.row("view, history and decision from what was read", size, micros, micros, micros / size);
            table.row("the same while a tier is saturated", size, pressed, pressed, pressed / size);
        }
        for (int sites : List.of(4, 16)) {
            double pressed = CoreCost.micros(CELL, sites, true, seconds / 4);
            table.row(
                    "the same while a tier of each of " + sites + " sites is saturated",
                    CELL,
                    pressed,
                    pressed,
                    pressed / CELL);
        }
        results.heading("What a look takes, measured")
                .note("Over soft-iwarp on the loopback interface every slot costs the processors of both ends and the"
                        + " kernel; a network card with RDMA takes that part over. The second part is the agent's own"
                        + " code on one thread, whatever the transport.")
                .table("measured", table)
                .note("From " + FEW + " to " + MANY + " nodes each further slot takes " + rounded(slotCpuMicros)
                        + " us of processor time and " + rounded(slotMicros) + " us until all are read.");
    }

    private static double rounded(double value) {
        return Math.round(10 * value) / 10.0;
    }

    /** One way to arrange the nodes, and how many slots a look then reads. */
    private record Arrangement(String name, int nodes, int slots, int core) {}

    private static List<Arrangement> arrangements(int nodes) {
        int cell = Cells.cells(nodes, CELL).getFirst();
        List<Arrangement> all = new ArrayList<>();
        all.add(new Arrangement("one cell", nodes, nodes - 1, nodes));
        if (nodes > CELL) {
            all.add(new Arrangement("cells of " + CELL, nodes, cell - 1, cell));
        }
        if (nodes > SAMPLE + WITNESSES) {
            all.add(new Arrangement("one cell, sampled while calm", nodes, SAMPLE + WITNESSES, 0));
        }
        return all;
    }

    private void looks(Results results) {
        Table table = new Table(
                "arrangement",
                "nodes",
                "slots_per_look",
                "kb_per_look",
                "cpu_ms_per_look",
                "percent_of_a_core",
                "mbit_per_s_in_and_out",
                "s_for_5_percent_of_a_core",
                "cluster_gbit_per_s");
        Map<String, List<Point>> lines = new TreeMap<>();
        for (int nodes : SIZES) {
            for (Arrangement one : arrangements(nodes)) {
                double cpuMicros = one.slots * slotCpuMicros + coreMicros(one.core);
                double bytes = (double) one.slots * Wire.SLOT_READ;
                double mbit = 2 * bytes * 8 / SENSITIVITY_SECONDS / 1e6;
                table.row(
                        one.name,
                        nodes,
                        one.slots,
                        bytes / 1e3,
                        cpuMicros / 1e3,
                        100 * cpuMicros / MICROS_PER_SECOND / SENSITIVITY_SECONDS,
                        mbit,
                        cpuMicros / MICROS_PER_SECOND / BEARABLE_SHARE,
                        mbit / 2 * nodes / 1e3);
                lines.computeIfAbsent(one.name, _ -> new ArrayList<>())
                        .add(new Point(nodes, 100 * cpuMicros / MICROS_PER_SECOND / SENSITIVITY_SECONDS));
            }
        }
        results.heading("What looking costs each node, computed from the above")
                .note("S = 200 ms. A node reads all slots of its cell and has its own read as often, so bytes go both"
                        + " ways (" + Wire.SLOT_READ + " bytes on the wire for a slot of 640) and its processor works"
                        + " for both ends. A sampled look reads " + SAMPLE + " slots in turn and those of "
                        + WITNESSES + " witnesses, and everything as soon as anything is not calm: see docs/scale.md.")
                .table("looks", table)
                .plot(plot("Share of one core at S = 200 ms", "percent", lines));
    }

    /** Measured, for each size once; a sampled look has none of it. */
    private double coreMicros(int nodes) {
        return nodes == 0 ? 0 : coreMicros.computeIfAbsent(nodes, size -> CoreCost.micros(size, 1, false, seconds / 4));
    }

    private static Plot plot(String title, String unit, Map<String, List<Point>> lines) {
        List<Series> series = new ArrayList<>();
        double most = 0;
        double least = Double.MAX_VALUE;
        for (Map.Entry<String, List<Point>> line : lines.entrySet()) {
            series.add(new Series(line.getKey(), Series.style(series.size()), Shape.LINE, line.getValue()));
            for (Point point : line.getValue()) {
                most = Math.max(most, point.y());
                least = Math.min(least, point.y());
            }
        }
        return Plot.of(
                title, Axis.log("nodes", SIZES.getFirst(), SIZES.getLast()), Axis.log(unit, least, most), series);
    }

    private static void cells(Results results) {
        results.heading("What cells cost at best, computed")
                .note("Each cell has the best split for the mix and gets requests by its nodes; against the best split"
                        + " of the whole, over all mixes from 0.5 to 99.5 % dynamic. Nodes never change their cell.")
                .table("cells", Cells.best(SIZES.getLast(), List.of(8, 16, 32, 64, 128, CELL, 1000)));
    }
}
