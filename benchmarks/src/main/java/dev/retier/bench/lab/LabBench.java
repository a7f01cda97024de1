package dev.retier.bench.lab;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.bench.CellOptions;
import dev.retier.bench.Measures;
import dev.retier.bench.Measures.Need;
import dev.retier.bench.Progress;
import dev.retier.bench.ResultOptions;
import dev.retier.bench.Results;
import dev.retier.bench.Stats;
import dev.retier.config.Fields;
import dev.retier.report.Table;
import dev.retier.sim.model.NodeCosts;
import dev.retier.sim.service.Clients;
import dev.retier.sim.service.Demand;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./retier bench lab}: E1 to E3 with real httpd. */
@Command(
        name = "lab",
        description = "Real httpd nodes in a lab: what each rigid split can answer, then alternating bursts rigid and"
                + " reconfigured. Linux, as root, with apache2 and haproxy.")
@Measures(
        modules = {
            "verbs",
            "soft-iwarp",
            "link",
            "balance",
            "fabric",
            "shared-state",
            "reconfig-agent",
            "load-gen",
            "traces",
            "simulator",
            "cli"
        },
        needs = {Need.ROOT, Need.APACHE2, Need.HAPROXY, Need.IP})
public final class LabBench implements Callable<Integer> {
    private static final List<Double> MIXES = List.of(0.0, 0.2, 0.5, 1.0);
    private static final String OBSERVE = "observe";
    private static final String ACT = "act";
    private static final int SECONDS_TO_SETTLE = 3;
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

        Clients clients(int count) {
            return this == STAY ? Clients.staying(count) : Clients.closed(count);
        }

