package dev.retier.bench.load;

import dev.retier.bench.Launched;
import dev.retier.bench.Progress;
import dev.retier.bench.QuietRounds.Kept;
import dev.retier.bench.ResultOptions;
import dev.retier.bench.Results;
import dev.retier.bench.Stats;
import dev.retier.load.report.LoadResult;
import dev.retier.load.report.ResultJson;
import dev.retier.report.Table;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** Open loops beside each other while the server stands still: does each tell what users had to wait? */
final class FrozenBench {
    private static final int PER_SECOND = 1000;
    private static final int WARM_UP_SECONDS = 8;
    private static final int SECONDS = 10;
    private static final int FREEZE_AFTER_MILLIS = 4000;
    private static final int FREEZE_MILLIS = 2000;
    private static final long LOOK_MILLIS = 20;
    private static final int LOOKS_FOR_PORT = 1500;
    private static final int RUN_SECONDS = 180;
    private static final double NINETY_NINE = 0.99;
    private static final double NANOS_PER_MILLI = 1e6;
    /** A percentile further off than that is not what users saw. */
    private static final double TOLERANCE = 0.05;

    private static final String OURS = "retier load --rate";
    private static final String PEER = "Gatling, constantUsersPerSec";

    private final Path folder;
    private final int clientCore;
    private final int serverCore;

    FrozenBench(Path folder, int clientCore, int serverCore) {
        this.folder = folder;
        this.clientCore = clientCore;
        this.serverCore = serverCore;
    }

    /** What a tool says of a run; times in milliseconds. */
    record Said(long sent, long failed, double p50, double p99, double most) {}

    /** What the server says of it, by its own clock. */
    record Known(long answered, double frozenMillis, double p50, double p99, double most) {}

    /** One tool in one round. */
    private record Sample(Said said, Known known) {
        double ratio(ToDoubleFunction<Said> said, ToDoubleFunction<Known> known) {
            return said.applyAsDouble(this.said) / known.applyAsDouble(this.known);
        }
    }

    /** Starts a tool against the server at a port; what it says in the end. */
    private interface Tool {
        Said run(int port) throws IOException, InterruptedException;
    }

    Results run(ResultOptions options, int rounds) throws Exception {
        Results results = options.begin(
                "load-frozen",
                "Open loops beside each other while the server is frozen",
                "./retier bench load --frozen --rounds " + rounds);
        Freeze freeze = new Freeze(PER_SECOND, SECONDS, FREEZE_MILLIS);
        results.note(String.format(
                "%d requests/s for %d s after %d s of warm-up at the same rate, for all; a fresh server for each run,"
                        + " on a core of its own, which answers nobody for %d ms from %d ms on. The tool alone on the"
                        + " other core; interleaved rounds, another one begins each. Users who come in the freeze wait"
                        + " for its end, so of all the median must be %.0f ms, the 99th percentile %.0f ms, the longest"
                        + " %d ms, none may fail, and %d requests are due. The server's clock says the same of the"
                        + " requests that really came, with what it took to answer those who waited.",
                PER_SECOND,
                SECONDS,
                WARM_UP_SECONDS,
                FREEZE_MILLIS,
                FREEZE_AFTER_MILLIS,
                freeze.waitMillis(0.5),
                freeze.waitMillis(NINETY_NINE),
                FREEZE_MILLIS,
                freeze.due()));
        Map<String, Tool> tools = tools(results);
        Kept<Map<String, Sample>> kept = results.rounds().run(0, rounds, number -> round(tools, number));
        tell(results, freeze, tools, kept);
        return results;
    }

    private Map<String, Tool> tools(Results results) throws IOException, InterruptedException {
        Map<String, Tool> tools = new LinkedHashMap<>();
        tools.put(OURS, this::ours);
        Optional<Gatling> gatling = Gatling.fetch(folder.resolve("gatling"));
        gatling.ifPresentOrElse(
                peer -> tools.put(PEER, port -> gatling(peer, port)),
                () -> results.note("Gatling could not be fetched and is left out."));
        return tools;
    }

    private Map<String, Sample> round(Map<String, Tool> tools, int number) throws IOException, InterruptedException {
        List<String> inTurn = new ArrayList<>(tools.keySet());
        Collections.rotate(inTurn, -number);
        Map<String, Sample> round = new LinkedHashMap<>();
        for (String name : inTurn) {
            Sample sample = sample(Objects.requireNonNull(tools.get(name)));
            Progress.tell("round " + (number + 1) + "  " + name + ": " + sample);
            round.put(name, sample);
        }
        return round;
    }

    private Sample sample(Tool tool) throws IOException, InterruptedException {
        Path log = folder.resolve("freezing-server.log");
        try (Pinned server = Pinned.start(
                serverCore,
                log,
                Launched.loadMachine(
                        FreezingServer.class,
                        String.valueOf(PER_SECOND),
                        String.valueOf(FREEZE_AFTER_MILLIS),
                        String.valueOf(FREEZE_MILLIS)))) {
            int port = port(server);
            Said said = tool.run(port);
            return new Sample(said, known(port));
        }
    }

