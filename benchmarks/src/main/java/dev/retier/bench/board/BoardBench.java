package dev.retier.bench.board;

import static java.util.Locale.ROOT;

import dev.retier.bench.Measures;
import dev.retier.bench.Progress;
import dev.retier.bench.ResultOptions;
import dev.retier.bench.Results;
import dev.retier.bench.figures.Lab;
import dev.retier.report.Table;
import dev.retier.sim.cluster.MoveSeen;
import dev.retier.sim.run.Allocation;
import dev.retier.sim.run.Approach;
import dev.retier.sim.run.Outcome;
import dev.retier.sim.run.Setup;
import dev.retier.sim.run.Simulation;
import dev.retier.traces.made.GeneratedTrace;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./retier bench board}: what the decision must do well, and hours in which it must do nothing. */
@Command(
        name = "board",
        description = "Every situation that the decision must do well, simulated with the shipped defaults, and hours"
                + " of quiet loads in which nothing may move. Virtual time: the figures are the same on every machine.")
@Measures(
        modules = {"simulator", "reconfig-agent", "shared-state", "balance", "traces"},
        simulated = true)
public final class BoardBench implements Callable<Integer> {
    private static final int NODES = 7;
    private static final int TRIED_REQUESTS = 20_000;
    private static final double SECONDS_PER_HOUR = 3_600;
    private static final int SHOWN_MOVES = 4;

    @Mixin
    private BoardOptions board = new BoardOptions();

    @Option(
            names = "--quiet-hours",
            paramLabel = "N",
            description = "How long each quiet load lasts; 0: none (default: ${DEFAULT-VALUE}).")
    private double quietHours = 3;

    @Option(
            names = "--quiet-seeds",
            paramLabel = "N",
            description = "How many seeds for each quiet load (default: ${DEFAULT-VALUE}).")
    private int quietSeeds = 2;

    @Mixin
    private ResultOptions options = new ResultOptions();

    /**
     * {@inheritDoc}
     *
     * @throws IOException if the result cannot be kept
     */
    @Override
    public Integer call() throws IOException {
        Results results = options.begin(
                "board",
                "What the decision must do well",
                "./retier bench board --seeds " + board.seeds().count() + " --quiet-hours " + quietHours
                        + " --quiet-seeds " + quietSeeds);
        results.note("The agents' own decisions with every default of the cluster file, on simulated servers"
                + " (simulator/README.md). More is better. Spread is the standard deviation over seeds "
                + board.seeds().first() + " to "
                + (board.seeds().first() + board.seeds().count() - 1) + ".");
        rows(results);
        if (quietHours > 0) {
            quiet(results);
        }
        options.end(results);
        return 0;
    }

    private void rows(Results results) {
        Table table = new Table("row", "figure", "mean", "spread", "least", "why");
        for (Row row : board.rows()) {
            List<Score> scores = Board.run(List.of(row), board.seeds(), board.threads());
            Progress.tell(row.name());
            for (int figure = 0; figure < scores.size(); figure++) {
                Score score = scores.get(figure);
                table.row(
                        row.name(),
                        row.figures().get(figure).name(),
                        score.mean(),
                        score.spread(),
                        score.bySeed().stream().mapToDouble(seen -> seen).min().orElseThrow(),
                        row.why());
            }
        }
        results.heading("Rows").table("rows", table);
    }

    private void quiet(Results results) {
        results.heading("Quiet loads");
        results.note("Poisson arrivals at a share of what the split carries, for " + quietHours + " h; what"
                + " utilisation figures deviate by on top is a lag of up to " + QuietRows.LAG.toMillis()
                + " ms in what a server tells of the time that it has worked. It was taken from real httpd nodes: a lab"
                + " of seven, 10 % of a processor each, asked for 35 s by an open loop; their counters were read every"
                + " 100 ms over 200 ms, as agents do. Nine saturated ones, whose figures should be 1, deviated by 0.072"
                + " (median; 0.02 to 0.09), with -0.4 of that between every second figure, as errors of the counter and"
                + " not of the load do. Best is what all six splits of seven nodes answered when tried, clients in a"
                + " closed loop. Wanted: the present split is the best of those, and nothing moves.");
        Table table = new Table(
                "load", "seed", "present_tried", "best_tried", "is_best", "moves", "in_time_percent", "first_moves");
        for (QuietRows.Quiet quiet : QuietRows.quiet()) {
            List<Double> tried = tried(quiet);
            double present = tried.get(quiet.proxies() - 1);
            double best = tried.stream().mapToDouble(rate -> rate).max().orElseThrow();
            for (long seed : seeds()) {
                Outcome outcome = Lab.reconfigured(quiet.setup(quietHours * SECONDS_PER_HOUR, seed));
                Progress.tell(quiet + ": " + outcome.moves().size() + " moves");
                table.row(
                        quiet.toString(),
                        seed,
                        present,
                        best,
                        present >= best ? "yes" : "no",
                        outcome.moves().size(),
                        100 * Situations.inTime(outcome, 0),
                        moves(outcome));
            }
        }
        results.table("quiet", table);
    }

    private List<Long> seeds() {
        long first = board.seeds().first();
        return LongStream.range(first, first + quietSeeds).boxed().toList();
    }

    /** Requests per second of each split of the nodes, the one with the fewest proxies first. */
    private static List<Double> tried(QuietRows.Quiet quiet) {
        return IntStream.range(1, NODES)
                .mapToObj(proxies -> Allocation.of(proxies, NODES - proxies))
                .map(split -> {
                    Setup setup = Situations.setup(
                            Situations.cluster(split),
                            Lab.HTTPD,
                            1,
                            Lab.closed(GeneratedTrace.mixed(TRIED_REQUESTS, quiet.dynamicShare(), Lab.SINGLE, 1)));
                    return Simulation.run(setup, new Approach.Rigid(split.roles(setup.config())))
                            .perSecond();
                })
                .toList();
    }

    private static String moves(Outcome outcome) {
        return outcome.moves().stream().limit(SHOWN_MOVES).map(BoardBench::text).collect(Collectors.joining("; "));
    }

    private static String text(MoveSeen move) {
        return String.format(
                ROOT,
                "%.0f s %s %s to %s (%s)",
                move.orderedSeconds(),
                move.node(),
                move.from(),
                move.to(),
                move.reason());
    }
}