        /** By the site's one name at each proxy, as users ask: under that name they cache. */
        List<String> options() {
            String how = Fields.lowerCase(this);
            return this == EDGE
                    ? List.of(LabRuns.edge())
                    : List.of("--agent", LabRuns.agent(), "--connections", how, "--host", LabRuns.edgeTarget());
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

    @Option(
            names = "--repetitions",
            paramLabel = "N",
            description = "How often each burst is run, rigid and reconfigured in turn (default: ${DEFAULT-VALUE}).")
    private int repetitions = 3;

    @Mixin
    private PlacementOption placement = new PlacementOption();

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
                placement.record("lab"),
                "Real httpd nodes: rigid splits, and reconfigured, beside what the simulator predicts",
                "./retier bench lab --nodes " + cell.nodes() + " --seconds " + cell.seconds() + " --pairs " + pairs
                        + " --connections " + Fields.lowerCase(connections) + " --bursts "
                        + bursts.stream().map(LabBench::text).collect(Collectors.joining(",")) + " --repetitions "
                        + repetitions + placement.words());
        results.note(cell.nodes() + " nodes with Apache httpd, each with 10 % of a processor, "
                + placement.sentence() + ", behind HAProxy; "
                + clients
                + " clients in a closed loop, " + connections.sentence + ", that never retry. "
                + WarmCaches.SENTENCE + " "
                + "Of each split and mix the answers of the first " + SECONDS_TO_SETTLE + " s are left out.");
        try (WarmCaches caches = new WarmCaches()) {
            Map<Integer, List<Double>> rates = splits(results, caches);
            Costs costs = costs(results, rates);
            tell(results, rates, bursts(costs.rigid, caches), costs.nodes);
        } finally {
            LabRuns.down();
        }
        options.end(results);
        return 0;
    }

    /** Requests per second of each split for each mix. */
    private Map<Integer, List<Double>> splits(Results results, WarmCaches caches)
            throws IOException, InterruptedException {
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
            up(proxies, OBSERVE, caches);
            if (rates.isEmpty()) {
                caches.keep(List.of(connections.options()), clients);
                caches.fill();
            }
            List<Double> row = new ArrayList<>();
            double failed = 0;
            for (double mix : MIXES) {
                load(mixed(mix, SECONDS_TO_SETTLE));
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

    /** What the splits say: the best of them, and what requests cost. */
    private record Costs(int rigid, NodeCosts nodes) {}

    private Costs costs(Results results, Map<Integer, List<Double>> rates) {
        NodeCosts nodes = Prediction.costs(cell.nodes(), MIXES, rates);
        results.note(String.format(
                Locale.ROOT,
                "By these, of the %.0f us per second that a node has, a static request takes %.0f us at a proxy, a"
                        + " forwarded one %.0f us, and a dynamic one %.0f us at an app. The simulator has these costs.",
                nodes.capacityPerSecond(),
                nodes.staticHit(),
                nodes.forward(),
                nodes.dynamic()));
        return new Costs(bestRigid(rates), nodes);
    }

    /** One repetition of one burst length. */
    private record Pair(LabRuns.Load rigid, LabRuns.Load reconfigured, long moves, ClusterConfig rules) {}

    /** The repetitions of each burst length: rigid and reconfigured in turn, and all lengths before the next. */
    private Map<Integer, List<Pair>> bursts(int rigid, WarmCaches caches) throws IOException, InterruptedException {
        Map<Integer, List<Pair>> pairsOf = new LinkedHashMap<>();
        for (int repetition = 0; repetition < repetitions; repetition++) {
            for (int burst : bursts) {
                List<String> trace =
                        List.of("--make", "bursts", "--burst", text(burst), "--bursts", text(count(burst)));
                LabRuns.Load before = run(rigid, OBSERVE, trace, caches);
                LabRuns.Load after = run(rigid, ACT, trace, caches);
                ClusterConfig cluster = LabRuns.cluster();
                Pair pair = new Pair(before, after, MadeMove.done(cluster), cluster);
                pairsOf.computeIfAbsent(burst, _ -> new ArrayList<>()).add(pair);
                Progress.tell(String.format(
                        Locale.ROOT,
                        "bursts of %d, repetition %d of %d: rigid %.1f s, reconfigured %.1f s",
                        burst,
                        repetition + 1,
                        repetitions,
                        before.seconds(),
                        after.seconds()));
            }
        }
        return pairsOf;
    }

    private int count(int burst) {
        int longest = bursts.stream().mapToInt(Integer::intValue).max().orElseThrow();
        return 2 * Math.max(pairs, Math.min(MOST_SHORT_PAIRS, pairs * longest / burst));
    }

    private void tell(
            Results results, Map<Integer, List<Double>> rates, Map<Integer, List<Pair>> pairsOf, NodeCosts costs) {
        Table runs = new Table("burst", "repetition", "rigid_s", "reconfigured_s", "gain", "moves", "failed");
        Table medians = new Table(
                "burst",
                "bursts",
                "burst_seconds",
                "rigid_s",
                "reconfigured_s",
                "oracle_s",
                "gain",
                "least_gain",
                "most_gain",
                "of_oracle");
        Table predicted = new Table(
                "burst",
                "rigid_s",
                "predicted_rigid_s",
                "reconfigured_s",
                "predicted_reconfigured_s",
                "gain",
                "predicted_gain",
                "gain_over_predicted",
                "moves",
                "predicted_moves");
        pairsOf.forEach((burst, all) -> {
            for (int number = 0; number < all.size(); number++) {
                addRun(runs, burst, number + 1, all.get(number));
            }
            double oracle = count(burst) / 2.0 * burst * (1 / best(rates, 0) + 1 / best(rates, MIXES.size() - 1));
            addMedians(medians, burst, oracle, all);
            Demand demand = Prediction.bursts(burst, count(burst), LabRuns.OBJECTS, connections.clients(clients));
            addPredicted(predicted, burst, all, Prediction.of(all.getFirst().rules(), costs, demand));
        });
        results.heading("Alternating bursts of static and dynamic requests (E2, E3)")
                .note(String.format(
                        Locale.ROOT,
                        "Rigid is the split that answers equal bursts soonest, by the table above: %1$d proxies, %2$d"
                                + " apps. The oracle would have the best split for each burst at no cost. Medians of"
                                + " %3$d repetitions, rigid and reconfigured in turn; gain: rigid's time over that of"
                                + " reconfigured, repetition by repetition. A burst lasts as long as the oracle takes"
                                + " for it.",
                        bestRigid(rates),
                        cell.nodes() - bestRigid(rates),
                        repetitions))
                .table("bursts", medians)
                .table("runs", runs);
        results.heading("The same run, predicted")
                .note("The simulator with the lab's cluster file, these very requests, as many clients, the costs"
                        + " above, and reloads as bench moves measured them (docs/results/moves.md).")
                .table("predicted", predicted);
    }

    private static void addRun(Table table, int burst, int number, Pair pair) {
        table.row(burst, number, pair.rigid.seconds(), pair.reconfigured.seconds(), gain(pair), pair.moves, (long)
                (pair.rigid.failed() + pair.reconfigured.failed()));
    }

    private static double gain(Pair pair) {
        return pair.rigid.seconds() / pair.reconfigured.seconds();
    }

    private void addMedians(Table table, int burst, double oracle, List<Pair> all) {
        Stats gains = Stats.of(all, LabBench::gain);
        double reconfigured = seconds(all, Pair::reconfigured);
        table.row(
                burst,
                count(burst),
                oracle / count(burst),
                seconds(all, Pair::rigid),
                reconfigured,
                oracle,
                gains.median(),
                gains.least(),
                gains.most(),
                oracle / reconfigured);
    }

    private static double seconds(List<Pair> all, Function<Pair, LabRuns.Load> of) {
        return Stats.of(all, pair -> of.apply(pair).seconds()).median();
    }

    private static void addPredicted(Table table, int burst, List<Pair> all, Prediction prediction) {
        double gain = Stats.of(all, LabBench::gain).median();
        double ofRigid = prediction.rigid().seconds();
        double ofReconfigured = prediction.reconfigured().seconds();
        table.row(
                burst,
                seconds(all, Pair::rigid),
                ofRigid,
                seconds(all, Pair::reconfigured),
                ofReconfigured,
                gain,
                ofRigid / ofReconfigured,
                gain / (ofRigid / ofReconfigured),
                (long) Stats.of(all, Pair::moves).median(),
                prediction.reconfigured().moves().size());
    }

    private LabRuns.Load run(int proxies, String mode, List<String> trace, WarmCaches caches)
            throws IOException, InterruptedException {
        up(proxies, mode, caches);
        return load(trace);
    }

    private void up(int proxies, String mode, WarmCaches caches) throws IOException, InterruptedException {
        LabRuns.down();
        LabRuns.up(cell.nodes(), proxies, mode, placement.options().toArray(String[]::new));
        caches.fill();
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
