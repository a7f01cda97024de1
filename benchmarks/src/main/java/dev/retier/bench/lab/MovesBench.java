package dev.retier.bench.lab;

import dev.retier.bench.CellOptions;
import dev.retier.bench.Measures;
import dev.retier.bench.Measures.Need;
import dev.retier.bench.Pause;
import dev.retier.bench.ProcessFigures;
import dev.retier.bench.ResultOptions;
import dev.retier.bench.Results;
import dev.retier.bench.Stats;
import dev.retier.bench.lab.LabMoves.Step;
import dev.retier.bench.lab.LabMoves.Timed;
import dev.retier.load.measure.Interval;
import dev.retier.load.report.LoadResult;
import dev.retier.load.report.ResultJson;
import dev.retier.report.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./retier bench moves}: what a move of a real server takes, and what it costs those who ask meanwhile. */
@Command(
        name = "moves",
        description = "Real nodes in a lab, one of them moved to and fro again and again under load: time"
                + " of each phase, requests that failed, the largest gap in answers, what the agents take meanwhile."
                + " Linux, as root, with apache2 and haproxy.")
@Measures(
        modules = {"verbs", "soft-iwarp", "link", "fabric", "shared-state", "reconfig-agent", "load-gen", "cli"},
        needs = {Need.ROOT, Need.APACHE2, Need.HAPROXY, Need.IP})
public final class MovesBench implements Callable<Integer> {
    private static final int SECONDS_TO_START_LOAD = 20;
    private static final int IDLE_SECONDS = 30;
    private static final int INTERVAL_MILLIS = 10;
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double FAILED_PER_MOVE = 0.5;
    private static final long GAP_MILLIS = 250;
    private static final int MOVES = 100;
    private static final long OUTSIDE_MILLIS = 100;
    private static final long INSIDE_MILLIS = 250;
    /** It reloads. */
    private static final long NGINX_MILLIS = 300;

    private static final double NINETY_NINE = 0.99;
    private static final String HTTPD = "httpd";
    private static final Map<String, String> NAMES = Map.of(HTTPD, "httpd", "nginx", "nginx", "haproxy", "HAProxy");
    private static final String CLOSING = "edge, a connection per request";
    private static final String KEPT = "edge, kept alive";
    private static final String DIRECT = "proxies, kept alive";

    @Mixin
    private CellOptions cell = new CellOptions(260);

    @Option(names = "--proxies", paramLabel = "N", description = "Proxies at first (default: ${DEFAULT-VALUE}).")
    private int proxies = 3;

    @Option(
            names = "--rate",
            paramLabel = "N",
            description = "Requests per second of each of three kinds of clients (default: ${DEFAULT-VALUE}).")
    private int rate = 50;

    @Option(
            names = "--server",
            paramLabel = "KIND",
            description = "Of the node that moves: httpd, between the tiers, or nginx or haproxy, the last one, between"
                    + " the proxies and the spares (default: ${DEFAULT-VALUE}).")
    private String server = HTTPD;

    @Option(
            names = "--pause-millis",
            paramLabel = "MS",
            description = "Between the end of a move and the next order (default: ${DEFAULT-VALUE}).")
    private int pauseMillis;

    private String putOff = "";

    @Mixin
    private PlacementOption placement = new PlacementOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec command;

    @Mixin
    private ResultOptions options = new ResultOptions();

    /**
     * {@inheritDoc}
     *
     * @throws Exception if a lab cannot be made, load fails or a move does
     */
    @Override
    public Integer call() throws Exception {
        String name = NAMES.get(server);
        if (name == null) {
            throw new ParameterException(command.commandLine(), "--server " + server + ": use httpd, nginx or haproxy");
        }
        boolean isHttpd = server.equals(HTTPD);
        Results results = options.begin(
                placement.record(isHttpd ? "moves" : "moves-" + server),
                "Moves of real " + name + " under load",
                "./retier bench moves --nodes " + cell.nodes() + " --proxies " + proxies + " --seconds "
                        + cell.seconds() + " --rate " + rate + (isHttpd ? "" : " --server " + server)
                        + (pauseMillis > 0 ? " --pause-millis " + pauseMillis : "") + placement.words());
        results.note(cell.nodes()
                + " nodes with Apache httpd" + (isHttpd ? "" : ", the last one with " + name)
                + ", each with 10 % of a processor at a period of 20 ms, "
                + placement.sentence() + ", behind"
                + " HAProxy. Three kinds of clients that never retry send " + rate + " requests/s each, a fifth of them"
                + " dynamic: through HAProxy with a connection per request, through HAProxy with connections kept"
                + " alive, and kept alive right at the proxies that the agents tell. An operator's command moves "
                + (isHttpd ? "the last of the first proxies to the apps" : "the last node to the proxies")
                + " and back, one move after the other"
                + (pauseMillis > 0 ? ", " + pauseMillis + " ms from the end of one to the next order." : "."));
        try {
            LabRuns.down();
            List<String> more = new ArrayList<>(List.of("--period", "20ms"));
            more.addAll(placement.options());
            if (!isHttpd) {
                more.addAll(List.of("--" + server, "1"));
            }
            LabRuns.up(cell.nodes(), proxies, "recommend", more.toArray(String[]::new));
            measure(results);
        } finally {
            LabRuns.down();
        }
        options.end(results);
        return 0;
    }

