package dev.retier.bench.scale;

import dev.retier.bench.Results;
import dev.retier.bench.scale.Settling.Settled;
import dev.retier.report.Axis;
import dev.retier.report.Plot;
import dev.retier.report.Plot.Point;
import dev.retier.report.Plot.Series;
import dev.retier.report.Table;
import dev.retier.sim.cluster.Looks;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** How long a cluster takes to meet a changed load, and what its agents send meanwhile. Not thread-safe. */
final class SettlingTables {
    private static final List<Integer> WHOLE = List.of(10, 30, 100, 256);
    private static final int BEGUN = 512;
    private static final int MOVES_BEGUN = 3;
    private static final int MOVES_SAMPLED = 8;
    private static final List<Integer> COMPUTED = List.of(1000, 3000, 10_000);
    private static final int CELL = 256;
    private static final int ALL_MOVES = Integer.MAX_VALUE;
    private static final double MEGA = 1e6;

    private final Looks looks;
    private final Looks sampled;
    private final Map<Settling.Shape, Settled> runs = new LinkedHashMap<>();
    private final List<Point> seconds = new ArrayList<>();

    /** Each slot that is read adds so much to the time of a look; a sampled look reads {@code sample}. */
    SettlingTables(double slotMicros, int sample) {
        long slotNanos = Math.round(1e3 * slotMicros);
        this.looks = new Looks(0, slotNanos);
        this.sampled = new Looks(sample, slotNanos);
    }

    void add(Results results) throws InterruptedException {
        simulate();
        results.heading("Until a changed load is met, in virtual time")
                .note("The agents' own decisions, moves and locks, every agent of a cell; half of the nodes are proxies"
                        + " when half of the requests become dynamic, for which 23 % are best. One site; S = 200 ms,"
                        + " T = 1 s and all other defaults; a look takes the longer the more slots it reads. simulated:"
                        + " until nothing moved any more. begun: the first " + MOVES_BEGUN + " moves simulated; as many"
                        + " moves per node as with 256 nodes, all as long as these. computed: by the line through 100"
                        + " and " + BEGUN + " nodes. Bytes are those of all nodes, from the change of the load on, and"
                        + " grow with the square of the nodes.")
                .table("settling", bySize())
                .plot(Plot.of(
                        "From a changed load until nothing moves any more, one cell and one site",
                        Axis.log("nodes", WHOLE.getFirst(), COMPUTED.getLast()),
                        Axis.log("s", 1, seconds.getLast().y()),
                        List.of(new Series("seconds", "a", dev.retier.report.Plot.Shape.LINE, seconds))));
        results.heading("What makes it faster, simulated")
                .note("256 nodes, one move in flight for each site of each cell. Cells settle side by side, so one of"
                        + " them tells how long all take.")
                .table("parallel", inParallel());
        results.heading("Sampled looks, simulated")
                .note("256 nodes of one cell. calm: every node a fifth busy at most. changed: as above, the first"
                        + " " + MOVES_SAMPLED
                        + " moves; a sample decides nothing, so all look at all while a tier is"
                        + " pressed.")
                .table("sampled", bySample());
    }

    private Settling.Shape whole(int nodes) {
        return Settling.Shape.busy(nodes, 1, looks, ALL_MOVES);
    }

    /** All runs, the longest first, on all processors: each is a world of its own. */
    private void simulate() throws InterruptedException {
        List<Settling.Shape> shapes = new ArrayList<>(List.of(
                Settling.Shape.busy(BEGUN, 1, looks, MOVES_BEGUN),
                whole(CELL),
                Settling.Shape.busy(CELL, 1, sampled, MOVES_SAMPLED),
                Settling.Shape.calm(CELL, looks),
                Settling.Shape.calm(CELL, sampled)));
        for (int parts : List.of(4, 16)) {
            shapes.add(Settling.Shape.busy(CELL, parts, looks, ALL_MOVES));
            shapes.add(whole(CELL / parts));
        }
        WHOLE.stream().filter(nodes -> nodes != CELL).map(this::whole).forEach(shapes::add);
        try (ExecutorService workers =
                Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors())) {
            Map<Settling.Shape, Future<Settled>> under = new LinkedHashMap<>();
            shapes.forEach(shape -> under.put(shape, workers.submit(() -> Settling.run(shape))));
            for (Map.Entry<Settling.Shape, Future<Settled>> one : under.entrySet()) {
                runs.put(one.getKey(), one.getValue().get());
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("a simulation failed", e);
        }
    }

