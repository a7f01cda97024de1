package dev.retier.bench.load;

import com.sun.management.ThreadMXBean;
import dev.retier.bench.Launched;
import dev.retier.bench.Measures;
import dev.retier.bench.ResultOptions;
import dev.retier.bench.Results;
import dev.retier.bench.RoundsOption;
import dev.retier.bench.Stats;
import dev.retier.report.Axis;
import dev.retier.report.Plot;
import dev.retier.report.Table;
import dev.retier.report.Timeline;
import dev.retier.traces.EventStream;
import dev.retier.traces.file.TraceInput;
import dev.retier.traces.worldcup.WorldCupEvents;
import dev.retier.traces.worldcup.WorldCupMapping;
import dev.retier.traces.worldcup.WorldCupRecord;
import dev.retier.traces.worldcup.WorldCupStatistics;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.zip.GZIPOutputStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench trace}: how fast World Cup logs are read, raw and compressed, beside gzip. */
@Command(
        name = "trace",
        description = "Reading World Cup 98 logs: records per second of one core, for statistics and as events, beside"
                + " gzip.")
@Measures(modules = "traces")
public final class TraceBench implements Callable<Integer> {
    private static final double MEGA = 1e6;
    private static final String STATISTICS = "statistics (trace info)";
    private static final String EVENTS = "events (replay)";

    @Option(
            names = "--sample",
            paramLabel = "FILE",
            description =
                    "A World Cup log, raw or gzip; its records are multiplied (default: the one in traces/samples).")
    private Path sample = Launched.root().resolve("traces/samples/worldcup.log.gz");

    @Option(
            names = "--records",
            paramLabel = "N",
            description = "Records of the multiplied log (default: ${DEFAULT-VALUE}, as a full file of the site).")
    private int records = 7_000_000;

    @Mixin
    private RoundsOption rounds = new RoundsOption(7);

    @Mixin
    private ResultOptions options = new ResultOptions();

    /** Reads all of a log and returns how many records it had. */
    @FunctionalInterface
    private interface Reading {
        long read(Path log) throws IOException, InterruptedException;
    }

    private record Sample(double perSecond, double perCpuSecond, double allocatedPerRecord) {
        /** For another process, whose processor time and memory are not known here. */
        Sample elapsedOnly() {
            return new Sample(perSecond, Double.NaN, Double.NaN);
        }
    }

    /**
     * {@inheritDoc}
     *
     * @throws Exception if the sample cannot be read
     */
    @Override
    public Integer call() throws Exception {
        Path folder = Launched.workFolder("bench-trace");
        Path raw = folder.resolve("log");
        Path compressed = folder.resolve("log.gz");
        try {
            multiply(raw, compressed);
            Results results = options.begin(
                    "trace",
                    "Reading World Cup logs",
                    "./retier bench trace --sample " + sample.getFileName() + " --records " + records + " --rounds "
                            + rounds.count());
            results.note(String.format(
                    "%d records made from %s by drawing its records in seeded random order with other clients; raw"
                            + " %.0f MB, compressed %.1f bytes per record. Each reading on one thread, interleaved"
                            + " rounds after one for warming up. Memory is what the reading thread allocates. Two"
                            + " readings, and each figure says of which it is: statistics look at each record and make"
                            + " no object of it (./retier trace info); events make of each the request that is to be"
                            + " sent, as a replay needs it (./retier load --trace). A rate of statistics says nothing"
                            + " of a replay.",
                    records, sample.getFileName(), Files.size(raw) / MEGA, (double) Files.size(compressed) / records));
            measure(raw, compressed, results);
            options.end(results);
        } finally {
            Files.deleteIfExists(raw);
            Files.deleteIfExists(compressed);
        }
        return 0;
    }

    private void measure(Path raw, Path compressed, Results results) throws Exception {
        List<Map<String, Sample>> all = results.rounds()
                .run(1, rounds.count(), _ -> round(raw, compressed))
                .all();
        Table table = new Table(
                "reading",
                "million_records_per_s",
                "million_records_per_cpu_s",
                "least_per_s",
                "most_per_s",
                "allocated_bytes_per_record");
        all.getFirst().keySet().forEach(name -> {
            List<Sample> samples = of(all, name);
            Stats rates = Stats.of(samples, Sample::perSecond);
            table.row(
                    name,
                    rates.median() / MEGA,
                    Stats.of(samples, Sample::perCpuSecond).median() / MEGA,
                    rates.least() / MEGA,
                    rates.most() / MEGA,
                    Stats.of(samples, Sample::allocatedPerRecord).median());
        });
        results.table("reading", table).plot(chart(all));
    }

