package dev.retier.bench.state;

import dev.retier.bench.CarrierOption;
import dev.retier.bench.Measures;
import dev.retier.bench.Progress;
import dev.retier.bench.ResultOptions;
import dev.retier.bench.Results;
import dev.retier.bench.Stats;
import dev.retier.report.Plot;
import dev.retier.report.Table;
import dev.retier.report.Timeline;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bench state}: the move lock, the look, the announcement and what they cost, by number of nodes. */
@Command(
        name = "state",
        description = "Lock, slot reads and announcements, with cells of several sizes in one process.")
@Measures(modules = {"verbs", "soft-iwarp", "link", "fabric", "shared-state"})
public final class StateBench implements Callable<Integer> {
    private static final double MICROS_PER_MILLI = 1e3;
    private static final double NANOS_PER_MICRO = 1e3;
    /** Between two announcements, so that all who wait are asleep. */
    private static final long PAUSE_NANOS = 5_000_000;
    /** Points of a chart. */
    private static final int BINS = 40;

    private static final double NANOS_PER_SECOND = 1e9;
    /** A cell has no more. */
    private static final int MOST_NODES = 256;

    private static final double MICROS_PER_SECOND = 1e6;
    private static final double NINETY_NINE = 0.99;
    private static final String SET_UP = "All nodes run in this process, so every figure has both ends' work in it, and"
            + " processor time is that of both ends and the kernel. Up to " + BenchCell.LARGEST_MESH
            + " nodes all see each other; of more, only the first sees all (127 that all see each other would need"
            + " 32,000 sockets here). Three witnesses. lock: acquire and release. look: one read of every other node's"
            + " slot, all under way together. announcement: from before the call until the last of all waiting nodes"
            + " runs again.";

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Option(names = "--nodes", split = ",", paramLabel = "N", description = "Sizes (default: ${DEFAULT-VALUE}).")
    private List<Integer> sizes = List.of(3, 7, 31, 64, 127);

    @Option(
            names = "--seconds",
            paramLabel = "S",
            description = "Time for each figure, after half as long to warm up (default: ${DEFAULT-VALUE}).")
    private double seconds = 4;

    @Option(
            names = "--torn",
            paramLabel = "TRIES",
            description = "Copies of a slot judged while its writer never rests (default: ${DEFAULT-VALUE}).")
    private long tornTries = 1_000_000;

    private final List<Plot> charts = new ArrayList<>();

    @Mixin
    private CarrierOption carrier = new CarrierOption();

    @Mixin
    private ResultOptions options = new ResultOptions();

    /** Does once what is measured. */
    private interface Step {
        /** How many nanoseconds it took. */
        long run() throws InterruptedException;
    }

    /**
     * {@inheritDoc}
     *
     * @return 1 if a torn slot was taken for whole
     * @throws IOException if there are no ports, or the results cannot be kept
     * @throws InterruptedException if interrupted
     */
    @Override
    public Integer call() throws IOException, InterruptedException {
        if (seconds <= 0 || tornTries < 1 || sizes.stream().anyMatch(size -> size < 2 || size > MOST_NODES)) {
            throw new ParameterException(
                    spec.commandLine(), "--seconds and --torn must be above 0, --nodes 2 to " + MOST_NODES);
        }
        Results results = options.begin(
                carrier.record("state"),
                "The shared state over " + carrier.sentence(),
                "./retier bench state --seconds " + seconds + " --torn " + tornTries + carrier.words());
        results.note(SET_UP);
        Table table = new Table(
                "what", "nodes", "median_us", "p99_us", "per_second", "cpu_us", "cpu_of_all_looking_at_100_ms_percent");
        for (int size : sizes) {
            try (BenchCell cell = BenchCell.start(size, carrier)) {
                Progress.tell("measuring " + size + " nodes");
                lock(cell, table, size);
                look(cell, table, size);
                announce(cell, table, size);
            }
        }
        results.heading("By number of nodes").table("operations", table);
        charts.forEach(results::plot);
        TornReads torn = TornReads.run(tornTries);
        results.heading("Torn reads").note(torn.sentence()).table("torn", torn.table());
        options.end(results);
        return torn.accepted() == 0 ? 0 : 1;
    }

    private void lock(BenchCell cell, Table table, int size) throws InterruptedException {
        cell.lock().release();
        measure("lock", size, table, timed(() -> cell.lock().release()));
    }

    private void look(BenchCell cell, Table table, int size) throws InterruptedException {
        measure("look", size, table, timed(cell.first()::look));
        if (size <= BenchCell.LARGEST_MESH) {
            double percent = Cadence.percentOfACore(cell.nodes(), seconds);
            table.row(
                    "looks of all nodes, 10 a second each",
                    size,
                    Double.NaN,
                    Double.NaN,
                    10 * size,
                    Double.NaN,
                    percent);
        }
    }

    private void announce(BenchCell cell, Table table, int size) throws InterruptedException {
        try (Listeners listeners = new Listeners(cell.nodes())) {
            Stats micros = measure("announcement", size, table, () -> {
                LockSupport.parkNanos(PAUSE_NANOS);
                return listeners.round();
            });
            charts.add(chart(size, micros));
        }
    }

    private static Step timed(Runnable action) {
        return () -> {
            long begun = System.nanoTime();
            action.run();
            return System.nanoTime() - begun;
        };
    }

    private Stats measure(String what, int size, Table table, Step step) throws InterruptedException {
        run(step, seconds / 2);
        long cpuNanos = Cpu.nanos();
        Stats micros = run(step, seconds);
        double cpuMicros = (Cpu.nanos() - cpuNanos) / NANOS_PER_MICRO / micros.count();
        table.row(
                what,
                size,
                micros.median(),
                micros.quantile(NINETY_NINE),
                micros.count() * MICROS_PER_SECOND / micros.sum(),
                cpuMicros,
                Double.NaN);
        return micros;
    }

    /** Microseconds of each. */
    private static Stats run(Step step, double seconds) throws InterruptedException {
        Stats micros = new Stats();
        long end = System.nanoTime() + (long) (seconds * NANOS_PER_SECOND);
        while (System.nanoTime() - end < 0) {
            micros.add(step.run() / NANOS_PER_MICRO);
        }
        return micros;
    }

    /** The announcements in their order, the slowest of each of so many parts. */
    private Plot chart(int size, Stats micros) {
        List<Plot.Point> points = new ArrayList<>();
        for (int bin = 0; bin < BINS; bin++) {
            double slowest = micros.mostInPart(bin, BINS) / MICROS_PER_MILLI;
            points.add(new Plot.Point(seconds * bin / BINS, slowest));
        }
        return Timeline.of(seconds)
                .plot(
                        "From an announcement until the last of " + size + " nodes runs, slowest of " + BINS + " parts",
                        "ms",
                        List.of(new Plot.Series("slowest", "a", Plot.Shape.LINE, points)));
    }
}
