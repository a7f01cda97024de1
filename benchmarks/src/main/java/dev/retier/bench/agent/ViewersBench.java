package dev.retier.bench.agent;

import dev.retier.bench.Launched;
import dev.retier.bench.Measures;
import dev.retier.bench.Pause;
import dev.retier.bench.QuietRounds.Kept;
import dev.retier.bench.ResultOptions;
import dev.retier.bench.Results;
import dev.retier.report.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./retier bench viewers}: what those who watch an agent take of it. */
@Command(
        name = "viewers",
        description = "What those who watch an agent take of it: its processor time without and with streams of events,"
                + " in turns, in a cell of many nodes. Linux.")
@Measures(modules = {"verbs", "soft-iwarp", "link", "shared-state", "reconfig-agent", "web-node", "cli"})
public final class ViewersBench implements Callable<Integer> {
    private static final double TARGET_PERCENT = 1;
    private static final double PERCENT = 100;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final int PROXIES_PER_NODES = 4;

    @Option(names = "--nodes", paramLabel = "N", description = "Nodes of the cell (default: ${DEFAULT-VALUE}).")
    private int nodes = 64;

    @Option(names = "--viewers", paramLabel = "N", description = "Who watch, 1 to 16 (default: ${DEFAULT-VALUE}).")
    private int viewers = 3;

    @Option(
            names = "--pairs",
            paramLabel = "N",
            description = "Turns without and with them (default: ${DEFAULT-VALUE}).")
    private int pairs = 5;

    @Option(names = "--seconds", paramLabel = "N", description = "Of each turn (default: ${DEFAULT-VALUE}).")
    private int seconds = 20;

    @Option(names = "--warm-up", paramLabel = "SECONDS", description = "Before the first (default: ${DEFAULT-VALUE}).")
    private int warmUp = 60;

    @Mixin
    private ResultOptions options = new ResultOptions();

    private record Pair(double without, double with, double statusesPerSecond, double kibibytesPerSecond) {
        double more() {
            return with - without;
        }
    }

    /**
     * {@inheritDoc}
     *
     * @throws Exception if an agent does not start, or cannot be watched
     */
    @Override
    public Integer call() throws Exception {
        Results results = options.begin(
                "viewers",
                "What those who watch an agent take of it",
                String.format(
                        Locale.ROOT,
                        "./retier bench viewers --nodes %d --viewers %d --pairs %d --seconds %d --warm-up %d",
                        nodes,
                        viewers,
                        pairs,
                        seconds,
                        warmUp));
        results.note(String.format(
                Locale.ROOT,
                "The agent of the first of %d nodes is a process started by `./retier agent` with every default,"
                        + " beside a web-node; of the others it reads the slots, in which another process publishes"
                        + " loads that always change. Its processor time in percent of one core, as the kernel counts"
                        + " it, without and with %d who read `/v1/events`, in turns.",
                nodes,
                viewers));
        Path folder = Launched.emptyWorkFolder("bench-viewers");
        try (AgentCell cell = AgentCell.startFirst(folder, nodes, Math.max(2, nodes / PROXIES_PER_NODES))) {
            Pause.seconds(warmUp);
            Kept<Pair> kept = results.rounds().run(0, pairs, _ -> pair(cell));
            tell(results, kept);
        }
        options.end(results);
        return 0;
    }

    private Pair pair(AgentCell cell) throws IOException, InterruptedException {
        double without = percent(cell);
        try (Viewers watching = Viewers.open(cell.agent(1), viewers)) {
            Pause.seconds(2);
            long statuses = watching.statuses();
            long characters = watching.characters();
            double with = percent(cell);
            if (cell.unknownShare(1) > 0) {
                throw new IOException("the agent does not see its whole cell; see " + cell.log(1));
            }
            if (!watching.areThere()) {
                throw new IOException("the agent has ended the stream of somebody who watched; see " + cell.log(1));
            }
            double perViewer = 1.0 / viewers / seconds;
            return new Pair(
                    without,
                    with,
                    (watching.statuses() - statuses) * perViewer,
                    (watching.characters() - characters) * perViewer / 1024);
        }
    }

    private double percent(AgentCell cell) throws IOException {
        double before = cell.figures().getFirst().cpuSeconds();
        long beganNanos = System.nanoTime();
        Pause.seconds(seconds);
        double took = cell.figures().getFirst().cpuSeconds() - before;
        return PERCENT * took / ((System.nanoTime() - beganNanos) / NANOS_PER_SECOND);
    }

    private void tell(Results results, Kept<Pair> kept) {
        Table table = new Table(
                "pair", "cpu_percent_without", "cpu_percent_with", "more", "statuses_per_second", "kib_per_second");
        List<Pair> all = kept.all();
        for (int i = 0; i < all.size(); i++) {
            Pair pair = all.get(i);
            table.row(i + 1, pair.without, pair.with, pair.more(), pair.statusesPerSecond, pair.kibibytesPerSecond);
        }
        double median = all.stream()
                .mapToDouble(Pair::more)
                .sorted()
                .skip(all.size() / 2)
                .findFirst()
                .orElseThrow();
        results.heading("In turns")
                .table("pairs", table)
                .note(String.format(
                        Locale.ROOT,
                        "In the middle %d viewers take %.2f %% of a core more; they must take less than %.0f %%: %s."
                                + " The last two columns are of each viewer.",
                        viewers,
                        median,
                        TARGET_PERCENT,
                        kept.verdict(median < TARGET_PERCENT)));
    }
}
