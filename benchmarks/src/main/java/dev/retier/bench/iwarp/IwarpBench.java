package dev.retier.bench.iwarp;

import dev.retier.bench.Measures;
import dev.retier.bench.ResultOptions;
import dev.retier.bench.Results;
import dev.retier.bench.RoundsOption;
import dev.retier.iwarp.SoftIwarp;
import dev.retier.report.Table;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bench iwarp}: software iWARP beside plain TCP (experiments E11 and E12), and the cost of many regions. */
@Command(
        name = "iwarp",
        description = "Software iWARP beside plain Java TCP, in the same process and run: targets, many regions, then"
                + " latency and bandwidth of every operation by size. About six minutes; needs two idle processors.")
@Measures(modules = {"verbs", "soft-iwarp"})
public final class IwarpBench implements Callable<Integer> {
    private static final int TURNS = 10;
    private static final double TARGET_MILLIS = 20;
    private static final double REGION_MILLIS = 20;
    private static final double MATRIX_MILLIS = 20;
    /** The matrix shows shapes; its figures decide nothing. */
    private static final int BLOCKS_BY_MATRIX_BLOCK = 4;

    @Mixin
    private RoundsOption rounds = new RoundsOption(20);

    @Option(
            names = "--scale",
            paramLabel = "FACTOR",
            description = "Length of every sample, as a factor (default: ${DEFAULT-VALUE}).")
    private double scale = 1;

    @Option(names = "--targets-only", description = "Leave the tables by size out.")
    private boolean targetsOnly;

    @Option(
            names = "--only",
            paramLabel = "TEXT",
            description = "Measure only targets whose name contains this, and nothing else; may be repeated.")
    private List<String> only = List.of();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Mixin
    private ResultOptions options = new ResultOptions();

    /**
     * {@inheritDoc}
     *
     * @throws Exception if a connection fails
     */
    @Override
    public Integer call() throws Exception {
        StringBuilder command = new StringBuilder(
                String.format(Locale.ROOT, "./retier bench iwarp --rounds %d --scale %s", rounds.count(), scale));
        command.append(targetsOnly ? " --targets-only" : "");
        only.forEach(text -> command.append(" --only \"").append(text).append('"'));
        Results results = options.begin("iwarp", "Software iWARP beside plain TCP", command.toString());
        results.note("Over the loopback interface, both ends in one process, TCP_NODELAY. In each of " + rounds.count()
                + " blocks new connections are made, and all that is compared takes " + TURNS
                + " turns of some milliseconds over them, every other time in the opposite order; one block before"
                + " warms up. (The floor and the many regions take two turns in each block, the regions over the same"
                + " connections; the tables by size five in each of a quarter as many blocks.) Figures are medians of"
                + " all turns; ratios are taken turn by turn: their median, and its confidence interval of 95 %"
                + " (bootstrap over blocks; all are of one virtual machine). A target is met or missed if the whole"
                + " interval is, of 200 turns of 20 ms in 10 blocks or more. Allocation is the heap's, of both ends and"
                + " the benchmark. soft-iwarp's sockets are used by "
                + (SoftIwarp.class.getModule().isNativeAccessEnabled()
                        ? "Linux's own calls."
                        : "Java's channels, as native access is not granted."));
        results.heading("Targets").table("targets", targets(results).measure());
        results.note("Processor time is that of both ends while they sleep until something comes: pollers would burn"
                + " all there is, whatever they poll.");
        if (only.isEmpty()) {
            floor(results);
            results.heading("Many regions, large regions")
                    .table("regions", new Regions(turns(results, 1, 2, REGION_MILLIS)).measure());
        }
        if (only.isEmpty() && !targetsOnly) {
            matrix(results, new Matrix(turns(results, BLOCKS_BY_MATRIX_BLOCK, TURNS / 2, MATRIX_MILLIS)));
        }
        options.end(results);
        return 0;
    }

    private Targets targets(Results results) {
        Targets targets = new Targets(turns(results, 1, TURNS, TARGET_MILLIS), this::isChosen);
        if (!targets.areAny()) {
            throw new ParameterException(spec.commandLine(), "--only " + only + ": no target has such a name");
        }
        return targets;
    }

    private boolean isChosen(String name) {
        return only.isEmpty() || only.stream().anyMatch(name::contains);
    }

    private Turns turns(Results results, int fewer, int turns, double millis) {
        return new Turns(results.rounds(), Math.ceilDiv(rounds.count(), fewer), turns, Duration.ofNanos((long)
                (millis * 1e6 * scale)));
    }

    private void floor(Results results) throws Exception {
        Floor floor = new Floor(turns(results, 1, 2, TARGET_MILLIS));
        Optional<Table> found = floor.measure();
        results.heading("The floor: half a round trip of 4 B over TCP, both ends polling");
        if (found.isPresent()) {
            results.table("floor", found.get());
        } else {
            results.note("There is no C compiler (cc) here.");
        }
    }

    private static void matrix(Results results, Matrix matrix) throws Exception {
        latency(results, "polled", matrix.polledLatency());
        latency(results, "notified", matrix.notifiedLatency(Waiting.SLEEP));
        latency(results, "adaptive", matrix.notifiedLatency(Waiting.ADAPTIVE));
        List<Comparison> bandwidth = matrix.bandwidth();
        results.heading("Bandwidth, polled, sixteen operations under way, CRC on")
                .table("bandwidth", Charts.bandwidthTable(bandwidth))
                .plot(Charts.bandwidthPlot("Bandwidth by size", bandwidth));
    }

    private static void latency(Results results, String waiting, List<Comparison> found) {
        results.heading("Latency, " + waiting + ", CRC on: half a round trip; of a read, until it completes")
                .table("latency-" + waiting, Charts.latencyTable(found))
                .plot(Charts.latencyPlot("Latency by size, " + waiting, found));
    }
}
