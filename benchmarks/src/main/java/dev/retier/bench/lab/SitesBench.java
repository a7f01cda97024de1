package dev.retier.bench.lab;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.bench.Measures;
import dev.retier.bench.Measures.Need;
import dev.retier.bench.Progress;
import dev.retier.bench.ResultOptions;
import dev.retier.bench.Results;
import dev.retier.load.report.Guarantee;
import dev.retier.load.report.LoadResult;
import dev.retier.report.Table;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./retier bench sites}: promises and priorities with real httpd, E7 and E9. */
@Command(
        name = "sites",
        description = "In a lab with real httpd: one site that was promised more and more (E7); two sites of which the"
                + " first was promised something (E9); and a promised site whose nodes are lent while it is quiet."
                + " Linux, as root, with apache2 and haproxy.")
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
            "cli"
        },
        needs = {Need.ROOT, Need.APACHE2, Need.HAPROXY, Need.IP})
public final class SitesBench implements Callable<Integer> {
    private static final String OBSERVE = "observe";
    private static final String ACT = "act";
    private static final String PERIOD = "20ms";

    /** With these, dynamic requests cost 1.4 times what static ones do, as in the source's experiment. */
    private static final String CHEAP = "40us";

    private static final int NODES = 7;
    private static final int PROXIES_OF_SEVEN = 3;
    private static final double KEPT = 0.97;
    private static final int SECONDS_TO_CALIBRATE = 8;
    private static final List<Double> RISING = List.of(0.9, 1.2, 1.5);
    private static final int MOST_BURSTS = 64;

    /** Shares of what the nodes of the quiet site can do: what was promised, and what its load is, away and back. */
    private static final double PROMISED = 0.75;

    private static final double QUIET = 0.08;
    private static final double BACK = 0.83;

    private static final int MOVES_OF_A_LOAN = 3;

    @Option(
            names = "--bursts",
            split = ",",
            paramLabel = "N",
            description = "Lengths of the alternating bursts, in requests (default: 512,8192).")
    private List<Integer> bursts = List.of(512, 8192);

    @Option(
            names = "--requests",
            paramLabel = "N",
            description = "Of each site in each run, at least a burst of each kind (default: ${DEFAULT-VALUE}).")
    private int requests = 32_768;

    @Option(names = "--clients", paramLabel = "N", description = "Connections of a site (default: ${DEFAULT-VALUE}).")
    private int clients = 48;

    @Option(
            names = "--repetitions",
            paramLabel = "N",
            description = "How often the load of the quiet site comes back (default: ${DEFAULT-VALUE}).")
    private int repetitions = 3;

    @Mixin
    private ResultOptions options = new ResultOptions();

    /**
     * {@inheritDoc}
     *
     * @throws Exception if a lab cannot be made or load fails
     */
    @Override
    public Integer call() throws Exception {
        String lengths = String.join(",", bursts.stream().map(String::valueOf).toList());
        Results results = options.begin(
                "sites",
                "Promises and priorities on real httpd nodes",
                "./retier bench sites --bursts " + lengths + " --requests " + requests + " --repetitions "
                        + repetitions);
        results.note("Nodes with Apache httpd, each with 10 % of a processor at a period of " + PERIOD
                + ", behind HAProxy. " + clients + " clients of each site in a closed loop, kept alive to the edge,"
                + " that never retry, unless said otherwise. " + WarmCaches.SENTENCE
                + " A promise is kept in a second in which as many requests"
                + " were answered as promised, or as were asked.");
        try (WarmCaches caches = new WarmCaches()) {
            comesBack(results, caches);
            List<String> one = List.of("--period", PERIOD, "--dynamic", CHEAP);
            rising(
                    results,
                    "E7: one site that is promised more and more",
                    new Cell(NODES, PROXIES_OF_SEVEN, one, caches),
                    null);
            List<String> two = new ArrayList<>(one);
            two.addAll(List.of("--second-site", "1+1"));
            rising(
                    results,
                    "E9: two sites, of high and of low priority",
                    new Cell(NODES, 2, two, caches),
                    new Cell(NODES - 1, 2, two, caches));
        } finally {
            LabRuns.down();
        }
        options.end(results);
        return 0;
    }

    /**
     * A lab.
     *
     * @param proxies of the first site at first
     * @param more options of {@code lab up}
     */
    private record Cell(int nodes, int proxies, List<String> more, WarmCaches caches) {
        void up(String mode, long guarantee) throws IOException, InterruptedException {
            List<String> words = new ArrayList<>(more);
            words.addAll(List.of("--guarantee", Long.toString(guarantee)));
            LabRuns.down();
            LabRuns.up(nodes, proxies, mode, words.toArray(String[]::new));
            caches.fill();
        }

