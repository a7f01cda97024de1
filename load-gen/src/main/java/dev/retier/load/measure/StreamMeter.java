package dev.retier.load.measure;

import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * Counts what streams do while they are held open. All times are nanoseconds since the start of the run. Thread-safe:
 * one event loop writes, anyone may read.
 */
public final class StreamMeter {
    private static final int OPENED = 0;
    private static final int OVER = 1;
    private static final int ENDED = 2;
    private static final int EVENTS = 3;
    private static final int BYTES = 4;
    private static final int SENT = 5;
    private static final int ROWS = 6;

    private final FoldedCounts counts;
    // These grow as they need to: most runs hold no streams.
    private final Histogram first = new Histogram(Latency.DIGITS);
    private final Histogram reply = new Histogram(Latency.DIGITS);
    private final long[] sums = new long[ROWS];
    private long replies;
    private long texts;
    private long pings;
    private long leftOut;
    private long unmatched;
    private long closesUnanswered;
    private long queued;

    StreamMeter(long intervalNanos) {
        counts = new FoldedCounts(ROWS, intervalNanos, IntervalSeries.MAX_INTERVALS);
    }

    synchronized void opened(long nowNanos) {
        add(OPENED, nowNanos, 1);
    }

    synchronized void over(boolean isEarly, long nowNanos) {
        add(OVER, nowNanos, 1);
        add(ENDED, nowNanos, isEarly ? 1 : 0);
    }

    /** The first content of a stream, {@code sinceDueNanos} after the stream was due. */
    public synchronized void first(long sinceDueNanos) {
        first.recordValue(Math.clamp(sinceDueNanos, 0, Latency.HIGHEST_NANOS));
    }

    /** Content came: {@code events} that became complete with it, and {@code bytes}. */
    public synchronized void came(long events, long bytes, long nowNanos) {
        add(EVENTS, nowNanos, events);
        add(BYTES, nowNanos, bytes);
    }

    /** A message of text was among the events. */
    public synchronized void text() {
        texts++;
    }

    /** A ping was answered. */
    public synchronized void ping() {
        pings++;
    }

    /** A message was sent. */
    public synchronized void messageSent(long nowNanos) {
        add(SENT, nowNanos, 1);
    }

    /** A message was due that could not be sent. */
    public synchronized void messageLeftOut() {
        leftOut++;
    }

    /** A message came {@code sinceDueNanos} after the oldest one without a reply was due to be sent. */
    public synchronized void reply(long sinceDueNanos) {
        replies++;
        reply.recordValue(Math.clamp(sinceDueNanos, 0, Latency.HIGHEST_NANOS));
    }

    /** A message had no reply when its stream ended, {@code sinceDueNanos} after it was due to be sent. */
    public synchronized void noReply(long sinceDueNanos) {
        reply.recordValue(Math.clamp(sinceDueNanos, 0, Latency.HIGHEST_NANOS));
    }

    /** A message came while none that was sent waited for a reply, or too many wait for one. */
    public synchronized void unmatched() {
        unmatched++;
    }

    /** A server did not answer that the stream be closed. */
    public synchronized void closeUnanswered() {
        closesUnanswered++;
    }

    /** A stream fell due while all clients held one. */
    public synchronized void queued() {
        queued++;
    }

    /** How many fell due while all clients held one. */
    public synchronized long queuedStreams() {
        return queued;
    }

    /** Streams open now. */
    public synchronized long open() {
        return sums[OPENED] - sums[OVER];
    }

    /** Events in the last interval that is over at {@code nowNanos}, per second. */
    public synchronized double eventsPerSecond(long nowNanos) {
        int last = (int) Math.max(0, nowNanos / counts.intervalNanos() - 1);
        return last >= counts.used() ? 0 : counts.count(EVENTS, last) * 1e9 / counts.intervalNanos();
    }

    /** The figures so far. */
    public synchronized StreamFigures figures() {
        List<StreamInterval> intervals = intervals();
        return new StreamFigures(
                sums[OPENED],
                sums[ENDED],
                intervals.stream().mapToLong(StreamInterval::open).max().orElse(0),
                sums[EVENTS],
                sums[BYTES],
                texts,
                pings,
                sums[SENT],
                leftOut,
                unmatched,
                closesUnanswered,
                queued,
                Latency.of(first),
                replies > 0 && unmatched == 0 ? Latency.of(reply) : null,
                intervals);
    }

    /** Adds all that {@code other} has counted; the caller sees to it that nobody counts meanwhile. */
    synchronized void addAll(StreamMeter other) {
        counts.addAll(other.counts);
        first.add(other.first);
        reply.add(other.reply);
        for (int row = 0; row < ROWS; row++) {
            sums[row] += other.sums[row];
        }
        replies += other.replies;
        texts += other.texts;
        pings += other.pings;
        leftOut += other.leftOut;
        unmatched += other.unmatched;
        closesUnanswered += other.closesUnanswered;
        queued += other.queued;
    }

    private void add(int row, long nowNanos, long amount) {
        sums[row] += amount;
        counts.add(row, nowNanos, amount);
    }

    private List<StreamInterval> intervals() {
        List<StreamInterval> intervals = new ArrayList<>(counts.used());
        long open = 0;
        for (int i = 0; i < counts.used(); i++) {
            open += counts.count(OPENED, i) - counts.count(OVER, i);
            intervals.add(new StreamInterval(
                    counts.startMillis(i),
                    counts.count(OPENED, i),
                    counts.count(OVER, i),
                    counts.count(ENDED, i),
                    open,
                    counts.count(EVENTS, i),
                    counts.count(BYTES, i),
                    counts.count(SENT, i)));
        }
        return intervals;
    }
}