    private Map<String, Sample> round(Path raw, Path compressed) throws IOException, InterruptedException {
        Map<String, Sample> round = new LinkedHashMap<>();
        round.put(STATISTICS + ", raw", sample(TraceBench::statistics, raw));
        round.put(EVENTS + ", raw", sample(TraceBench::events, raw));
        round.put(STATISTICS + ", gz", sample(TraceBench::statistics, compressed));
        round.put(EVENTS + ", gz", sample(TraceBench::events, compressed));
        round.put("gzip -dc", sample(this::gzip, compressed).elapsedOnly());
        return round;
    }

    private static List<Sample> of(List<Map<String, Sample>> rounds, String name) {
        return rounds.stream()
                .map(round -> Objects.requireNonNull(round.get(name)))
                .toList();
    }

    private Sample sample(Reading reading, Path log) throws IOException, InterruptedException {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long allocated = threads.getCurrentThreadAllocatedBytes();
        long cpu = threads.getCurrentThreadCpuTime();
        long start = System.nanoTime();
        long read = reading.read(log);
        double elapsed = (System.nanoTime() - start) / 1e9;
        double cpuSeconds = (threads.getCurrentThreadCpuTime() - cpu) / 1e9;
        allocated = threads.getCurrentThreadAllocatedBytes() - allocated;
        if (read != records) {
            throw new IOException("read " + read + " records, not " + records);
        }
        return new Sample(read / elapsed, read / cpuSeconds, (double) allocated / read);
    }

    private static long statistics(Path log) throws IOException {
        try (InputStream in = TraceInput.open(log)) {
            WorldCupStatistics statistics = WorldCupStatistics.read(in);
            return statistics.requests() + statistics.bad();
        }
    }

    private static long events(Path log) {
        try (EventStream events = new WorldCupEvents(log.toString(), TraceInput.open(log), WorldCupMapping.AS_LOGGED)) {
            while (events.next() != null) {
                // Only the reading matters here.
            }
            return events.report().read();
        }
    }

    /** Decompresses with gzip, to nowhere; its processor time is not ours, so only the elapsed time counts. */
    private long gzip(Path log) throws IOException, InterruptedException {
        Process gzip = new ProcessBuilder("gzip", "-dc", log.toString())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        if (gzip.waitFor() != 0) {
            throw new IOException("gzip -dc failed");
        }
        return records;
    }

    private void multiply(Path raw, Path compressed) throws IOException {
        byte[] one;
        try (InputStream in = TraceInput.open(sample)) {
            one = in.readAllBytes();
        }
        int length = WorldCupRecord.LENGTH_BYTES;
        int available = one.length / length;
        SplittableRandom random = new SplittableRandom(1);
        byte[] made = new byte[length];
        long start = WorldCupRecord.parse(one, 0).timestampSeconds();
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(raw), 1 << 16);
                OutputStream packed = new GZIPOutputStream(Files.newOutputStream(compressed), 1 << 16)) {
            for (int i = 0; i < records; i++) {
                WorldCupRecord drawn = WorldCupRecord.parse(one, random.nextInt(available) * length);
                new WorldCupRecord(
                                start + i / 1000,
                                random.nextInt(1 << 16),
                                drawn.objectId(),
                                drawn.sizeBytes(),
                                drawn.method(),
                                drawn.status(),
                                drawn.type(),
                                drawn.server())
                        .emit(made, 0);
                out.write(made);
                packed.write(made);
            }
        }
    }

    private static Plot chart(List<Map<String, Sample>> rounds) {
        List<String> styles = List.of("a", "b", "a dashed", "b dashed", "c");
        List<Plot.Series> lines = new ArrayList<>();
        for (String name : rounds.getFirst().keySet()) {
            List<Plot.Point> points = new ArrayList<>();
            for (Sample one : of(rounds, name)) {
                points.add(new Plot.Point(points.size() + 1.0, one.perSecond() / MEGA));
            }
            lines.add(new Plot.Series(name, styles.get(lines.size()), Plot.Shape.LINE, points));
        }
        return Plot.of(
                "Million records per second, by round",
                Axis.linear("round", rounds.size() + 1.0),
                Axis.linear("M/s", Timeline.top(lines)),
                lines);
    }
}