    private void measure(Results results) throws IOException, InterruptedException {
        Pause.seconds(SECONDS_TO_START_LOAD);
        AgentFigures idle = AgentFigures.begin();
        Pause.seconds(IDLE_SECONDS);
        List<AgentFigures.Cost> rest = idle.end();
        Map<String, Path> files = new LinkedHashMap<>();
        List<Process> clients = new ArrayList<>();
        long beganNanos = System.nanoTime();
        try {
            for (Map.Entry<String, List<String>> kind : kinds().entrySet()) {
                Path file = Files.createTempFile("retier-moves", ".json");
                files.put(kind.getKey(), file);
                clients.add(LabRuns.startLoad(file, kind.getValue()));
            }
            Pause.seconds(SECONDS_TO_START_LOAD);
            AgentFigures loaded = AgentFigures.begin();
            List<Timed> moves = moves(beganNanos + TimeUnit.SECONDS.toNanos(cell.seconds()));
            tellMoves(results, moves);
            tellAgents(results, rest, loaded.end());
            tellLoad(results, read(files, clients), moves.size());
        } finally {
            clients.forEach(Process::destroy);
            for (Path file : files.values()) {
                Files.deleteIfExists(file);
            }
        }
    }

    private Map<String, List<String>> kinds() {
        List<String> common = List.of(
                "--make",
                "mix",
                "--mix",
                "0.2",
                "--requests",
                "10000000",
                "-d",
                cell.seconds() + "s",
                "-c",
                "16",
                "--rate",
                Integer.toString(rate),
                "--interval",
                INTERVAL_MILLIS + "ms");
        Map<String, List<String>> kinds = new LinkedHashMap<>();
        kinds.put(CLOSING, and(common, LabRuns.edge(), "--connections", "new"));
        kinds.put(KEPT, and(common, LabRuns.edge()));
        kinds.put(DIRECT, and(common, "--agent", LabRuns.agent()));
        return kinds;
    }

    private static List<String> and(List<String> common, String... own) {
        List<String> words = new ArrayList<>(List.of(own));
        words.addAll(common);
        return words;
    }

    private List<Timed> moves(long endNanos) throws IOException {
        LabMoves node = new LabMoves(server.equals(HTTPD) ? proxies : cell.nodes());
        List<Timed> moves = new ArrayList<>();
        while (System.nanoTime() - endNanos < 0) {
            moves.add(node.next());
            Pause.millis(pauseMillis);
        }
        putOff = node.putOff();
        return moves;
    }

    private static Map<String, LoadResult> read(Map<String, Path> files, List<Process> clients)
            throws IOException, InterruptedException {
        for (Process client : clients) {
            if (client.waitFor() != 0) {
                throw new IOException("a load ended with " + client.exitValue());
            }
        }
        Map<String, LoadResult> results = new LinkedHashMap<>();
        for (Map.Entry<String, Path> file : files.entrySet()) {
            results.put(
                    file.getKey(),
                    ResultJson.read(file.getKey(), Files.readString(file.getValue()))
                            .getFirst());
        }
        return results;
    }

