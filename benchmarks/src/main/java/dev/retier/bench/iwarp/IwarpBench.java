package dev.retier.bench.iwarp;

import dev.retier.bench.Measures;
import dev.retier.bench.ResultOptions;
import dev.retier.bench.Results;
import dev.retier.bench.RoundsOption;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench iwarp}: software iWARP beside plain TCP (experiments E11 and E12), and the cost of many regions. */
@Command(
        name = "iwarp",
        description = "Software iWARP beside plain Java TCP, in the same process and run: targets, many regions, then"
                + " latency and bandwidth of every operation by size. About two minutes; needs two idle processors.")
@Measures(modules = {"verbs", "soft-iwarp"})
public final class IwarpBench implements Callable<Integer> {
    private static final int TARGET_MILLIS = 300;
    private static final int REGION_MILLIS = 150;
    private static final int MATRIX_MILLIS = 50;

    @Mixin
    private RoundsOption rounds = new RoundsOption(5);

    @Option(
            names = "--scale",
            paramLabel = "FACTOR",
            description = "Length of every sample, as a factor (default: ${DEFAULT-VALUE}).")
    private double scale = 1;

    @Option(names = "--targets-only", description = "Leave the tables by size out.")
    private boolean targetsOnly;

    @Mixin
    private ResultOptions options = new ResultOptions();

    /**
     * {@inheritDoc}
     *
     * @throws Exception if a connection fails
     */
    @Override
    public Integer call() throws Exception {
        String command = String.format(
                Locale.ROOT,
                "./retier bench iwarp --rounds %d --scale %s%s",
                rounds.count(),
                scale,
                targetsOnly ? " --targets-only" : "");
        Results results = options.begin("iwarp", "Software iWARP beside plain TCP", command);
        results.note("Over the loopback interface, both ends in one process, TCP_NODELAY, " + rounds.count()
                + " interleaved rounds after one for warming up. Figures are medians; ratios are taken round by round:"
                + " median, least, most. Allocation is the heap's, of both ends and the benchmark itself.");
        results.heading("Targets").table("targets", new Targets(turns(results, TARGET_MILLIS)).measure());
        results.note("Processor time is that of both ends while they sleep until something comes: pollers would burn"
                + " all there is, whatever they poll.");
        results.heading("Many regions, large regions")
                .table("regions", new Regions(turns(results, REGION_MILLIS)).measure());
        if (!targetsOnly) {
            matrix(results, new Matrix(turns(results, MATRIX_MILLIS)));
        }
        options.end(results);
        return 0;
    }

    private Turns turns(Results results, int millis) {
        return new Turns(results.rounds(), rounds.count(), Duration.ofNanos((long) (millis * 1e6 * scale)));
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
