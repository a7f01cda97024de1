package dev.retier.bench.lab;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.bench.CellOptions;
import dev.retier.bench.Measures;
import dev.retier.bench.ResultOptions;
import dev.retier.bench.Results;
import dev.retier.report.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./retier bench chain}: two moves of real nodes of which the first makes the second possible. */
@Command(
        name = "chain",
        description = "In a lab: two httpd proxies, which there must be, a spare HAProxy, and apps that are saturated."
                + " The HAProxy becomes a proxy so that an httpd can become an app. Linux, as root, with apache2 and"
                + " haproxy.")
@Measures(
        modules = {"verbs", "soft-iwarp", "link", "shared-state", "reconfig-agent", "load-gen", "traces", "cli"},
        needs = {Measures.Need.ROOT, Measures.Need.APACHE2, Measures.Need.HAPROXY, Measures.Need.IP})
public final class ChainBench implements Callable<Integer> {
    private static final int PROXIES = 2;
    private static final List<String> LAB = List.of("--haproxy", "1", "--min-proxies", Integer.toString(PROXIES));

    @Mixin
    private CellOptions cell = new CellOptions(20);

    @Option(names = "--clients", paramLabel = "N", description = "Connections (default: ${DEFAULT-VALUE}).")
    private int clients = 48;

    @Mixin
    private ResultOptions options = new ResultOptions();

    /**
     * {@inheritDoc}
     *
     * @throws Exception if a lab cannot be made or load fails
     */
    @Override
    public Integer call() throws Exception {
        Results results = options.begin(
                "chain",
                "A chain of two moves on real servers",
                "./retier bench chain --nodes " + cell.nodes() + " --seconds " + cell.seconds() + " --clients "
                        + clients);
        results.note(String.format(
                Locale.ROOT,
                "%d nodes, each with 10 %% of a processor, behind HAProxy: %d with Apache httpd, of which %d are"
                        + " proxies and no fewer may be, and one with HAProxy, which is spare and cannot be an app."
                        + " %d clients in a closed loop, kept alive to the edge, that never retry, ask for dynamic"
                        + " pages alone.",
                cell.nodes(),
                cell.nodes() - 1,
                PROXIES,
                clients));
        try {
            measure(results);
        } finally {
            LabRuns.down();
        }
        options.end(results);
        return 0;
    }

    private void measure(Results results) throws IOException, InterruptedException {
        up("observe");
        LabRuns.Load fixed = load(List.of());
        up("act");
        Path file = Files.createTempFile("retier-chain", ".json");
        try {
            LabRuns.Load meanwhile = load(List.of("--json", file.toString()));
            LabRuns.Load then = load(List.of());
            Table table = new Table("roles", "answers_per_s", "p99_ms", "answered", "failed");
            row(table, "as they were", fixed);
            row(table, "while the nodes move", meanwhile);
            row(table, "after", then);
            results.heading("Answers").table("answers", table);
            moves(results, LabRuns.begun(file));
            results.note(String.format(
                    Locale.ROOT,
                    "Answers after over before: %.2f. No request may fail: %s.",
                    then.perSecond() / fixed.perSecond(),
                    Results.verdict(fixed.failed() + meanwhile.failed() + then.failed() == 0)));
        } finally {
            Files.deleteIfExists(file);
        }
    }

    private void up(String mode) throws IOException, InterruptedException {
        LabRuns.down();
        LabRuns.up(cell.nodes(), PROXIES, mode, LAB.toArray(String[]::new));
    }

    private LabRuns.Load load(List<String> more) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(
                List.of("--make", "mix", "--mix", "1", "--requests", "10000000", "-d", cell.seconds() + "s"));
        words.addAll(more);
        return LabRuns.load(List.of(LabRuns.edge()), clients, words);
    }

    private static void row(Table table, String roles, LabRuns.Load load) {
        table.row(roles, load.perSecond(), load.p99Millis(), (long) load.answered(), (long) load.failed());
    }

    private static void moves(Results results, Instant begun) throws IOException {
        ClusterConfig cluster = LabRuns.cluster();
        Table table = MadeMove.table();
        List<MadeMove> moves = MadeMove.all(cluster);
        moves.forEach(move -> move.row(table, cluster, begun));
        boolean isInOrder = moves.size() == 2
                && moves.stream().allMatch(MadeMove::isDone)
                && moves.getFirst()
                        .move()
                        .order()
                        .to()
                        .equals(moves.getLast().move().order().from())
                && !moves.getLast().move().at().isBefore(moves.getFirst().end());
        results.heading("Moves")
                .note("By the journals of the nodes; ordered since the first request of the load.")
                .table("moves", table)
                .note("Two moves, the second one of a node whose place the first one has taken, ordered once that has"
                        + " ended: "
                        + Results.verdict(isInOrder) + ".");
    }
}
