package dev.retier.bench.lab;

import dev.retier.bench.CellOptions;
import dev.retier.bench.Measures;
import dev.retier.bench.Measures.Need;
import dev.retier.bench.ResultOptions;
import dev.retier.bench.Results;
import dev.retier.bench.RoundsOption;
import dev.retier.bench.Stats;
import dev.retier.config.Fields;
import dev.retier.report.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code ./retier bench placement}: what it costs, and what is seen, when agents live within their nodes' quotas. */
@Command(
        name = "placement",
        description = "Real httpd nodes that are saturated within their quotas, with their agents outside and inside of"
                + " these, in turns: what they answer, how long looks take, how many nodes are late or unknown, what a"
                + " figure of such a node costs otherwise (E14), how soon a saturated tier gets its nodes. Linux, as"
                + " root, with apache2 and haproxy.")
@Measures(
        modules = {"verbs", "soft-iwarp", "link", "fabric", "shared-state", "reconfig-agent", "load-gen", "cli"},
        needs = {Need.ROOT, Need.APACHE2, Need.HAPROXY, Need.IP})
public final class PlacementBench implements Callable<Integer> {
    private static final int PROXIES = 2;
    private static final int CLIENTS = 48;
    /** The first two minutes of an agent are those of its compiler. */
    private static final int SECONDS_TO_WARM_UP = 120;

    private static final int SECONDS_TO_SETTLE = 10;

    private static final String WARM_UP = SECONDS_TO_WARM_UP + "s";
    private static final double NINETY_NINE = 0.99;
    private static final double HUNDRED = 100;

    /** The pieces in which Linux hands quotas to processors (sched-bwc.rst); 5 ms unless somebody says less. */
    private static final Path PIECES = Path.of("/proc/sys/kernel/sched_cfs_bandwidth_slice_us");

    private static final String SMALL_PIECES = "500";

    /** What is set beside what. */
    private enum Row {
        OUTSIDE("outside"),
        INSIDE("inside"),
        IN_SMALL_PIECES("inside");

        private final String placement;

        Row(String placement) {
            this.placement = placement;
        }
    }

    /** What the lab's nodes and agents have of a processor, in percent. */
    private static final double NODE_PERCENT = 10;

    private static final double AGENT_PERCENT = 3;
    private static final double SLACK_POINTS = 3;
    private static final double MOST_UNSEEN_PERCENT = 1;
    private static final double LOOK_MILLIS = 120;
    /** T of a lab, the window of utilisation, and two looks. */
    private static final double REACTION_SECONDS = 1 + 0.5 + 0.4;

    @Mixin
    private CellOptions cell = new CellOptions(30);

    @Mixin
    private RoundsOption rounds = new RoundsOption(3);

    @Mixin
    private ResultOptions options = new ResultOptions();

    /** What was seen with one placement, over all rounds. */
    private static final class Series {
        private final Stats perSecond = new Stats();
        private final AgentCounters counters = new AgentCounters();
        private final Stats agentMillis = new Stats();
        private final Stats pageMillis = new Stats();
        private final Stats cpuPercent = new Stats();
    }

    /**
     * {@inheritDoc}
     *
     * @throws Exception if a lab cannot be made or load fails
     */
    @Override
    public Integer call() throws Exception {
        Results results = options.begin(
                "placement",
                "Agents outside and inside the quotas of their nodes",
                "./retier bench placement --nodes " + cell.nodes() + " --rounds " + rounds.count() + " --seconds "
                        + cell.seconds());
        results.note(cell.nodes() + " nodes with Apache httpd, " + PROXIES + " of them proxies, each with 10 % of a"
                + " processor; behind HAProxy " + CLIENTS + " clients in a closed loop, half of their requests"
                + " dynamic, which saturates them. Outside: the agents are in no quota. Inside: of each 100 ms"
                + " httpd has 7 and its agent 3, and once up to 3 more of what it left before (cpu.max.burst); both"
                + " together have 10. In small pieces: the same, and the kernel hands quotas to processors by 0.5 ms"
                + " instead of the machine's own pieces (kernel.sched_cfs_bandwidth_slice_us)."
                + " Figures begin "
                + SECONDS_TO_WARM_UP + " s after the agents were ready. S is 200 ms; figures are published every"
                + " 100 ms.");
        Map<Row, Series> all = new EnumMap<>(Row.class);
        List<Row> rows = List.of(Row.values());
        rows.forEach(row -> all.put(row, new Series()));
        // Such files give all to the first read alone, and readString begins with one byte.
        String pieces = Files.readAllLines(PIECES).getFirst();
        try {
            for (int round = 0; round < rounds.count(); round++) {
                for (Row row : round % 2 == 0 ? rows : rows.reversed()) {
                    Files.writeString(PIECES, row == Row.IN_SMALL_PIECES ? SMALL_PIECES : pieces);
                    measure(row.placement, Objects.requireNonNull(all.get(row)));
                }
            }
            Files.writeString(PIECES, pieces);
            tell(results, all);
            tellFigures(results, all);
            react(results);
        } finally {
            Files.writeString(PIECES, pieces);
            LabRuns.down();
        }
        options.end(results);
        return 0;
    }

