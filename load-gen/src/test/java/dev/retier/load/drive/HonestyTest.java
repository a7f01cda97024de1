package dev.retier.load.drive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.retier.load.drive.KnownServer.Spoiling;
import dev.retier.load.drive.RecordedRun.Line;
import dev.retier.load.measure.Latency;
import dev.retier.load.report.Guarantee;
import dev.retier.load.report.LoadResult;
import dev.retier.load.schedule.Pacing;
import dev.retier.load.target.source.TargetSource;
import dev.retier.traces.EventStream;
import dev.retier.traces.ReplayedMethods;
import dev.retier.traces.Trace;
import dev.retier.traces.text.CsvFormat;
import dev.retier.traces.text.LineEvents;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a run says against what can be computed from its requests, each written down, and from what the server did by
 * its own clock: in closed and open loops, one site and two, with 0, 5 and 30 % of the requests failing in each way.
 * All runs at once: they wait for most of their time.
 */
@Timeout(120)
class HonestyTest {
    private static final long SECOND = 1_000_000_000L;
    private static final double RATE = 120;
    private static final double GUARANTEE = 60;
    private static final Duration LENGTH = Duration.ofMillis(3300);

    /** Requests for {@code /0}, {@code /1}, ..., so that each can be told from the others. */
    private record Numbered(int count) implements Trace {
        @Override
        public String name() {
            return "numbered";
        }

