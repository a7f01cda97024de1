package dev.retier.load.report;

import dev.retier.load.measure.Burst;
import dev.retier.load.measure.FailureKind;
import dev.retier.load.measure.Interval;
import dev.retier.load.measure.Latency;
import dev.retier.load.measure.LatencyOverTime;
import dev.retier.load.measure.StreamFigures;
import dev.retier.load.measure.TargetTotals;
import dev.retier.load.measure.Totals;
import dev.retier.load.report.Guarantee.Kept;
import dev.retier.load.target.FollowReport;
import dev.retier.load.target.TierHistory;
import dev.retier.traces.ReadReport;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All figures of a run. Immutable; Jackson writes it as it is, with the unit at the end of each key.
 *
 * @param site name of the site
 * @param trace name of the trace
 * @param latencyMeaning what the latencies measure, in a sentence
 * @param startedAtEpochMillis wall-clock time of the first send
 * @param elapsedMillis from the start to the last completion
 * @param sendingMillis from the start to when clients asked for no more: the run was ended, or the trace was over
 * @param end why it ended
 * @param problem in one line, when it ended for a problem
 * @param clients connections
 * @param totals where the requests went
 * @param causes what the system said when a kind of failure first happened, where it said anything
 * @param answeredPerSecond good answers over the elapsed time
 * @param intervalMillis length of the intervals
 * @param answerWithinMillis how long after its due time an answer was in time
 * @param intervals from the start to the end
 * @param bursts one per segment of the trace
 * @param requestsNotListed requests of segments beyond the listed ones
 * @param staticLatency of good answers to static requests, and of those never answered, with what they have waited
 * @param dynamicLatency the same of dynamic requests
 * @param latency of both
 * @param service from handing a request to its connection to the last byte; in a closed loop the same as latency
 * @param latencyOverTime the same latencies, per interval of the end of their requests
 * @param lateness how late the generator itself was with due requests; empty in a closed loop
 * @param lateRequests those that it handled 10 ms or more after their time
 * @param retries how often requests were sent again after their connection failed
 * @param chunked good answers whose body came in chunks
 * @param streams what its streams did; null when none was to be held
 * @param health whether the generator itself was the limit
 * @param targets per target
 * @param following how the target list went
 * @param tiers how many nodes the site had in each tier; empty when no agent was asked
 * @param guarantee how the site's guarantee was kept; null when it has none
 * @param reading how the reading of the trace went
 */
public record LoadResult(
        String site,
        String trace,
        String latencyMeaning,
        long startedAtEpochMillis,
        double elapsedMillis,
        double sendingMillis,
        EndReason end,
        @Nullable String problem,
        int clients,
        Totals totals,
        Map<FailureKind, String> causes,
        double answeredPerSecond,
        double intervalMillis,
        double answerWithinMillis,
        List<Interval> intervals,
        List<Burst> bursts,
        long requestsNotListed,
        Latency staticLatency,
        Latency dynamicLatency,
        Latency latency,
        Latency service,
        LatencyOverTime latencyOverTime,
        Latency lateness,
        long lateRequests,
        long retries,
        long chunked,
        @Nullable StreamFigures streams,
        GeneratorHealth health,
        List<TargetTotals> targets,
        FollowReport following,
        TierHistory tiers,
        @Nullable Kept guarantee,
        ReadReport reading) {
    /** The meaning of latency in a closed loop. */
    public static final String SERVICE_TIME =
            "service time: from handing a request to its connection to the last byte of the answer; in a closed loop"
                    + " clients wait for slow answers, so this does not show how long users would have waited";

    /** The meaning of latency in an open loop. */
    public static final String RESPONSE_TIME =
            "response time: from the time a request was due to the last byte of the answer, waiting for a free"
                    + " connection included; lateness is the part of it that the generator itself caused";

    private static final String OPENING_SERVICE_TIME =
            "time to open a stream: from handing the request to its connection to the head of the answer; how long the"
                    + " stream is held then does not count";

    private static final String OPENING_TIME =
            "time to open a stream: from the time it was due to the head of the answer, waiting for a free client"
                    + " included; how long the stream is held then does not count";

    /** Copies the lists. */
    public LoadResult {
        intervals = List.copyOf(intervals);
        bursts = List.copyOf(bursts);
        targets = List.copyOf(targets);
        causes = Map.copyOf(causes);
    }

    /** What latencies mean in a run with due times or without, of streams that are held or of answers that end. */
    public static String latencyMeaning(boolean hasDueTimes, boolean isOfStreams) {
        if (isOfStreams) {
            return hasDueTimes ? OPENING_TIME : OPENING_SERVICE_TIME;
        }
        return hasDueTimes ? RESPONSE_TIME : SERVICE_TIME;
    }

    /** Whether requests were due at times of their own, whatever became of earlier ones. */
    public boolean hasDueTimes() {
        return latencyMeaning.equals(RESPONSE_TIME) || latencyMeaning.equals(OPENING_TIME);
    }

    /** The same result, judged by what the site was promised. */
    public LoadResult judgedBy(Guarantee promised) {
        return with(tiers, promised.judge(this));
    }

    /** The same result, with what an agent told about the tiers. */
    public LoadResult withTiers(TierHistory history) {
        return with(history, guarantee);
    }

    private LoadResult with(TierHistory newTiers, @Nullable Kept newGuarantee) {
        return new LoadResult(
                site,
                trace,
                latencyMeaning,
                startedAtEpochMillis,
                elapsedMillis,
                sendingMillis,
                end,
                problem,
                clients,
                totals,
                causes,
                answeredPerSecond,
                intervalMillis,
                answerWithinMillis,
                intervals,
                bursts,
                requestsNotListed,
                staticLatency,
                dynamicLatency,
                latency,
                service,
                latencyOverTime,
                lateness,
                lateRequests,
                retries,
                chunked,
                streams,
                health,
                targets,
                following,
                newTiers,
                newGuarantee,
                reading);
    }
}