    private Settled of(Settling.Shape shape) {
        Settled settled = runs.get(shape);
        if (settled == null) {
            throw new IllegalStateException("not simulated: " + shape);
        }
        return settled;
    }

    private Table bySize() {
        Table table = new Table(
                "nodes",
                "figure",
                "moves",
                "undone",
                "seconds",
                "seconds_per_move",
                "mb_per_move",
                "lock_and_role_words_per_move",
                "percent_of_best");
        for (int nodes : WHOLE) {
            Settled one = of(whole(nodes));
            seconds.add(new Point(nodes, one.seconds()));
            table.row(
                    nodes,
                    one.isSettled() ? "simulated" : "not settled",
                    one.moves(),
                    one.undone(),
                    one.seconds(),
                    one.secondsPerMove(),
                    one.bytesPerMove() / MEGA,
                    Math.round(one.lockWordsPerMove()),
                    100 * one.shareOfBest());
        }
        Settled begun = of(Settling.Shape.busy(BEGUN, 1, looks, MOVES_BEGUN));
        computed(table, BEGUN, "begun", begun.secondsPerMove(), begun.bytesPerMove());
        int few = WHOLE.get(WHOLE.size() - 2);
        double slope = (begun.secondsPerMove() - of(whole(few)).secondsPerMove()) / (BEGUN - few);
        for (int nodes : COMPUTED) {
            double perMove = begun.secondsPerMove() + slope * (nodes - BEGUN);
            double square = (double) nodes * nodes / BEGUN / BEGUN;
            computed(table, nodes, "computed", perMove, begun.bytesPerMove() * square);
        }
        return table;
    }

    private void computed(Table table, int nodes, String figure, double perMove, double bytes) {
        long moves = Math.round((double) of(whole(CELL)).moves() / CELL * nodes);
        seconds.add(new Point(nodes, moves * perMove));
        table.row(nodes, figure, moves, Double.NaN, moves * perMove, perMove, bytes / MEGA, Double.NaN, Double.NaN);
    }

    private Table inParallel() {
        Table table =
                new Table("cells", "nodes_of_a_cell", "sites", "moves", "seconds", "mb_per_move", "percent_of_best");
        for (int parts : List.of(1, 4, 16)) {
            parallel(table, parts, 1, whole(CELL / parts));
        }
        for (int parts : List.of(4, 16)) {
            parallel(table, 1, parts, Settling.Shape.busy(CELL, parts, looks, ALL_MOVES));
        }
        return table;
    }

    private void parallel(Table table, int cells, int sites, Settling.Shape shape) {
        Settled one = of(shape);
        table.row(
                cells,
                shape.nodes(),
                sites,
                cells * one.moves(),
                one.seconds(),
                one.bytesPerMove() / MEGA,
                100 * one.shareOfBest());
    }

    private Table bySample() {
        Table table = new Table(
                "load", "looks", "slots_per_look", "mbit_per_s_of_a_node_in_and_out", "moves", "seconds_per_move");
        sample(table, "calm", "all", Settling.Shape.calm(CELL, looks));
        sample(table, "calm", "sampled", Settling.Shape.calm(CELL, sampled));
        sample(table, "changed", "all", whole(CELL));
        sample(table, "changed", "sampled", Settling.Shape.busy(CELL, 1, sampled, MOVES_SAMPLED));
        return table;
    }

    private void sample(Table table, String load, String how, Settling.Shape shape) {
        Settled one = of(shape);
        table.row(
                load,
                how,
                one.slotsPerLook(),
                one.bitsPerSecondAndNode() / MEGA,
                one.moves(),
                one.moves() < 2 ? "" : String.valueOf(Math.round(100 * one.secondsPerMove()) / 100.0));
    }
}