        boolean hasTwoSites() {
            return more.contains("--second-site");
        }
    }

    /** One site is quiet, asked for more than is promised, and quiet again; the other one wants all it can have. */
    private void comesBack(Results results, WarmCaches caches) throws IOException, InterruptedException {
        Cell cell = new Cell(NODES, 1, List.of("--period", PERIOD, "--dynamic", "1ms", "--second-site", "1+3"), caches);
        cell.up(OBSERVE, 0);
        caches.keep(List.of(List.of(LabRuns.edge()), List.of(LabRuns.news())), clients);
        double most = perSecond("1");
        long promised = Math.round(PROMISED * most);
        String scenario = quietThenLoud(Math.round(QUIET * most), Math.round(BACK * most));
        Table runs = new Table(
                "repetition",
                "seconds_broken",
                "fixed_seconds_broken",
                "moves",
                "failed",
                "news_per_s",
                "fixed_news_per_s");
        Table moves = MadeMove.table("repetition");
        List<Loan> loans = new ArrayList<>();
        for (int repetition = 1; repetition <= repetitions; repetition++) {
            cell.up(OBSERVE, promised);
            List<LoadResult> fixed = LabRuns.scenario(scenario);
            cell.up(ACT, promised);
            List<LoadResult> loads = LabRuns.scenario(scenario);
            ClusterConfig cluster = LabRuns.cluster();
            List<MadeMove> made = MadeMove.all(cluster);
            Instant begun = Instant.ofEpochMilli(loads.getFirst().startedAtEpochMillis());
            for (MadeMove move : made) {
                move.row(moves, cluster, begun, repetition);
            }
            Loan loan = new Loan(broken(loads.getFirst(), promised), made.size(), failed(loads));
            runs.row(
                    repetition,
                    loan.secondsBroken,
                    broken(fixed.getFirst(), promised),
                    loan.moves,
                    loan.failed,
                    loads.getLast().answeredPerSecond(),
                    fixed.getLast().answeredPerSecond());
            loans.add(loan);
            Progress.tell("the load that comes back, repetition " + repetition + ": " + loan);
        }
        results.heading("A promised site whose load comes back")
                .note(String.format(
                        Locale.ROOT,
                        "Shop, of priority 1, with a proxy and two apps, can answer %.0f dynamic pages/s, and was"
                                + " promised %d; it is asked for %.0f/s for 20 s, for %.0f/s for 45 s, and for %.0f/s"
                                + " again. News, with a proxy and three apps, is asked by %d clients for as many as it"
                                + " can answer. Beside it the same with roles that stay.",
                        most,
                        promised,
                        QUIET * most,
                        BACK * most,
                        QUIET * most,
                        clients))
                .table("comes-back", runs)
                .table("comes-back-moves", moves)
                .note(verdict(loans));
    }

    /** What became of one promise while nodes were lent. */
    private record Loan(long secondsBroken, long moves, long failed) {}

    private static String verdict(List<Loan> loans) {
        long worst = loans.stream().mapToLong(Loan::secondsBroken).max().orElseThrow();
        long most = loans.stream().mapToLong(Loan::moves).max().orElseThrow();
        long failed = loans.stream().mapToLong(Loan::failed).sum();
        return String.format(
                Locale.ROOT,
                "The promise may be broken for a second when the load is back: %d at most, %s. To lend a node, to get"
                        + " it back and to lend it again are %d moves: %d at most, %s. No request may fail: %d did,"
                        + " %s.",
                worst,
                Results.verdict(worst <= 1),
                MOVES_OF_A_LOAN,
                most,
                Results.verdict(most <= MOVES_OF_A_LOAN),
                failed,
                Results.verdict(failed == 0));
    }

    private String quietThenLoud(long quiet, long back) {
        return """
                duration: 95s
                objects: %d
                make: mix
                mix: 1
                requests: 10000000
                sites:
                  - {site: shop, priority: 1, target: ["%s"], rate: "%d:20s,%d:45s,%d", clients: %d}
                  - {site: news, priority: 2, target: ["%s"], clients: %d}
                """.formatted(
                LabRuns.OBJECTS, LabRuns.edgeTarget(), quiet, back, quiet, clients, LabRuns.newsTarget(), clients);
    }

