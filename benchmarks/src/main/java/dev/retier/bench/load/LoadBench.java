package dev.retier.bench.load;

import dev.retier.bench.Launched;
import dev.retier.bench.Measures;
import dev.retier.bench.Measures.Need;
import dev.retier.bench.Progress;
import dev.retier.bench.ResultOptions;
import dev.retier.bench.Results;
import dev.retier.bench.RoundsOption;
import dev.retier.bench.Stats;
import dev.retier.report.Axis;
import dev.retier.report.Plot;
import dev.retier.report.Table;
import dev.retier.report.Timeline;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench load}: requests per second of the client's processor time beside other load generators. */
@Command(
        name = "load",
        description = "The load generator beside wrk, h2load, hey and Gatling, against one nginx worker.",
        footer = "Needs Linux, nginx and two cores; generators that are not installed are left out.")
@Measures(
        modules = {"load-gen", "traces"},
        needs = {Need.NGINX, Need.TASKSET})
public final class LoadBench implements Callable<Integer> {
    private static final int CLIENT_CORE = 0;
    private static final int SERVER_CORE = 1;
    /** The same for all: as long as the slowest of them, on a virtual machine of its own, needs to be warm. */
    private static final int WARM_UP_SECONDS = 12;

    private static final int STARTING_SECONDS = 3;
    private static final String OURS = "retier load";
    private static final String OURS_LOGGING = "retier load, a line per request";
    private static final String REFERENCE = "wrk";
    private static final List<String> STYLES = List.of("a", "b", "c", "a dashed", "b dashed", "c dashed");

