package dev.retier.bench.load;

import dev.retier.bench.Launched;
import dev.retier.bench.ResultOptions;
import dev.retier.bench.Results;
import dev.retier.load.measure.Latency;
import dev.retier.load.measure.LatencyHistograms;
import dev.retier.load.report.LoadResult;
import dev.retier.load.report.ResultJson;
import dev.retier.report.Plot;
import dev.retier.report.Table;
import dev.retier.report.Timeline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** How exactly requests are sent on time, and what freezing the server or the generator for a second looks like. */
final class OpenLoopBench {
    private static final int CLIENTS = 50;
    private static final int SECONDS = 10;
    private static final int CLOSED_SECONDS = 4;
    private static final int FROZEN_RATE = 5000;
    private static final long FREEZE_AFTER_MILLIS = 4000;
    private static final long FREEZE_MILLIS = 1000;
    private static final long START_MILLIS = 60_000;
    private static final long LOOK_MILLIS = 20;
    private static final double NANOS_PER_MICRO = 1e3;
    private static final double NANOS_PER_MILLI = 1e6;

    private final BenchServer server;
    private final Path folder;
    private final int core;

    OpenLoopBench(BenchServer server, Path folder, int core) {
        this.server = server;
        this.folder = folder;
        this.core = core;
    }

    Results run(ResultOptions options) throws IOException, InterruptedException {
        Results results =
                options.begin("load-open-loop", "Open loop: honest response times", "./retier bench load --open-loop");
        results.note("The generator alone on one core, one nginx worker on the other, " + CLIENTS
                + " connections kept alive, " + SECONDS + " s a run after a warm-up against a server of its own.");
        double capacity = one(CLOSED_SECONDS, 0, null).answeredPerSecond();
        double half = Math.rint(capacity / 2);
        firing(results, capacity, List.of(one(SECONDS, 1000, null), one(SECONDS, half, null)), half);
        LoadResult undisturbed = one(SECONDS, FROZEN_RATE, null);
        LoadResult server1 = one(SECONDS, FROZEN_RATE, server.process());
        LoadResult closed = oneClosedFrozen();
        freezes(results, undisturbed, server1, closed);
        LoadResult generator = generatorFrozen();
        results.heading("The generator frozen for 1 s, at " + FROZEN_RATE + " requests/s")
                .note("Its own lateness is told apart from what the server did, and the run says so.")
                .table("slow-generator", latencies(List.of(new Named("generator frozen", generator))));
        generator.health().warnings().forEach(warning -> results.note("Warning of the run: " + warning));
        return results;
    }

    private record Named(String name, LoadResult result) {}

    private static void firing(Results results, double capacity, List<LoadResult> runs, double half) {
        results.heading("Firing error")
                .note(String.format(
                        "Closed loop: %.0f requests/s, so 50 %% is %.0f. Wanted there: p50 <= 30 us, p90 <= 60 us.",
                        capacity, half));
        Table table = new Table("requests_per_s", "p50_us", "p90_us", "p99_us", "max_us", "late_requests", "failed");
        for (LoadResult run : runs) {
            Histogram late = LatencyHistograms.decode(run.lateness());
            table.row(
                    Math.rint(run.totals().sent() * 1000 / run.elapsedMillis()),
                    late.getValueAtPercentile(50) / NANOS_PER_MICRO,
                    late.getValueAtPercentile(90) / NANOS_PER_MICRO,
                    late.getValueAtPercentile(99) / NANOS_PER_MICRO,
                    late.getMaxValue() / NANOS_PER_MICRO,
                    run.lateRequests(),
                    run.totals().failed() + run.totals().dropped());
        }
        results.table("firing", table);
    }

    private static void freezes(Results results, LoadResult undisturbed, LoadResult frozen, LoadResult closed) {
        double theory = FREEZE_MILLIS - SECONDS * 1000 * 0.01;
        double p99 = frozen.latency().p99Nanos() / NANOS_PER_MILLI;
        results.heading("The server frozen for 1 s, at " + FROZEN_RATE + " requests/s")
                .note(String.format(
                        "Requests due in the freeze wait up to 1 s, evenly: of 10 s, the slowest hundredth waits over"
                                + " %.0f ms. Response p99 is %.0f ms, %+.1f %% off. A closed loop hides it.",
                        theory, p99, (p99 / theory - 1) * 100))
                .table(
                        "frozen-server",
                        latencies(List.of(
                                new Named("undisturbed", undisturbed),
                                new Named("server frozen", frozen),
                                new Named("server frozen, closed loop", closed))))
                .plot(chart(List.of(
                        new Named("open loop, server frozen", frozen),
                        new Named("closed loop, server frozen", closed))));
    }