    private void tellMoves(Results results, List<Timed> moves) {
        Table table = new Table(
                "step",
                "p50_ms",
                "p99_ms",
                "most_ms",
                "to_" + (server.equals(HTTPD) ? "app" : "spare") + "_p50_ms",
                "to_proxy_p50_ms");
        for (Step step : Step.values()) {
            Stats all = millis(moves, step);
            table.row(
                    step.meaning(),
                    all.median(),
                    all.quantile(NINETY_NINE),
                    all.most(),
                    millis(moves.stream().filter(move -> !move.toProxy()).toList(), step)
                            .median(),
                    millis(moves.stream().filter(Timed::toProxy).toList(), step).median());
        }
        Stats active = millis(moves, Step.ACTIVE);
        long half = bar();
        results.heading("Time of each phase, over " + moves.size() + " moves")
                .table("phases", table)
                .note(String.format(
                        Locale.ROOT,
                        "Ours must show, from the order until active: half of the moves within %d ms (%s), and 99 of"
                                + " 100 within %d ms (%s).",
                        half,
                        Results.verdict(active.median() <= half),
                        3 * half,
                        Results.verdict(active.quantile(NINETY_NINE) <= 3 * half)));
        if (!putOff.isEmpty()) {
            results.note(putOff);
        }
    }

    private long bar() {
        if (server.equals("nginx")) {
            return NGINX_MILLIS;
        }
        return placement.isInside() ? INSIDE_MILLIS : OUTSIDE_MILLIS;
    }

    private static Stats millis(List<Timed> moves, Step step) {
        return Stats.of(moves, move -> move.of(step));
    }

    private static void tellLoad(Results results, Map<String, LoadResult> loads, int moves) {
        Table table =
                new Table("clients", "answered", "failed", "failed_per_move", "p50_ms", "p99_ms", "longest_gap_ms");
        loads.forEach((kind, load) -> table.row(
                kind,
                load.totals().answered(),
                load.totals().failed(),
                (double) load.totals().failed() / moves,
                load.latency().p50Nanos() / NANOS_PER_MILLI,
                load.latency().p99Nanos() / NANOS_PER_MILLI,
                longestGapMillis(load)));
        results.heading("Those who asked meanwhile").table("clients", table);
        loads.forEach((kind, load) -> load.causes()
                .forEach((failure, cause) -> results.note("Failed, " + kind + ": " + failure + ", first " + cause)));
        double closing = perMove(loads, CLOSING, moves);
        double kept = Math.max(perMove(loads, KEPT, moves), perMove(loads, DIRECT, moves));
        long gap = Math.max(longestGapMillis(of(loads, CLOSING)), longestGapMillis(of(loads, KEPT)));
        results.note(String.format(
                Locale.ROOT,
                "Ours must show, over at least %d moves (%s), per move: 0 failed with a connection per request (%s),"
                        + " at most 0.5 with connections kept alive (%s), and no gap at the edge above %d ms (%s). A"
                        + " gap is a row of intervals of %d ms without an answer to clients of one kind.",
                MOVES,
                moves >= MOVES ? "met" : "missed",
                closing == 0 ? "met" : "missed",
                kept <= FAILED_PER_MOVE ? "met" : "missed",
                GAP_MILLIS,
                gap <= GAP_MILLIS ? "met" : "missed",
                INTERVAL_MILLIS));
    }

    private static double perMove(Map<String, LoadResult> loads, String kind, int moves) {
        return (double) of(loads, kind).totals().failed() / moves;
    }

    private static LoadResult of(Map<String, LoadResult> loads, String kind) {
        return Objects.requireNonNull(loads.get(kind));
    }

    private static long longestGapMillis(LoadResult load) {
        long longest = 0;
        long empty = 0;
        for (Interval interval : load.intervals()) {
            empty = interval.answered() == 0 ? empty + 1 : 0;
            longest = Math.max(longest, empty);
        }
        return (long) (longest * load.intervalMillis());
    }

    private static void tellAgents(Results results, List<AgentFigures.Cost> rest, List<AgentFigures.Cost> loaded) {
        Table table = new Table(
                "agent",
                "cpu_percent_idle",
                "cpu_percent_moving",
                "resident_mib_idle",
                "resident_mib_moved",
                "threads_before",
                "threads_after",
                "descriptors_before",
                "descriptors_after");
        for (int i = 0; i < rest.size(); i++) {
            ProcessFigures before = rest.get(i).end();
            ProcessFigures after = loaded.get(i).end();
            table.row(
                    rest.get(i).node(),
                    rest.get(i).cpuPercent(),
                    loaded.get(i).cpuPercent(),
                    before.residentMebibytes(),
                    after.residentMebibytes(),
                    before.threads(),
                    after.threads(),
                    before.descriptors(),
                    after.descriptors());
        }
        results.heading("What the agents took")
                .note("Processor time in percent of one core: over " + IDLE_SECONDS
                        + " s without load, and over the time of the moves.")
                .table("agents", table);
    }
}