    private void measure(String placement, Series series) throws IOException, InterruptedException {
        LabRuns.down();
        LabRuns.up(cell.nodes(), PROXIES, "observe", "--placement", placement);
        LabRuns.load(List.of(LabRuns.edge()), CLIENTS, mixed(SECONDS_TO_WARM_UP));
        // To tell its counters for the first time costs an agent a second of its quota, and the others their looks at
        // it.
        AgentCounters.read(cell.nodes());
        LabRuns.load(List.of(LabRuns.edge()), CLIENTS, mixed(SECONDS_TO_SETTLE));
        AgentCounters before = AgentCounters.read(cell.nodes());
        AgentFigures cost = AgentFigures.begin();
        LabRuns.Load load = LabRuns.load(List.of(LabRuns.edge()), CLIENTS, mixed(cell.seconds()));
        series.perSecond.add(load.perSecond());
        series.counters.add(AgentCounters.read(cell.nodes()).since(before));
        cost.end().forEach(agent -> series.cpuPercent.add(agent.cpuPercent()));
        ask(series);
    }

    private static List<String> mixed(int seconds) {
        return List.of("--make", "mix", "--mix", "0.5", "--requests", "10000000", "-d", seconds + "s");
    }

    /** The same clients again, and beside them one who wants ten figures a second of a proxy. */
    private void ask(Series series) throws IOException, InterruptedException {
        Path file = Files.createTempFile("retier-placement", ".json");
        int half = Math.max(1, cell.seconds() / 2);
        List<String> words = new ArrayList<>(List.of(LabRuns.edge(), "-c", Integer.toString(CLIENTS)));
        words.addAll(mixed(2 * half + 2));
        Process load = LabRuns.startLoad(file, words);
        try {
            series.agentMillis.add(LabRuns.askAgent(1, half).p99Millis());
            series.pageMillis.add(LabRuns.askPage(1, half).p99Millis());
            if (load.waitFor() != 0) {
                throw new IOException("a load ended with " + load.exitValue());
            }
        } finally {
            load.destroy();
            Files.deleteIfExists(file);
        }
    }

    private void tell(Results results, Map<Row, Series> all) {
        Table table = new Table(
                "agents",
                "answers_per_s",
                "least",
                "most",
                "agent_cpu_percent",
                "looks",
                "look_p99_at_most_ms",
                "late_percent",
                "unknown_percent");
        all.forEach((row, series) -> {
            AgentCounters counted = series.counters;
            table.row(
                    Fields.lowerCase(row),
                    series.perSecond.median(),
                    series.perSecond.least(),
                    series.perSecond.most(),
                    series.cpuPercent.median(),
                    (long) counted.looks(),
                    counted.lookMillis(NINETY_NINE),
                    HUNDRED * counted.share("late"),
                    HUNDRED * unknown(counted));
        });
        Series inside = Objects.requireNonNull(all.get(Row.INSIDE));
        double outside = Objects.requireNonNull(all.get(Row.OUTSIDE)).perSecond.median();
        double lost = HUNDRED * (1 - inside.perSecond.median() / outside);
        double allowed = HUNDRED * AGENT_PERCENT / NODE_PERCENT + SLACK_POINTS;
        double unseen = HUNDRED * (inside.counters.share("late") + unknown(inside.counters));
        double look = inside.counters.lookMillis(NINETY_NINE);
        double fine =
                Objects.requireNonNull(all.get(Row.IN_SMALL_PIECES)).counters.lookMillis(NINETY_NINE);
        results.heading("Saturated nodes")
                .table("nodes", table)
                .note(String.format(
                        Locale.ROOT,
                        "Inside, %.1f %% fewer requests are answered; ours must show at most what the agent may take of"
                                + " its node and 3 points, %.0f %%: %s. Late or unknown were %.2f %% of all nodes"
                                + " looked at, at most 1 %%: %s. 99 of 100 looks took at most %.0f ms, at most"
                                + " 120: %s; in small pieces %.0f ms: %s.",
                        lost,
                        allowed,
                        Results.verdict(lost <= allowed),
                        unseen,
                        Results.verdict(unseen <= MOST_UNSEEN_PERCENT),
                        look,
                        Results.verdict(look <= LOOK_MILLIS),
                        fine,
                        Results.verdict(fine <= LOOK_MILLIS)));
    }

