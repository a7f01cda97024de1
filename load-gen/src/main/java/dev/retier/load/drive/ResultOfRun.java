package dev.retier.load.drive;

import dev.retier.load.measure.RunMeter;
import dev.retier.load.measure.Totals;
import dev.retier.load.report.EndReason;
import dev.retier.load.report.GeneratorHealth;
import dev.retier.load.report.LoadResult;
import dev.retier.load.schedule.Pacing;
import dev.retier.load.target.TierHistory;
import dev.retier.traces.RequestClass;

/** Puts the result of a run together. */
final class ResultOfRun {
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double NANOS_PER_SECOND = 1e9;

    private ResultOfRun() {}

    /**
     * The end of a run.
     *
     * @param reason why
     * @param sendingNanos from the start to when clients asked for no more
     * @param elapsedNanos from the start to the last completion
     */
    record Ending(EndReason reason, long sendingNanos, long elapsedNanos) {}

    static LoadResult of(RunContext context, RunMeter meter, Ending ending, long startedAtEpochMillis) {
        LoadPlan plan = context.plan();
        Totals totals = meter.totals();
        return new LoadResult(
                plan.site(),
                plan.trace().name(),
                LoadResult.latencyMeaning(plan.pacing() instanceof Pacing.OpenLoop, plan.streams() != null),
                startedAtEpochMillis,
                ending.elapsedNanos() / NANOS_PER_MILLI,
                ending.sendingNanos() / NANOS_PER_MILLI,
                ending.reason(),
                problem(context, ending.reason()),
                plan.clients(),
                totals,
                context.causes().all(),
                totals.answered() * NANOS_PER_SECOND / Math.max(1, ending.elapsedNanos()),
                meter.intervalNanos() / NANOS_PER_MILLI,
                plan.answerWithin().toNanos() / NANOS_PER_MILLI,
                meter.intervals(),
                meter.bursts(),
                meter.requestsNotListed(),
                meter.latency(RequestClass.STATIC),
                meter.latency(RequestClass.DYNAMIC),
                meter.latency(),
                meter.service(),
                meter.latencyOverTime(),
                meter.lateness(),
                meter.late(),
                meter.retries(),
                meter.chunked(),
                plan.streams() == null ? null : meter.streams().figures(),
                health(context, meter, totals, ending.elapsedNanos()),
                meter.targets(),
                context.desk().report(),
                TierHistory.NONE,
                null,
                context.feed().report());
    }

    private static GeneratorHealth health(RunContext context, RunMeter meter, Totals totals, long elapsedNanos) {
        long own = meter.late() - meter.waitedForRest();
        double clientNanos = (double) elapsedNanos * context.plan().clients();
        return GeneratorHealth.judge(context.cpu().busiestShare(elapsedNanos), own, totals.sent())
                .withRests(meter.waitedForRest(), totals.sent())
                .withRestedShare(
                        context.plan().pacing() instanceof Pacing.OpenLoop ? 0 : meter.restedNanos() / clientNanos)
                .withQueuedStreams(
                        meter.streams().queuedStreams(), context.plan().clients())
                .withFaults(context.faults().count(), context.faults().first())
                .withUnaccounted(totals.inFlight());
    }

    private static @org.jspecify.annotations.Nullable String problem(RunContext context, EndReason end) {
        return switch (end) {
            case TRACE_UNREADABLE -> context.feed().problem();
            case REQUESTS_UNWRITABLE ->
                context.requests() == null ? null : context.requests().problem();
            case STALLED ->
                "no answer for " + context.plan().stallLimit().toSeconds()
                        + " s; check that the targets answer this site's requests";
            case TRACE_END, COUNT, DURATION, STOPPED -> null;
        };
    }
}
