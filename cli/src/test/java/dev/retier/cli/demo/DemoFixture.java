package dev.retier.cli.demo;

import dev.retier.cli.demo.PassResult.EndedMove;
import dev.retier.cli.demo.PassResult.TierSizes;
import dev.retier.load.drive.Connections;
import dev.retier.load.measure.Burst;
import dev.retier.load.measure.Interval;
import dev.retier.load.measure.Latency;
import dev.retier.load.measure.LatencyOverTime;
import dev.retier.load.measure.Totals;
import dev.retier.load.report.EndReason;
import dev.retier.load.report.GeneratorHealth;
import dev.retier.load.report.LoadResult;
import dev.retier.load.target.FollowReport;
import dev.retier.load.target.TierHistory;
import dev.retier.sim.model.Split;
import dev.retier.traces.ReadReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A made-up result: two bursts of 8,000 requests each at level rates. */
final class DemoFixture {
    static final long REQUESTS = 8_000;
    private static final long INTERVAL_MILLIS = 250;

    private DemoFixture() {}

    /** Rigid: 500 static and 400 dynamic requests a second; reconfigured: 1,600 and 500. */
    static DemoResult result() {
        PassResult rigid = new PassResult(
                "rigid", new Split(2, 5), load(500, 400), List.of(new TierSizes(0, 2, 5)), List.of(), List.of());
        PassResult reconfigured = new PassResult(
                "reconfigured",
                new Split(2, 5),
                load(1_600, 500),
                List.of(new TierSizes(0, 2, 5), new TierSizes(0.4, 3, 4), new TierSizes(5.4, 2, 5)),
                List.of(
                        new EndedMove(0.3, "node-3", "shop/app", "shop/proxy", "active", 120),
                        new EndedMove(5.3, "node-3", "shop/proxy", "shop/app", "active", 140)),
                List.of("7.0 s: web-node of node-5 closed"));
        DemoSettings settings = new DemoSettings(
                7,
                null,
                null,
                REQUESTS,
                Duration.ofSeconds(60),
                Duration.ofMillis(100),
                Duration.ofMillis(300),
                48,
                Connections.SPREAD,
                1,
                List.of());
        return new DemoResult(settings, "bursts <of> 8000", rigid, reconfigured, 20);
    }

    private static LoadResult load(long staticPerSecond, long dynamicPerSecond) {
        double staticMillis = REQUESTS * 1000.0 / staticPerSecond;
        double dynamicMillis = REQUESTS * 1000.0 / dynamicPerSecond;
        double elapsedMillis = staticMillis + dynamicMillis;
        List<Interval> intervals = new ArrayList<>();
        for (long start = 0; start < elapsedMillis; start += INTERVAL_MILLIS) {
            boolean isStatic = start < staticMillis;
            long count = (isStatic ? staticPerSecond : dynamicPerSecond) * INTERVAL_MILLIS / 1000;
            intervals.add(
                    new Interval(start, count, isStatic ? count : 0, isStatic ? 0 : count, 0, 0, 0, count, count));
        }
        List<Burst> bursts = List.of(
                new Burst(0, Burst.Kind.STATIC, 0, staticMillis, REQUESTS, REQUESTS, 0),
                new Burst(1, Burst.Kind.DYNAMIC, staticMillis, elapsedMillis, REQUESTS, REQUESTS, 0));
        Latency latency =
                new Latency(REQUESTS, 1, 30e6, 30_000_000, 60_000_000, 90_000_000, 95_000_000, 99_000_000, "");
        return new LoadResult(
                "shop",
                "bursts",
                LoadResult.SERVICE_TIME,
                0,
                elapsedMillis,
                elapsedMillis,
                EndReason.TRACE_END,
                null,
                48,
                new Totals(2 * REQUESTS, 2 * REQUESTS, 0, 0, 0, REQUESTS, REQUESTS, 0, Map.of()),
                Map.of(),
                2 * REQUESTS * 1000 / elapsedMillis,
                INTERVAL_MILLIS,
                1000,
                intervals,
                bursts,
                0,
                latency,
                latency,
                latency,
                latency,
                new LatencyOverTime(INTERVAL_MILLIS, List.of()),
                new Latency(0, 0, 0, 0, 0, 0, 0, 0, ""),
                0,
                0,
                0,
                null,
                GeneratorHealth.judge(0.1, 0, 2 * REQUESTS),
                List.of(),
                new FollowReport(1, 0, 0, 0, 0),
                TierHistory.NONE,
                null,
                ReadReport.EMPTY);
    }
}