    private void tellFigures(Results results, Map<Row, Series> all) {
        Table table = new Table("agents", "one_sided_p99_ms", "agent_asked_p99_ms", "mod_status_p99_ms");
        all.forEach((row, series) -> table.row(
                Fields.lowerCase(row),
                series.counters.lookMillis(NINETY_NINE),
                series.agentMillis.median(),
                series.pageMillis.median()));
        Series inside = Objects.requireNonNull(all.get(Row.INSIDE));
        double otherwise = Math.min(inside.agentMillis.median(), inside.pageMillis.median());
        boolean isSooner = inside.counters.lookMillis(NINETY_NINE) <= otherwise;
        results.heading("What a figure of a saturated node costs (E14)")
                .note("Each way gives a figure that is made anew every 100 ms at most, so that ages differ by what it"
                        + " takes to get it. One-sided: a look, which is a read of each of the " + cell.nodes()
                        + " slots, by the agents, which are in quotas themselves; upper bound of its bucket. Agent"
                        + " asked: GET of its status, ten a second. mod_status: GET of httpd's page on its own"
                        + " node; both by one who is in no quota. 99 of 100, the median of the rounds.")
                .table("figures", table)
                .note("One-sided inside the quotas, beside the sooner of the others: " + Results.verdict(isSooner)
                        + ".");
    }

    private static double unknown(AgentCounters counted) {
        return 1 - counted.share("fresh") - counted.share("late");
    }

    /** From the first request of a load that saturates the proxies until a node more is one. */
    private void react(Results results) throws IOException, InterruptedException {
        Table table = new Table("round", "ordered_s", "serves_s", "move_s");
        Stats ordered = new Stats();
        for (int round = 1; round <= rounds.count(); round++) {
            LabRuns.down();
            LabRuns.up(cell.nodes(), PROXIES, "act", "--placement", "inside");
            LabRuns.load(List.of(LabRuns.edge() + "/static/o1"), 1, List.of("--rate", "1", "-d", WARM_UP));
            Path file = Files.createTempFile("retier-placement", ".json");
            try {
                List<String> words = new ArrayList<>(List.of(LabRuns.edge(), "-c", Integer.toString(CLIENTS)));
                words.addAll(List.of("--make", "mix", "--mix", "0", "--requests", "10000000", "-d", "45s"));
                Process load = LabRuns.startLoad(file, words);
                if (load.waitFor() != 0) {
                    throw new IOException("a load ended with " + load.exitValue());
                }
                FirstMove first = FirstMove.after(LabRuns.begun(file));
                ordered.add(first.orderedSeconds());
                table.row(
                        round,
                        first.orderedSeconds(),
                        first.servesSeconds(),
                        first.servesSeconds() - first.orderedSeconds());
            } finally {
                Files.deleteIfExists(file);
            }
        }
        results.heading("A tier that is saturated inside its quotas")
                .note(String.format(
                        Locale.ROOT,
                        "From the first request of clients that ask for static objects alone: until the first order,"
                                + " and until that node serves in its new tier. An order must come within T, the"
                                + " window of utilisation and two looks, %.1f s: %s.",
                        REACTION_SECONDS,
                        Results.verdict(ordered.most() <= REACTION_SECONDS)))
                .table("reaction", table);
    }
}