    private static int port(Pinned server) throws IOException, InterruptedException {
        for (int i = 0; i < LOOKS_FOR_PORT; i++) {
            String told = server.output();
            if (told.endsWith("\n")) {
                return Integer.parseInt(told.strip());
            }
            server.letRun(LOOK_MILLIS);
        }
        throw new IOException("the server did not tell its port");
    }

    private static Known known(int port) throws IOException {
        try (var in = URI.create("http://127.0.0.1:" + port + "/report").toURL().openStream()) {
            String[] figures = new String(in.readAllBytes(), StandardCharsets.US_ASCII).split(" ", -1);
            return new Known(
                    Long.parseLong(figures[0]),
                    Double.parseDouble(figures[1]),
                    Double.parseDouble(figures[2]),
                    Double.parseDouble(figures[3]),
                    Double.parseDouble(figures[4]));
        }
    }

    private Said ours(int port) throws IOException, InterruptedException {
        Path file = folder.resolve("frozen.json");
        Files.deleteIfExists(file);
        String log = finished(
                "frozen.log",
                Launched.loadMachine(
                        FrozenRun.class,
                        String.valueOf(port),
                        String.valueOf(PER_SECOND),
                        String.valueOf(WARM_UP_SECONDS),
                        String.valueOf(SECONDS),
                        file.toString()));
        if (!Files.exists(file)) {
            throw new IOException("the run has no result:\n" + log);
        }
        LoadResult result =
                ResultJson.read(file.toString(), Files.readString(file)).getFirst();
        return new Said(
                result.totals().sent(),
                result.totals().failed() + result.totals().dropped(),
                result.latency().p50Nanos() / NANOS_PER_MILLI,
                result.latency().p99Nanos() / NANOS_PER_MILLI,
                result.latency().maxNanos() / NANOS_PER_MILLI);
    }

    private Said gatling(Gatling gatling, int port) throws IOException, InterruptedException {
        Path results = Launched.emptyWorkFolder("bench-load/frozen-gatling");
        return GatlingReport.read(finished(
                "frozen-gatling.log",
                gatling.openModel("http://127.0.0.1:" + port, PER_SECOND, WARM_UP_SECONDS, SECONDS, results)));
    }

    private String finished(String log, List<String> command) throws IOException, InterruptedException {
        try (Pinned run = Pinned.start(clientCore, folder.resolve(log), command)) {
            return run.await(RUN_SECONDS);
        }
    }

    private static void tell(Results results, Freeze freeze, Map<String, Tool> tools, Kept<Map<String, Sample>> kept) {
        Table figures = new Table(
                "what",
                "due",
                "sent",
                "answered",
                "failures",
                "p50_ms",
                "p99_ms",
                "max_ms",
                "p99_least_ms",
                "p99_most_ms");
        double p99 = freeze.waitMillis(NINETY_NINE);
        Table ratios = new Table("tool", "figure", "over_the_servers", "least", "most", "verdict");
        long due = freeze.due();
        figures.row("arithmetic", due, due, due, 0, freeze.waitMillis(0.5), p99, freeze.frozenMillis(), p99, p99);
        for (String name : tools.keySet()) {
            tell(
                    figures,
                    freeze,
                    name,
                    kept.all().stream().map(round -> of(round, name)).toList());
            ratio(ratios, name, "p99", kept, each -> of(each, name).ratio(Said::p99, Known::p99));
            ratio(ratios, name, "max", kept, each -> of(each, name).ratio(Said::most, Known::most));
        }
        results.heading("What each says, medians of the rounds").table("figures", figures);
        results.heading("Each tool's figure by the server's own, round by round")
                .note("Met: the median ratio is within 5 % of 1. The p50 is a fraction of a millisecond on a quiet"
                        + " machine, below what Gatling's report tells, so it has no ratio.")
                .table("ratios", ratios);
    }

    private static void tell(Table figures, Freeze freeze, String name, List<Sample> all) {
        long answered = Math.round(Stats.of(all, each -> each.known.answered).median());
        Stats p99 = Stats.of(all, each -> each.said.p99);
        figures.row(
                name,
                freeze.due(),
                Math.round(Stats.of(all, each -> each.said.sent).median()),
                answered,
                Math.round(Stats.of(all, each -> each.said.failed).most()),
                Stats.of(all, each -> each.said.p50).median(),
                p99.median(),
                Stats.of(all, each -> each.said.most).median(),
                p99.least(),
                p99.most());
        Stats known = Stats.of(all, each -> each.known.p99);
        figures.row(
                "the server's clock, for " + name,
                freeze.due(),
                answered,
                answered,
                0,
                Stats.of(all, each -> each.known.p50).median(),
                known.median(),
                Stats.of(all, each -> each.known.most).median(),
                known.least(),
                known.most());
    }

    private static Sample of(Map<String, Sample> round, String name) {
        return Objects.requireNonNull(round.get(name));
    }

    private static void ratio(
            Table table,
            String name,
            String figure,
            Kept<Map<String, Sample>> kept,
            ToDoubleFunction<Map<String, Sample>> ratio) {
        Stats ratios = Stats.of(kept.all(), ratio);
        table.row(
                name,
                figure,
                ratios.median(),
                ratios.least(),
                ratios.most(),
                kept.verdict(Math.abs(ratios.median() - 1) <= TOLERANCE));
    }
}
