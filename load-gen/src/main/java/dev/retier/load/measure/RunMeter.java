package dev.retier.load.measure;

import dev.retier.load.measure.IntervalSeries.Column;
import dev.retier.traces.RequestClass;
import dev.retier.traces.TraceEvent;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * All counts of a run, or of one event loop's part in it. Each request is reported once by {@link #sent} and once by
 * {@link #over}. All times are nanoseconds since the start of the run.
 * Thread-safe: one event loop writes, anyone may read.
 */
public final class RunMeter {
    /** Targets told apart; the answers of later ones are added up under {@link #OTHER_TARGETS}. */
    public static final int MAX_TARGETS = 10_000;

    /** Stands for all targets beyond the limit. */
    public static final String OTHER_TARGETS = "others";

    /** A request handled this long after its due time counts as late: 10 ms. */
    public static final long LATE_NANOS = 10_000_000L;

    private final long intervalNanos;
    private final long answerWithinNanos;
    private final boolean hasDueTimes;
    private final IntervalSeries series;
    private final LatencySeries latencySeries;
    private final StreamMeter streams;
    private final BurstLedger ledger = new BurstLedger();
    private final Map<RequestClass, Histogram> latencies = new EnumMap<>(RequestClass.class);
    private final Histogram service = Latency.newHistogram();
    private final Histogram lateness = Latency.newHistogram();
    private final Map<FailureKind, Long> failures = new EnumMap<>(FailureKind.class);
    private final Map<String, long[]> targets = new HashMap<>();
    private long sent;
    private long dropped;
    private long staticAnswered;
    private long dynamicAnswered;
    private long bodyBytes;
    private long chunked;
    private long inFlight;
    private long lastSentNanos;
    /** Requests in flight and clients that rest. */
    private long busy;
    /** Up to when {@link #silentNanos} is counted. */
    private long busySinceNanos;
    /** How long there was any of them since the last answer. */
    private long silentNanos;

    private long restedNanos;

    private long late;
    private long waitedForRest;
    private long retried;

    /**
     * An empty meter.
     *
     * @param intervalNanos length of the intervals that its series start with
     * @param answerWithinNanos how long after its due time an answer is in time
     * @param hasDueTimes whether requests have due times of their own, as in an open loop, so that the generator can be
     *     late
     */
    public RunMeter(long intervalNanos, long answerWithinNanos, boolean hasDueTimes) {
        this.intervalNanos = intervalNanos;
        this.answerWithinNanos = answerWithinNanos;
        this.hasDueTimes = hasDueTimes;
        this.series = new IntervalSeries(intervalNanos);
        this.latencySeries = new LatencySeries(intervalNanos);
        this.streams = new StreamMeter(intervalNanos);
        for (RequestClass requestClass : RequestClass.values()) {
            latencies.put(requestClass, Latency.newHistogram());
        }
    }

    /** The beginning of {@code event}, which was due at {@code dueNanos}; in a closed loop that is now. */
    public synchronized void sent(TraceEvent event, long dueNanos, long nowNanos) {
        goOn(nowNanos);
        busy++;
        inFlight++;
        sent++;
        lastSentNanos = Math.max(lastSentNanos, nowNanos);
        series.add(Column.SENT, nowNanos, 1);
        series.add(Column.DUE, dueNanos, 1);
        ledger.sent(event.segment(), event.requestClass(), nowNanos);
    }

    /**
     * The end of a request that was begun. One that nobody answered is among the response times with what it has
     * waited: its answer would have taken longer.
     */
    public synchronized void over(Outcome outcome) {
        Work work = outcome.work();
        long nowNanos = outcome.endNanos();
        FailureKind failure = outcome.failure();
        if (hasDueTimes) {
            lateness.recordValue(Math.clamp(work.ownNanos(), 0, Latency.HIGHEST_NANOS));
            late += work.ownNanos() >= LATE_NANOS ? 1 : 0;
            waitedForRest += work.restedNanos() >= LATE_NANOS ? 1 : 0;
        }
        inFlight--;
        boolean isComplete = outcome.isGood() || (failure != null && failure.isComplete());
        goOn(nowNanos);
        silentNanos = isComplete ? 0 : silentNanos;
        if (outcome.held() == null) {
            busy--;
        } else {
            streams.over(failure == FailureKind.STREAM_ENDED, nowNanos);
        }
        if (outcome.isGood()) {
            answered(outcome);
        } else if (failure == null) {
            dropped++;
            series.add(Column.DROPPED, nowNanos, 1);
        } else {
            failures.merge(failure, 1L, Long::sum);
            series.add(Column.FAILED, nowNanos, 1);
            ledger.failed(work.event().segment(), nowNanos);
            ofTarget(outcome.target())[1]++;
        }
        if (outcome.held() == null && (outcome.isGood() || outcome.isUnanswered())) {
            histogram(work.event().requestClass())
                    .recordValue(Math.clamp(outcome.responseNanos(), 0, Latency.HIGHEST_NANOS));
            latencySeries.add(nowNanos, outcome.responseNanos());
        }
    }

    /**
     * The head of an answer has come whose stream is held from now on: that was the answer, however long the stream is
     * held. {@link #over} comes when it ends.
     */
    public synchronized void opened(Attempt attempt) {
        long nowNanos = attempt.endNanos();
        long responseNanos = nowNanos - attempt.work().dueNanos();
        goOn(nowNanos);
        silentNanos = 0;
        busy--;
        streams.opened(nowNanos);
        histogram(attempt.work().event().requestClass())
                .recordValue(Math.clamp(responseNanos, 0, Latency.HIGHEST_NANOS));
        latencySeries.add(nowNanos, responseNanos);
        service.recordValue(Math.clamp(nowNanos - attempt.sentNanos(), 0, Latency.HIGHEST_NANOS));
        if (responseNanos <= answerWithinNanos) {
            series.add(Column.WELL, attempt.work().dueNanos(), 1);
        }
    }

    /** What streams do while they are held. */
    public StreamMeter streams() {
        return streams;
    }

    /** A client rests after its connection has failed, or as all targets do: nobody answers it meanwhile. */
    public synchronized void rests(long nowNanos) {
        goOn(nowNanos);
        busy++;
    }

    /** It has rested {@code forNanos}. */
    public synchronized void hasRested(long forNanos, long nowNanos) {
        goOn(nowNanos);
        busy--;
        restedNanos += forNanos;
    }

    /** How long clients have rested so far, all of them together. */
    public synchronized long restedNanos() {
        return restedNanos;
    }

    private void goOn(long nowNanos) {
        silentNanos += busy > 0 ? nowNanos - busySinceNanos : 0;
        busySinceNanos = nowNanos;
    }

    private void answered(Outcome outcome) {
        TraceEvent event = outcome.work().event();
        long nowNanos = outcome.endNanos();
        bodyBytes += outcome.bodyBytes();
        chunked += outcome.isChunked() ? 1 : 0;
        switch (event.requestClass()) {
            case STATIC -> {
                staticAnswered++;
                series.add(Column.STATIC_ANSWERED, nowNanos, 1);
            }
            case DYNAMIC -> {
                dynamicAnswered++;
                series.add(Column.DYNAMIC_ANSWERED, nowNanos, 1);
            }
        }
        series.add(Column.BODY_BYTES, nowNanos, outcome.bodyBytes());
        ledger.answered(event.segment(), nowNanos);
        if (outcome.held() == null) {
            if (outcome.responseNanos() <= answerWithinNanos) {
                series.add(Column.WELL, outcome.work().dueNanos(), 1);
            }
            service.recordValue(Math.clamp(outcome.serviceNanos(), 0, Latency.HIGHEST_NANOS));
        }
        ofTarget(outcome.target())[0]++;
    }

    /** A request whose connection failed is about to be sent again. */
    public synchronized void retried() {
        retried++;
    }

    /** How often requests were sent again. */
    public synchronized long retries() {
        return retried;
    }

    /** Adds all that {@code other} has counted. Call it on a meter that no other thread knows. */
    public void addAll(RunMeter other) {
        synchronized (other) {
            synchronized (this) {
                add(other);
            }
        }
    }

    /** A meter with what {@code parts} have counted together; of one part, that part. */
    public static RunMeter sum(List<RunMeter> parts) {
        if (parts.size() == 1) {
            return parts.getFirst();
        }
        RunMeter sum = new RunMeter(
                parts.getFirst().intervalNanos, parts.getFirst().answerWithinNanos, parts.getFirst().hasDueTimes);
        parts.forEach(sum::addAll);
        return sum;
    }

    /** The totals so far. */
    public synchronized Totals totals() {
        long failed = failures.values().stream().mapToLong(Long::longValue).sum();
        long answered = staticAnswered + dynamicAnswered;
        return new Totals(
                sent, answered, failed, dropped, inFlight, staticAnswered, dynamicAnswered, bodyBytes, failures);
    }

    /** Good answers whose body came in chunks. */
    public synchronized long chunked() {
        return chunked;
    }

    /** When the last request so far was begun; 0 before the first. */
    public synchronized long lastSentNanos() {
        return lastSentNanos;
    }

    /** Length of the intervals as they are now. */
    public synchronized long intervalNanos() {
        return series.intervalNanos();
    }

    /** Counts per interval. */
    public synchronized List<Interval> intervals() {
        return series.intervals();
    }

    /** The last interval of {@code lengthNanos} that is over at {@code nowNanos}. */
    synchronized Interval lastInterval(long nowNanos, long lengthNanos) {
        return series.lastComplete(nowNanos, lengthNanos);
    }

    /** Response times per interval. */
    public synchronized LatencyOverTime latencyOverTime() {
        return latencySeries.overTime();
    }

    /** Adds the response times of the last interval that is over at {@code nowNanos} to {@code sum}. */
    synchronized void addLastLatency(long nowNanos, Histogram sum) {
        latencySeries.addLastComplete(nowNanos, sum);
    }

    /** The bursts so far. */
    public synchronized List<Burst> bursts() {
        return ledger.bursts();
    }

    /** Requests of bursts beyond {@link BurstLedger#MAX_SEGMENTS}. */
    public synchronized long requestsNotListed() {
        return ledger.requestsNotListed();
    }

    /** The segment being sent, or -1. */
    public synchronized int latestSegment() {
        return ledger.latestSegment();
    }

    /** The kind of the segment being sent. */
    public synchronized Burst.Kind latestKind() {
        return ledger.latestKind();
    }

    /** Response times of one class: from the due time to the last byte. */
    public synchronized Latency latency(RequestClass requestClass) {
        return Latency.of(histogram(requestClass));
    }

    /** Service times: from handing the request to its connection to the last byte. */
    public synchronized Latency service() {
        return Latency.of(service);
    }

    /** How late the generator itself was; empty in a closed loop. */
    public synchronized Latency lateness() {
        return Latency.of(lateness);
    }

    /** Of {@link #late}, those that waited so long for clients that rested after failed connections. */
    public synchronized long waitedForRest() {
        return waitedForRest;
    }

    /** Requests that the generator handled {@link #LATE_NANOS} or more after their time. */
    public synchronized long late() {
        return late;
    }

    /** Response times of both classes together. */
    public synchronized Latency latency() {
        Histogram all = Latency.newHistogram();
        latencies.values().forEach(all::add);
        return Latency.of(all);
    }

    /** Per target, in order of name. */
    public synchronized List<TargetTotals> targets() {
        List<TargetTotals> list = new ArrayList<>(targets.size());
        new TreeMap<>(targets).forEach((target, counts) -> list.add(new TargetTotals(target, counts[0], counts[1])));
        return List.copyOf(list);
    }

    /**
     * How long requests have been in flight, or clients resting after failures, at {@code nowNanos}, since the last
     * request was answered, well or not; the time in which there was neither does not count. Empty when there is none
     * and the last was answered.
     */
    public synchronized OptionalLong silentNanos(long nowNanos) {
        long silent = silentNanos + (busy > 0 ? nowNanos - busySinceNanos : 0);
        return busy == 0 && silent == 0 ? OptionalLong.empty() : OptionalLong.of(silent);
    }

    private void add(RunMeter other) {
        series.addAll(other.series);
        latencySeries.addAll(other.latencySeries);
        ledger.addAll(other.ledger);
        other.latencies.forEach(
                (requestClass, histogram) -> histogram(requestClass).add(histogram));
        other.failures.forEach((kind, count) -> failures.merge(kind, count, Long::sum));
        other.targets.forEach((target, counts) -> {
            long[] mine = ofTarget(target);
            mine[0] += counts[0];
            mine[1] += counts[1];
        });
        service.add(other.service);
        lateness.add(other.lateness);
        late += other.late;
        waitedForRest += other.waitedForRest;
        restedNanos += other.restedNanos;
        retried += other.retried;
        sent += other.sent;
        dropped += other.dropped;
        staticAnswered += other.staticAnswered;
        dynamicAnswered += other.dynamicAnswered;
        bodyBytes += other.bodyBytes;
        chunked += other.chunked;
        streams.addAll(other.streams);
        inFlight += other.inFlight;
        lastSentNanos = Math.max(lastSentNanos, other.lastSentNanos);
    }

    private Histogram histogram(RequestClass requestClass) {
        Histogram histogram = latencies.get(requestClass);
        if (histogram == null) {
            throw new IllegalStateException("no histogram for " + requestClass);
        }
        return histogram;
    }

    private long[] ofTarget(String target) {
        long[] known = targets.get(target);
        if (known != null) {
            return known;
        }
        String key = targets.size() < MAX_TARGETS ? target : OTHER_TARGETS;
        return targets.computeIfAbsent(key, _ -> new long[2]);
    }
}
