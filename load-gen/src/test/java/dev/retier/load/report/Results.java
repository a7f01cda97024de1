package dev.retier.load.report;

import dev.retier.load.measure.Answer;
import dev.retier.load.measure.FailureKind;
import dev.retier.load.measure.RunMeter;
import dev.retier.load.target.FollowReport;
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
        RunMeter meter = new RunMeter(100 * MS);
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
                meter.lateness(),
                meter.late(),
                meter.targets(),
                new FollowReport(1, 1, 0, 0, 0),
                ReadReport.allGood(count + 2L));
    }
}