    @Mixin
    private RoundsOption rounds = new RoundsOption(5);

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description = "Measured time of each generator in each round (default: ${DEFAULT-VALUE}).")
    private int seconds = 3;

    @Option(names = "--clients", paramLabel = "N", description = "Connections, kept alive (default: ${DEFAULT-VALUE}).")
    private int clients = 50;

    @Option(
            names = "--peers",
            split = ",",
            paramLabel = "NAME",
            description = "Generators to set beside it (default: wrk,h2load,hey,gatling).")
    private List<String> peerNames = List.of(REFERENCE, "h2load", "hey", "gatling");

    @Option(
            names = "--open-loop",
            description = "Not beside others: how exactly requests are sent on time, and what a frozen server and a"
                    + " frozen generator look like.")
    private boolean openLoop;

    @Option(
            names = "--frozen",
            description =
                    "Open loops beside each other, ours and Gatling's, against a server that stands still for 2 s of"
                            + " 10: what each says that users had to wait.")
    private boolean frozen;

    @Mixin
    private ResultOptions options = new ResultOptions();

    /** One generator in one round. */
    private record Sample(double perSecond, double perCpuSecond, double cpuShare, double peakMebibytes) {}

    /**
     * {@inheritDoc}
     *
     * @throws Exception if the server cannot be started or a generator fails
     */
    @Override
    public Integer call() throws Exception {
        Path folder = Launched.workFolder("bench-load");
        if (frozen) {
            options.end(new FrozenBench(folder, CLIENT_CORE, SERVER_CORE).run(options, rounds.count()));
            return 0;
        }
        try (BenchServer server = BenchServer.start(folder, SERVER_CORE)) {
            if (openLoop) {
                options.end(new OpenLoopBench(server, folder, CLIENT_CORE).run(options));
                return 0;
            }
            Results results = options.begin(
                    "load",
                    "Load generators: requests per second of client processor time",
                    "./retier bench load --rounds " + rounds.count() + " --seconds " + seconds + " --clients "
                            + clients);
            results.note("Closed loop, " + clients + " connections kept alive, answers of 1 KiB from one nginx worker"
                    + " on core " + SERVER_CORE + ", the generator alone on core " + CLIENT_CORE + ", interleaved"
                    + " rounds. Requests are counted by nginx; processor time and peak resident memory (VmHWM, the"
                    + " most since the process began) by the kernel; after " + WARM_UP_SECONDS
                    + " s of warm-up for each. Another one begins each round.");
            measure(server, folder, results);
            options.end(results);
        }
        return 0;
    }

    private void measure(BenchServer server, Path folder, Results results) throws Exception {
        List<Peer> peers = peers(server, folder, results);
        List<Map<String, Sample>> rounds = results.rounds()
                .run(0, this.rounds.count(), number -> round(server, folder, peers, number))
                .all();
        Map<String, List<Sample>> samples = new LinkedHashMap<>();
        for (Peer peer : peers) {
            samples.put(
                    peer.name(),
                    rounds.stream()
                            .map(round -> Objects.requireNonNull(round.get(peer.name())))
                            .toList());
        }
        results.table("compared", table(samples)).table("rounds", roundTable(samples));
        results.plot(chart(samples));
    }

    private Map<String, Sample> round(BenchServer server, Path folder, List<Peer> peers, int number)
            throws IOException, InterruptedException {
        List<Peer> inTurn = new ArrayList<>(peers);
        Collections.rotate(inTurn, -number);
        Map<String, Sample> round = new LinkedHashMap<>();
        for (Peer peer : inTurn) {
            Sample sample = sample(server, folder, peer);
            Progress.tell(String.format(
                    "round %d  %-32s %8.0f requests/s %8.0f per CPU s %6.0f MiB",
                    number + 1, peer.name(), sample.perSecond(), sample.perCpuSecond(), sample.peakMebibytes()));
            round.put(peer.name(), sample);
        }
        return round;
    }

    private Sample sample(BenchServer server, Path folder, Peer peer) throws IOException, InterruptedException {
        Path log = folder.resolve(peer.name().replace(' ', '-') + ".log");
        try (Pinned process = Pinned.start(CLIENT_CORE, log, peer.command())) {
            process.letRun(WARM_UP_SECONDS * 1000L);
            long requestsBefore = server.requests();
            double cpuBefore = process.cpuSeconds();
            long startNanos = System.nanoTime();
            process.letRun(seconds * 1000L);
            double cpu = process.cpuSeconds() - cpuBefore;
            double requests = server.requests() - requestsBefore;
            double elapsed = (System.nanoTime() - startNanos) / 1e9;
            return new Sample(requests / elapsed, requests / cpu, cpu / elapsed, process.peakResidentMebibytes());
        } catch (IOException e) {
            throw new IOException(peer.name() + " failed, see " + log, e);
        }
    }

    private List<Peer> peers(BenchServer server, Path folder, Results results)
            throws IOException, InterruptedException {
        List<Peer> found = new ArrayList<>();
        found.add(new Peer(OURS, ours(server)));
        List<String> logging = new ArrayList<>(ours(server));
        logging.addAll(List.of("--log-requests", folder.resolve("requests.csv").toString()));
        found.add(new Peer(OURS_LOGGING, logging));
        for (String name : peerNames) {
            if (name.equals("gatling")) {
                int length = WARM_UP_SECONDS + seconds + STARTING_SECONDS;
                Gatling.fetch(folder.resolve("gatling"))
                        .ifPresentOrElse(
                                gatling -> found.add(new Peer(name, gatling.command(server.url(), clients, length))),
                                () -> results.note("Gatling could not be fetched and is left out."));
                continue;
            }
            Pinned.find(name)
                    .ifPresentOrElse(
                            program -> found.add(new Peer(name, command(program, server))),
                            () -> results.note(name + " is not installed and is left out."));
        }
        return found;
    }

    private List<String> ours(BenchServer server) {
        return List.of(
                Launched.root().resolve("retier").toAbsolutePath().toString(),
                "load",
                server.url(),
                "--clients",
                String.valueOf(clients),
                "--duration",
                WARM_UP_SECONDS + seconds + STARTING_SECONDS + "s");
    }

    private List<String> command(Path program, BenchServer server) {
        String c = String.valueOf(clients);
        String length = String.valueOf(WARM_UP_SECONDS + seconds + STARTING_SECONDS);
        return switch (String.valueOf(program.getFileName())) {
            case "wrk" -> List.of(program.toString(), "-t1", "-c" + c, "-d" + length, server.url());
            case "h2load" -> List.of(program.toString(), "--h1", "-t1", "-c" + c, "-D" + length, server.url());
            case "hey" -> List.of(program.toString(), "-cpus", "1", "-c", c, "-z", length + "s", server.url());
            default -> throw new IllegalArgumentException("how to run " + program + " is not known");
        };
    }

    private static Table table(Map<String, List<Sample>> samples) {
        Table table = new Table(
                "generator",
                "requests_per_cpu_s",
                "times_wrk",
                "least",
                "most",
                "requests_per_s",
                "cpu_share",
                "peak_resident_mib");
        Stats reference = Stats.of(samples.getOrDefault(REFERENCE, List.of()), Sample::perCpuSecond);
        samples.forEach((name, ofName) -> {
            Stats mine = Stats.of(ofName, Sample::perCpuSecond);
            Stats ratios = Stats.ratios(mine, reference);
            table.row(
                    name,
                    mine.median(),
                    mine.median() / reference.median(),
                    ratios.least(),
                    ratios.most(),
                    Stats.of(ofName, Sample::perSecond).median(),
                    Stats.of(ofName, Sample::cpuShare).median(),
                    Stats.of(ofName, Sample::peakMebibytes).most());
        });
        return table;
    }

    private static Table roundTable(Map<String, List<Sample>> samples) {
        Table table = new Table("generator", "round", "requests_per_cpu_s", "requests_per_s", "peak_resident_mib");
        samples.forEach((name, ofName) -> {
            for (int round = 0; round < ofName.size(); round++) {
                Sample sample = ofName.get(round);
                table.row(name, round + 1, sample.perCpuSecond(), sample.perSecond(), sample.peakMebibytes());
            }
        });
        return table;
    }

    private Plot chart(Map<String, List<Sample>> samples) {
        List<Plot.Series> lines = new ArrayList<>();
        for (Map.Entry<String, List<Sample>> entry : samples.entrySet()) {
            List<Plot.Point> points = new ArrayList<>();
            for (Sample sample : entry.getValue()) {
                points.add(new Plot.Point(points.size() + 1.0, sample.perCpuSecond()));
            }
            lines.add(
                    new Plot.Series(entry.getKey(), STYLES.get(lines.size() % STYLES.size()), Plot.Shape.LINE, points));
        }
        return Plot.of(
                "Requests per second of client processor time, by round",
                Axis.linear("round", rounds.count() + 1.0),
                Axis.linear("requests/CPU s", Timeline.top(lines)),
                lines);
    }
}
