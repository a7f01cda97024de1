package dev.retier.load.report;

import dev.retier.load.measure.Answer;
import dev.retier.load.measure.FailureKind;
import dev.retier.load.measure.RunMeter;
import dev.retier.load.target.FollowReport;
import dev.retier.load.target.TierHistory;
import dev.retier.load.trace.ReadReport;
import dev.retier.load.trace.RequestClass;
import dev.retier.load.trace.SyntheticObject;
import dev.retier.load.trace.TraceEvent;

/** Makes results to report on. */
public final class Results {
    private static final long MS = 1_000_000;

    private Results() {}

    /** {@code count} answers, one each 10 ms, number i after i ms; one failure and one dropped request. */
    public static LoadResult of(String site, int count, long startedAtEpochMillis) {
        return of(site, count, startedAtEpochMillis, new RunMeter(100 * MS));
    }

    /** The same as if from an open loop. */
    public static LoadResult withLateness(LoadResult run) {
        RunMeter meter = new RunMeter(100 * MS);
        meter.fired(5);
        return of(run.site(), (int) run.totals().answered(), run.startedAtEpochMillis(), meter);
    }

    private static LoadResult of(String site, int count, long startedAtEpochMillis, RunMeter meter) {
        for (int i = 1; i <= count; i++) {
            RequestClass requestClass = i % 4 == 0 ? RequestClass.DYNAMIC : RequestClass.STATIC;
            TraceEvent event = TraceEvent.get(0, 0, new SyntheticObject(i, requestClass, 10), i / 50);
            meter.sent(event, i * 10L * MS);
            meter.answered(event, new Answer("127.0.0.1:" + (1 + i % 2), 10, MS, i * MS), i * 10L * MS);
        }
        TraceEvent last = TraceEvent.get(0, 0, new SyntheticObject(0, RequestClass.STATIC, 10), 0);
        meter.sent(last, 0);
        meter.failed(last, "127.0.0.1:1", FailureKind.TIMEOUT, 5 * MS);
        meter.sent(last, 0);
        meter.dropped(6 * MS);
        return new LoadResult(
                site,
                "made up",
                LoadResult.RESPONSE_TIME,
                startedAtEpochMillis,
                count * 10,
                EndReason.TRACE_END,
                null,
                8,
                meter.totals(),
                100,
                100,
                meter.intervals(),
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
                GeneratorHealth.judge(0.5, meter.late(), meter.totals().sent()),
                meter.targets(),
                new FollowReport(1, 1, 0, 0, 0),
                TierHistory.NONE,
                null,
                ReadReport.allGood(count + 2L));
    }
}
