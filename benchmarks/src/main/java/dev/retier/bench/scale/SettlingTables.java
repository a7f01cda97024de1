package dev.retier.bench.scale;

import dev.retier.agent.config.ServerKind;
import dev.retier.bench.Progress;
import dev.retier.bench.Results;
import dev.retier.bench.scale.Settling.Settled;
import dev.retier.report.Table;
import dev.retier.sim.cluster.Looks;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** How long a cluster takes to meet a changed load, and what its agents send meanwhile. Not thread-safe. */
final class SettlingTables {
    private static final List<Integer> WHOLE = List.of(10, 30, 100, 256);
    private static final int MOVES_SAMPLED = 8;
    private static final List<ServerKind> KINDS = List.of(ServerKind.WEB_NODE, ServerKind.HTTPD);
    private static final int CELL = 256;
    private static final double MEGA = 1e6;

    private final Looks looks;
    private final Looks sampled;
    private final Map<Settling.Shape, Settled> runs = new LinkedHashMap<>();

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
                        + " T = 1 s and all other defaults; a look takes the longer the more slots it reads; switches"
                        + " of httpd as measured (docs/results/moves.md). seconds: until nothing moved any more, or 60,"
                        + " then it has not settled. met:"
                        + " until nine tenths of what the best split answers were answered, and no less any more."
                        + " Bytes are those of all nodes, beyond what they send at rest.")
                .table("settling", bySize());
        results.heading("What makes it faster, simulated")
                .note("256 web-nodes, one change in flight for each site of each cell. Cells settle side by side, so"
                        + " one of them tells how long all take.")
                .table("parallel", inParallel());
        results.heading("Sampled looks, simulated")
                .note("256 nodes of one cell. calm: every node a fifth busy at most. changed: as above, the first"
                        + " " + MOVES_SAMPLED
                        + " moves; a sample decides nothing, so all look at all while a tier is"
                        + " pressed.")
                .table("sampled", bySample());
    }

    private Settling.Shape whole(int nodes) {
        return Settling.Shape.busy(ServerKind.WEB_NODE, nodes, 1, looks);
    }

    private Settling.Shape divided(int sites) {
        return Settling.Shape.busy(ServerKind.WEB_NODE, CELL, sites, looks);
    }

    private Settling.Shape few() {
        return Settling.Shape.busy(ServerKind.WEB_NODE, CELL, 1, sampled).untilMoves(MOVES_SAMPLED);
    }

    /** All runs, the longest first, on all processors: each is a world of its own. */
    private void simulate() throws InterruptedException {
        List<Settling.Shape> shapes =
                new ArrayList<>(List.of(few(), Settling.Shape.calm(CELL, looks), Settling.Shape.calm(CELL, sampled)));
        for (int nodes : WHOLE.reversed()) {
            KINDS.forEach(kind -> shapes.add(Settling.Shape.busy(kind, nodes, 1, looks)));
        }
        for (int parts : List.of(4, 16)) {
            shapes.add(divided(parts));
            shapes.add(whole(CELL / parts));
        }
        try (ExecutorService workers =
                Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors())) {
            Map<Settling.Shape, Future<Settled>> under = new LinkedHashMap<>();
            shapes.forEach(shape -> under.put(shape, workers.submit(() -> Settling.run(shape))));
            for (Map.Entry<Settling.Shape, Future<Settled>> one : under.entrySet()) {
                Settled settled = one.getValue().get();
                runs.put(one.getKey(), settled);
                Settling.Shape shape = one.getKey();
                Progress.tell("settled: " + runs.size() + " of " + shapes.size() + ", " + shape.nodes() + " "
                        + shape.kind().word() + ", " + settled.moves() + " moves, met after "
                        + String.format(Locale.ROOT, "%.1f s", settled.metSeconds()));
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
                "kind",
                "figure",
                "moves",
                "orders",
                "undone",
                "seconds",
                "met",
                "mbit_per_s_of_a_node_at_rest",
                "mb_per_move",
                "lock_and_role_words_per_move",
                "percent_of_best");
        for (int nodes : WHOLE) {
            for (ServerKind kind : KINDS) {
                Settled one = of(Settling.Shape.busy(kind, nodes, 1, looks));
                table.row(
                        nodes,
                        kind.word(),
                        one.isSettled() ? "simulated" : "not settled",
                        one.moves(),
                        one.orders(),
                        one.undone(),
                        one.seconds(),
                        one.metSeconds(),
                        one.restBitsPerSecondAndNode() / MEGA,
                        one.bytesPerMove() / MEGA,
                        Math.round(one.lockWordsPerMove()),
                        100 * one.shareOfBest());
            }
        }
        return table;
    }

    private Table inParallel() {
        Table table =
                new Table("cells", "nodes_of_a_cell", "sites", "moves", "seconds", "mb_per_move", "percent_of_best");
        for (int parts : List.of(1, 4, 16)) {
            parallel(table, parts, 1, whole(CELL / parts));
        }
        for (int parts : List.of(4, 16)) {
            parallel(table, 1, parts, divided(parts));
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
        Table table =
                new Table("load", "looks", "slots_per_look", "mbit_per_s_of_a_node_in_and_out", "moves", "seconds");
        sample(table, "calm", "all", Settling.Shape.calm(CELL, looks));
        sample(table, "calm", "sampled", Settling.Shape.calm(CELL, sampled));
        sample(table, "changed", "all", whole(CELL));
        sample(table, "changed", "sampled", few());
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
                one.moves() == 0 ? Double.NaN : one.seconds());
    }
}