    /** What each promise came to; with fewer nodes too where {@code reduced} is such a cell. */
    private void rising(Results results, String title, Cell cell, @Nullable Cell reduced)
            throws IOException, InterruptedException {
        long least = leastRigid(cell);
        Table table = new Table(
                "burst",
                "roles",
                "nodes",
                "promised_per_s",
                "kept_percent",
                "shop_per_s",
                "news_per_s",
                "moves",
                "failed");
        results.heading(title)
                .note("With the roles of the beginning, " + cell.proxies + " proxies of shop, the site answers " + least
                        + " requests/s of the kind that it answers fewer of. It is asked for bursts of static and"
                        + " dynamic requests in turn"
                        + (cell.hasTwoSites() ? ", and so is news, which begins with dynamic ones" : "") + ".");
        List<String> verdicts = new ArrayList<>();
        for (int burst : bursts) {
            cell.up(OBSERVE, 0);
            Run rigid = new Run("fixed", cell, LabRuns.scenario(alternating(burst, cell.hasTwoSites())), 0);
            long bestRigid = 0;
            long bestOurs = 0;
            long bestReduced = 0;
            for (double share : RISING) {
                long promised = Math.round(share * least);
                bestRigid = Math.max(bestRigid, rigid.judge(table, burst, promised));
                bestOurs =
                        Math.max(bestOurs, reconfigured(burst, cell, promised).judge(table, burst, promised));
                if (reduced != null) {
                    bestReduced = Math.max(
                            bestReduced, reconfigured(burst, reduced, promised).judge(table, burst, promised));
                }
            }
            verdicts.add(String.format(
                    Locale.ROOT,
                    "Bursts of %d: the most that was promised and kept in %.0f %% of the seconds: %d/s with fixed"
                            + " roles, %d/s reconfigured%s.",
                    burst,
                    100 * KEPT,
                    bestRigid,
                    bestOurs,
                    reduced == null ? "" : ", " + bestReduced + "/s with a node fewer"));
        }
        results.table(cell.hasTwoSites() ? "e9" : "e7", table);
        verdicts.forEach(results::note);
    }

    private Run reconfigured(int burst, Cell cell, long promised) throws IOException, InterruptedException {
        cell.up(ACT, promised);
        List<LoadResult> loads = LabRuns.scenario(alternating(burst, cell.hasTwoSites()));
        return new Run("reconfigured", cell, loads, MadeMove.done(LabRuns.cluster()));
    }

    /** One run of alternating bursts. */
    private record Run(String roles, Cell cell, List<LoadResult> loads, long moves) {
        /** Adds a row for what was promised; returns that if it was kept, else 0. */
        long judge(Table table, int burst, long promised) {
            double kept = SitesBench.judge(loads.getFirst(), promised).share();
            table.row(
                    burst,
                    roles,
                    cell.nodes,
                    promised,
                    100 * kept,
                    loads.getFirst().answeredPerSecond(),
                    cell.hasTwoSites() ? loads.getLast().answeredPerSecond() : "",
                    moves,
                    failed(loads));
            Progress.tell(String.format(
                    Locale.ROOT,
                    "bursts of %d, %s on %d nodes, %d/s promised: kept in %.1f %%",
                    burst,
                    roles,
                    cell.nodes,
                    promised,
                    100 * kept));
            return kept >= KEPT ? promised : 0;
        }
    }

    /** Requests per second of the kind of which fixed roles answer fewer. */
    private long leastRigid(Cell cell) throws IOException, InterruptedException {
        cell.up(OBSERVE, 0);
        double least = Double.MAX_VALUE;
        for (String mix : List.of("0", "1")) {
            least = Math.min(least, perSecond(mix));
        }
        return Math.round(least);
    }

    /** What shop can answer of a mix. */
    private double perSecond(String mix) throws IOException, InterruptedException {
        return LabRuns.load(
                        List.of(LabRuns.edge()),
                        clients,
                        List.of(
                                "--make",
                                "mix",
                                "--mix",
                                mix,
                                "--requests",
                                "10000000",
                                "-d",
                                SECONDS_TO_CALIBRATE + "s"))
                .perSecond();
    }

    private String alternating(int burst, boolean hasTwoSites) {
        int count = Math.clamp(requests / burst, 2, MOST_BURSTS);
        String shop = """
                objects: %d
                make: bursts
                burst: %d
                bursts: %d
                clients: %d
                sites:
                  - {site: shop, target: ["%s"]}
                """.formatted(LabRuns.OBJECTS, burst, count, clients, LabRuns.edgeTarget());
        return hasTwoSites
                ? shop + "  - {site: news, target: [\"" + LabRuns.newsTarget() + "\"], first-burst: dynamic}\n"
                : shop;
    }

    private static long broken(LoadResult load, long promised) {
        Guarantee.Kept kept = judge(load, promised);
        return (long) kept.intervals() - kept.kept();
    }

    private static Guarantee.Kept judge(LoadResult load, long promised) {
        return new Guarantee(load.site(), 1, promised).judge(load);
    }

    private static long failed(List<LoadResult> loads) {
        return loads.stream().mapToLong(load -> load.totals().failed()).sum();
    }
}
