package dev.retier.load.report;

import dev.retier.load.measure.Attempt;
import dev.retier.load.measure.FailureKind;
import dev.retier.load.measure.Held;
import dev.retier.load.measure.Interval;
import dev.retier.load.measure.Outcomes;
import dev.retier.load.measure.RunMeter;
import dev.retier.load.measure.Work;
import dev.retier.load.target.FollowReport;
import dev.retier.load.target.TierHistory;
import dev.retier.traces.ReadReport;
import dev.retier.traces.RequestClass;
import dev.retier.traces.SyntheticObject;
import dev.retier.traces.TraceEvent;
import java.util.List;
import java.util.Map;

/** Makes results to report on. */
public final class Results {
    private static final long MS = 1_000_000;

    private Results() {}

    /** {@code count} answers, one each 10 ms, number i after i ms; one failure and one dropped request. */
    public static LoadResult of(String site, int count, long startedAtEpochMillis) {
        return of(site, count, startedAtEpochMillis, false);
    }

    /** The same as if from an open loop. */
    public static LoadResult withLateness(LoadResult run) {
        return of(run.site(), (int) run.totals().answered(), run.startedAtEpochMillis(), true);
    }

    /** A run of nothing but these intervals. */
    public static LoadResult ofIntervals(
            boolean isOpenLoop, double intervalMillis, double sendingMillis, List<Interval> intervals) {
        RunMeter meter = new RunMeter(MS, MS, isOpenLoop);
        return result("shop", 0, new Shape(isOpenLoop, sendingMillis, intervalMillis, intervals), meter);
    }

    /** One stream, open from 50 to 350 ms. */
    public static LoadResult ofStreams(long startedAtEpochMillis) {
        RunMeter meter = new RunMeter(100 * MS, 1000 * MS, false);
        TraceEvent event = TraceEvent.get(0, 0, new SyntheticObject(1, RequestClass.STATIC, 10), 0);
        Attempt opened = new Attempt(Work.due(event, 0), "127.0.0.1:1", 0, 50 * MS);
        meter.sent(event, 0, 0);
        meter.opened(opened);
        meter.over(new Attempt(Work.due(event, 0), "127.0.0.1:1", 0, 350 * MS)
                .answered(200, 0)
                .of(new Held(50 * MS, Held.NOTHING, 0, 0)));
        return result("shop", startedAtEpochMillis, new Shape(false, 400, 100, meter.intervals()), meter);
    }

    private static LoadResult of(String site, int count, long startedAtEpochMillis, boolean isOpenLoop) {
        RunMeter meter = new RunMeter(100 * MS, 1000 * MS, isOpenLoop);
        for (int i = 1; i <= count; i++) {
            RequestClass requestClass = i % 4 == 0 ? RequestClass.DYNAMIC : RequestClass.STATIC;
            TraceEvent event = TraceEvent.get(0, 0, new SyntheticObject(i, requestClass, 10), i / 50);
            meter.sent(event, i * 9L * MS, i * 10L * MS);
            meter.over(new Attempt(
                            Work.due(event, i * 9L * MS), "127.0.0.1:" + (1 + i % 2), (i * 10L - 1) * MS, i * 10L * MS)
                    .answered(200, 10));
        }
        TraceEvent last = TraceEvent.get(0, 0, new SyntheticObject(0, RequestClass.STATIC, 10), 0);
        meter.sent(last, 0, 0);
        meter.over(Outcomes.failed(last, "127.0.0.1:1", FailureKind.TIMEOUT, 5 * MS, 5 * MS));
        meter.sent(last, 0, 0);
        meter.over(Outcomes.dropped(last, 6 * MS, 6 * MS));
        return result(site, startedAtEpochMillis, new Shape(isOpenLoop, count * 10, 100, meter.intervals()), meter);
    }

    private record Shape(boolean isOpenLoop, double sendingMillis, double intervalMillis, List<Interval> intervals) {}

    private static LoadResult result(String site, long startedAtEpochMillis, Shape shape, RunMeter meter) {
        return new LoadResult(
                site,
                "made up",
                shape.isOpenLoop() ? LoadResult.RESPONSE_TIME : LoadResult.SERVICE_TIME,
                startedAtEpochMillis,
                shape.sendingMillis(),
                shape.sendingMillis(),
                EndReason.TRACE_END,
                null,
                8,
                meter.totals(),
                Map.of(),
                100,
                shape.intervalMillis(),
                1000,
                shape.intervals(),
                meter.bursts(),
                0,
                meter.latency(RequestClass.STATIC),
                meter.latency(RequestClass.DYNAMIC),
                meter.latency(),
                meter.service(),
                meter.latencyOverTime(),
                meter.lateness(),
                meter.late(),
                meter.retries(),
                meter.chunked(),
                meter.streams().figures().opened() == 0 ? null : meter.streams().figures(),
                GeneratorHealth.judge(0.5, meter.late(), meter.totals().sent()),
                meter.targets(),
                new FollowReport(1, 1, 0, 0, 0),
                TierHistory.NONE,
                null,
                ReadReport.allGood(meter.totals().sent()));
    }
}