        @Override
        public EventStream open() {
            String text = IntStream.range(0, count)
                    .mapToObj(i -> "0,0,GET,STATIC,-1,0,0,/" + i + "\n")
                    .collect(Collectors.joining());
            return new LineEvents(
                    name(),
                    new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII)),
                    new CsvFormat(),
                    ReplayedMethods.SAFE);
        }

        @Override
        public OptionalLong eventCount() {
            return OptionalLong.of(count);
        }
    }

    @Test
    void shouldSayWhatTheRequestsSay_whenTheyFailInAllWays(@TempDir Path folder)
            throws InterruptedException, ExecutionException {
        List<Callable<Void>> checks = new ArrayList<>();
        checks.addAll(checks(Spoiling.NOT_FOUND, 0, folder));
        for (Spoiling spoiling : Spoiling.values()) {
            checks.addAll(checks(spoiling, 5, folder));
            checks.addAll(checks(spoiling, 30, folder));
        }
        try (ExecutorService all =
                Executors.newThreadPerTaskExecutor(Thread.ofVirtual().factory())) {
            for (Future<Void> checked : all.invokeAll(checks)) {
                checked.get();
            }
        }
    }

    private static List<Callable<Void>> checks(Spoiling spoiling, int percent, Path folder) {
        return List.of(
                () -> check(List.of(Pacing.CLOSED), spoiling, percent, folder),
                () -> check(List.of(Pacing.Rates.constant(RATE)), spoiling, percent, folder),
                () -> check(List.of(Pacing.CLOSED, Pacing.Rates.constant(RATE)), spoiling, percent, folder));
    }

    /** One site for each pacing, at the same time, each with a server that stands still from 1.1 s to 1.9 s. */
    private static Void check(List<Pacing> pacings, Spoiling spoiling, int percent, Path folder)
            throws InterruptedException {
        List<KnownServer> servers = new ArrayList<>();
        try {
            List<LoadPlan> plans = new ArrayList<>();
            for (int i = 0; i < pacings.size(); i++) {
                KnownServer server = new KnownServer(spoiling, percent, 1100, 1900);
                servers.add(server);
                String site = spoiling + "-" + percent + "-" + pacings.size() + "-"
                        + pacings.get(i).getClass().getSimpleName() + i;
                plans.add(LoadPlan.of(site, new Numbered(20_000), TargetSource.fixed(List.of(server.target())))
                        .withPacing(pacings.get(i))
                        .withClients(8)
                        .withDuration(LENGTH)
                        .withRequestTimeout(Duration.ofMillis(1500))
                        .withAnswerWithin(Duration.ofMillis(200))
                        .build());
            }
            List<RecordedRun> runs = RecordedRun.ofAll(plans, folder);
            for (int i = 0; i < runs.size(); i++) {
                check(runs.get(i), servers.get(i), spoiling, percent);
            }
        } finally {
            servers.forEach(KnownServer::close);
        }
        return null;
    }

    private static void check(RecordedRun run, KnownServer server, Spoiling spoiling, int percent) {
        LoadResult result = run.result();
        List<Line> lines = run.lines();
        assertThat(lines).as(result.site()).hasSizeGreaterThan(40);
        checkCounts(result, lines);
        checkLatencies(result.site(), result.latency(), lines);
        checkKept(result, lines);
        for (Line line : lines) {
            String as = result.site() + line.url();
            if (line.isGood()) {
                assertThat(server.spoils(line.url())).as(as).isFalse();
                assertThat(line.end() - line.sent()).as(as).isGreaterThanOrEqualTo(server.heldNanos(line.url()));
            } else if (!line.outcome().equals("DROPPED") && server.spoils(line.url())) {
                // Requests that the end of the run meets, and those behind a silent one, may also time out.
                assertThat(line.outcome()).as(as).isIn(spoiling.outcome(), "TIMEOUT");
            }
            assertThat(line.sent()).as(as).isGreaterThanOrEqualTo(line.due() + line.own());
            assertThat(line.end()).as(as).isGreaterThanOrEqualTo(line.sent());
        }
        long asked = lines.stream().filter(line -> server.spoils(line.url())).count();
        assertThat(asked * 100.0 / lines.size())
                .as("%s failed on purpose", result.site())
                .isCloseTo(percent, within(8.0));
        if (result.hasDueTimes()) {
            for (int i = 0; i < lines.size(); i++) {
                assertThat(lines.get(i).due()).isEqualTo((long) (i * SECOND / RATE));
            }
            long late = lines.stream().filter(line -> line.own() >= 10_000_000).count();
            assertThat(result.lateRequests()).isEqualTo(late);
            long latest = lines.stream().mapToLong(Line::own).max().orElse(0);
            assertThat((double) result.lateness().maxNanos()).isCloseTo((double) latest, within(latest * 1e-3 + 1));
        }
    }

    private static void checkCounts(LoadResult result, List<Line> lines) {
        String as = result.site();
        long good = lines.stream().filter(Line::isGood).count();
        long dropped =
                lines.stream().filter(line -> line.outcome().equals("DROPPED")).count();
        assertThat(result.totals().sent()).as(as).isEqualTo(lines.size());
        assertThat(result.totals().answered()).as(as).isEqualTo(good);
        assertThat(result.totals().dropped()).as(as).isEqualTo(dropped);
        assertThat(result.totals().failed()).as(as).isEqualTo(lines.size() - good - dropped);
        result.totals()
                .failures()
                .forEach((kind, count) -> assertThat(lines.stream()
                                .filter(line -> line.outcome().equals(kind.name()))
                                .count())
                        .as(as)
                        .isEqualTo(count));
        double lastEnd = lines.stream().mapToLong(Line::end).max().orElse(0) / 1e6;
        assertThat(result.elapsedMillis()).as(as).isBetween(lastEnd, lastEnd + 2500);
        assertThat(result.answeredPerSecond() * result.elapsedMillis() / 1000)
                .as(as)
                .isCloseTo((double) good, within(1e-6 * good));
    }

    static void checkLatencies(String as, Latency said, List<Line> lines) {
        long[] sorted = lines.stream()
                .filter(Line::isTimed)
                .mapToLong(Line::latency)
                .sorted()
                .toArray();
        assertThat(said.count()).as(as).isEqualTo(sorted.length);
        checkPercentile(as, said.p50Nanos(), sorted, 0.5);
        checkPercentile(as, said.p90Nanos(), sorted, 0.9);
        checkPercentile(as, said.p99Nanos(), sorted, 0.99);
        checkPercentile(as, said.p999Nanos(), sorted, 0.999);
        checkPercentile(as, said.maxNanos(), sorted, 1);
    }

    /** HdrHistogram keeps three digits. */
    private static void checkPercentile(String as, long said, long[] sorted, double share) {
        long exact = sorted[Math.max(0, (int) Math.ceil(share * sorted.length - 1e-9) - 1)];
        assertThat((double) said).as("%s, %s", as, share).isCloseTo((double) exact, within(exact * 1e-3 + 1));
    }

    private static void checkKept(LoadResult result, List<Line> lines) {
        int whole = (int) (result.sendingMillis() / 1000);
        int kept = 0;
        for (int second = 0; second < whole; second++) {
            long from = second * SECOND;
            long to = from + SECOND;
            if (result.hasDueTimes()) {
                List<Line> due = lines.stream()
                        .filter(line -> line.due() >= from && line.due() < to)
                        .toList();
                long well = due.stream()
                        .filter(line -> line.isGood() && line.latency() <= 200_000_000)
                        .count();
                kept += well >= Math.min(GUARANTEE, due.size()) ? 1 : 0;
            } else {
                long answered = lines.stream()
                        .filter(line -> line.isGood() && line.end() >= from && line.end() < to)
                        .count();
                boolean asked = lines.stream().anyMatch(line -> line.due() < to && line.end() >= from);
                kept += answered >= GUARANTEE || !asked ? 1 : 0;
            }
        }
        Guarantee.Kept said = new Guarantee(result.site(), 1, GUARANTEE).judge(result);
        assertThat(whole).isEqualTo(3);
        assertThat(said.intervals()).as(result.site()).isEqualTo(whole);
        assertThat(said.kept()).as(result.site()).isEqualTo(kept);
        if (result.hasDueTimes()) {
            assertThat(kept).as("the second in which the server stood still").isLessThan(whole);
        }
    }
}
