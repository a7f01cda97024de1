package dev.retier.bench.lab;

import dev.retier.bench.CellOptions;
import dev.retier.bench.ResultOptions;
import dev.retier.bench.Results;
import dev.retier.config.Fields;
import dev.retier.report.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./retier bench lab}: E1 to E3 with real httpd. */
@Command(
        name = "lab",
        description = "Real httpd nodes in a lab: what each rigid split can answer, then alternating bursts rigid and"
                + " reconfigured. Linux, as root, with apache2 and haproxy.")
public final class LabBench implements Callable<Integer> {
    private static final List<Double> MIXES = List.of(0.0, 0.2, 0.5, 1.0);
    private static final String OBSERVE = "observe";
    private static final String ACT = "act";
    private static final int SECONDS_TO_FILL_CACHES = 3;
    private static final int MOST_SHORT_PAIRS = 32;

    /** What the clients are connected to. */
    private enum Connected {
        EDGE("kept alive to the edge"),
        STAY("kept alive to the proxies themselves, where they stay"),
        SPREAD("kept alive to the proxies themselves, over which they spread");

        private final String sentence;

        Connected(String sentence) {
            this.sentence = sentence;
        }

        List<String> options() {
            return this == EDGE
                    ? List.of(LabRuns.edge())
                    : List.of("--agent", LabRuns.agent(), "--connections", Fields.lowerCase(this));
        }
    }

    @Mixin
    private CellOptions cell = new CellOptions(8);

    @Option(
            names = "--proxies",
            split = ",",
            paramLabel = "N",
            description = "Splits to try, by their proxies (default: 6,4,2,1).")
    private List<Integer> splits = List.of(6, 4, 2, 1);

    @Option(names = "--clients", paramLabel = "N", description = "Connections (default: ${DEFAULT-VALUE}).")
    private int clients = 48;

    @Option(
            names = "--connections",
            paramLabel = "HOW",
            description = "edge: kept alive to the edge, which spreads requests; stay or spread: kept alive to the"
                    + " proxies themselves by an agent's target list, see load (default: ${DEFAULT-VALUE}).")
    private Connected connections = Connected.EDGE;

    @Option(
            names = "--bursts",
            split = ",",
            paramLabel = "N",
            description = "Lengths of the alternating bursts, in requests (default: 512,8192).")
    private List<Integer> bursts = List.of(512, 8192);

    @Option(
            names = "--pairs",
            paramLabel = "N",
            description = "Pairs of the longest bursts; of shorter ones as many as make the same number of requests,"
                    + " at most " + MOST_SHORT_PAIRS + " (default: ${DEFAULT-VALUE}).")
    private int pairs = 2;

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
                "lab",
                "Real httpd nodes: rigid splits, and reconfigured",
                "./retier bench lab --nodes " + cell.nodes() + " --seconds " + cell.seconds() + " --pairs " + pairs
                        + " --connections " + Fields.lowerCase(connections) + " --bursts "
                        + bursts.stream().map(LabBench::text).collect(Collectors.joining(",")));
        results.note(cell.nodes() + " nodes with Apache httpd, each with 10 % of a processor, behind HAProxy; "
                + clients
                + " clients in a closed loop, " + connections.sentence + ", that never retry. Answers of the first "
                + SECONDS_TO_FILL_CACHES + " s of each cell, which fill the caches, are left out.");
        try {
            Map<Integer, List<Double>> rates = splits(results);
            bursts(results, rates);
        } finally {
            LabRuns.down();
        }
        options.end(results);
        return 0;
    }

    /** Requests per second of each split for each mix. */
    private Map<Integer, List<Double>> splits(Results results) throws IOException, InterruptedException {
        Map<Integer, List<Double>> rates = new LinkedHashMap<>();
        Table table = new Table(
                "proxies",
                "apps",
                "all_static_per_s",
                "fifth_dynamic_per_s",
                "half_dynamic_per_s",
                "all_dynamic_per_s",
                "failed");
        for (int proxies : splits) {
            LabRuns.down();
            LabRuns.up(cell.nodes(), proxies, OBSERVE);
            List<Double> row = new ArrayList<>();
            double failed = 0;
            for (double mix : MIXES) {
                load(mixed(mix, SECONDS_TO_FILL_CACHES));
                LabRuns.Load load = load(mixed(mix, cell.seconds()));
                row.add(load.perSecond());
                failed += load.failed();
            }
            table.row(proxies, cell.nodes() - proxies, row.get(0), row.get(1), row.get(2), row.get(3), (long) failed);
            rates.put(proxies, row);
        }
        results.heading("Requests per second by split (E1)").table("splits", table);
        return rates;
    }

    private static List<String> mixed(double share, int seconds) {
        return List.of("--make", "mix", "--mix", Double.toString(share), "--requests", "10000000", "-d", seconds + "s");
    }

    private void bursts(Results results, Map<Integer, List<Double>> rates) throws IOException, InterruptedException {
        int rigid = bestRigid(rates);
        double bestStatic = best(rates, 0);
        double bestDynamic = best(rates, MIXES.size() - 1);
        Table table = new Table(
                "burst",
                "bursts",
                "rigid_s",
                "reconfigured_s",
                "oracle_s",
                "rigid_over_reconfigured",
                "oracle_over_reconfigured",
                "moves",
                "failed");
        int longest = bursts.stream().mapToInt(Integer::intValue).max().orElseThrow();
        for (int burst : bursts) {
            int count = 2 * Math.max(pairs, Math.min(MOST_SHORT_PAIRS, pairs * longest / burst));
            List<String> trace = List.of("--make", "bursts", "--burst", text(burst), "--bursts", text(count));
            LabRuns.Load before = run(rigid, OBSERVE, trace);
            LabRuns.Load after = run(rigid, ACT, trace);
            double oracle = count / 2.0 * burst * (1 / bestStatic + 1 / bestDynamic);
            table.row(
                    burst,
                    count,
                    before.seconds(),
                    after.seconds(),
                    oracle,
                    before.seconds() / after.seconds(),
                    oracle / after.seconds(),
                    LabRuns.moves(),
                    (long) (before.failed() + after.failed()));
        }
        results.heading("Alternating bursts of static and dynamic requests (E2, E3)")
                .note(String.format(
                        Locale.ROOT,
                        "Rigid is the split that answers equal bursts soonest, by the table above: %d proxies, %d apps."
                                + " The oracle would have the best split for each burst at no cost.",
                        rigid,
                        cell.nodes() - rigid))
                .table("bursts", table);
    }

    private LabRuns.Load run(int proxies, String mode, List<String> trace) throws IOException, InterruptedException {
        LabRuns.down();
        LabRuns.up(cell.nodes(), proxies, mode);
        return load(trace);
    }

    private LabRuns.Load load(List<String> options) throws IOException, InterruptedException {
        return LabRuns.load(connections.options(), clients, options);
    }

    private static int bestRigid(Map<Integer, List<Double>> rates) {
        return rates.entrySet().stream()
                .min(Comparator.comparingDouble(row ->
                        1 / row.getValue().getFirst() + 1 / row.getValue().getLast()))
                .orElseThrow()
                .getKey();
    }

    private static double best(Map<Integer, List<Double>> rates, int mix) {
        return rates.values().stream().mapToDouble(row -> row.get(mix)).max().orElseThrow();
    }

    private static String text(int number) {
        return Integer.toString(number);
    }
}