    private static Table latencies(List<Named> runs) {
        Table table = new Table(
                "run",
                "requests",
                "response_p50_ms",
                "response_p99_ms",
                "response_max_ms",
                "service_p99_ms",
                "service_max_ms",
                "lateness_p99_ms",
                "late_requests");
        for (Named run : runs) {
            Latency response = run.result().latency();
            Latency service = run.result().service();
            table.row(
                    run.name(),
                    run.result().totals().sent(),
                    response.p50Nanos() / NANOS_PER_MILLI,
                    response.p99Nanos() / NANOS_PER_MILLI,
                    response.maxNanos() / NANOS_PER_MILLI,
                    service.p99Nanos() / NANOS_PER_MILLI,
                    service.maxNanos() / NANOS_PER_MILLI,
                    run.result().lateness().p99Nanos() / NANOS_PER_MILLI,
                    run.result().lateRequests());
        }
        return table;
    }

    /** Answers per second over the time of the run. */
    private static Plot chart(List<Named> runs) {
        List<Plot.Series> lines = new ArrayList<>();
        for (Named run : runs) {
            List<Plot.Point> points = new ArrayList<>();
            double seconds = run.result().intervalMillis() / 1000;
            for (var interval : run.result().intervals()) {
                points.add(new Plot.Point(interval.startMillis() / 1000.0, interval.answered() / seconds));
            }
            lines.add(new Plot.Series(run.name(), lines.isEmpty() ? "a" : "b", Plot.Shape.STEP, points));
        }
        return Timeline.of(SECONDS).rates("Answers while the server is frozen", lines);
    }

    private LoadResult oneClosedFrozen() throws IOException, InterruptedException {
        return one(SECONDS, 0, server.process());
    }

    private LoadResult generatorFrozen() throws IOException, InterruptedException {
        Path file = freshFile();
        try (Pinned run = start(SECONDS, FROZEN_RATE, file)) {
            awaitFirstRequest(run, server.requests());
            freeze(run);
            return result(run, file);
        }
    }

    /** One run; {@code frozen} stands still for a second in its middle. */
    private LoadResult one(int seconds, double perSecond, @Nullable Pinned frozen)
            throws IOException, InterruptedException {
        Path file = freshFile();
        long before = server.requests();
        try (Pinned run = start(seconds, perSecond, file)) {
            if (frozen != null) {
                awaitFirstRequest(run, before);
                freeze(frozen);
            }
            return result(run, file);
        }
    }

    private Pinned start(int seconds, double perSecond, Path file) throws IOException {
        return Pinned.start(
                core,
                folder.resolve("open-loop.log"),
                Launched.loadMachine(
                        OpenLoopRun.class,
                        String.valueOf(server.port()),
                        String.valueOf(CLIENTS),
                        String.valueOf(seconds),
                        String.valueOf(perSecond),
                        file.toString()));
    }

    private static void freeze(Pinned process) throws IOException, InterruptedException {
        process.letRun(FREEZE_AFTER_MILLIS);
        process.signal("STOP");
        process.letRun(FREEZE_MILLIS);
        process.signal("CONT");
    }

    /** The run has begun when the server has seen more than the looking itself. */
    private void awaitFirstRequest(Pinned run, long before) throws IOException, InterruptedException {
        long looks = 0;
        for (long left = START_MILLIS; left > 0; left -= LOOK_MILLIS) {
            run.letRun(LOOK_MILLIS);
            looks++;
            if (server.requests() > before + looks + CLIENTS) {
                return;
            }
        }
        throw new IOException("the run did not begin, see " + folder.resolve("open-loop.log"));
    }

    private Path freshFile() throws IOException {
        Path file = folder.resolve("open-loop.json");
        Files.deleteIfExists(file);
        return file;
    }

    private static LoadResult result(Pinned run, Path file) throws IOException, InterruptedException {
        String log = run.await(2 * START_MILLIS / 1000);
        if (!Files.exists(file)) {
            throw new IOException("the run has no result:\n" + log);
        }
        return ResultJson.read(file.toString(), Files.readString(file)).getFirst();
    }
}
