package dev.retier.sim.service;

import dev.retier.traces.play.Promise;
import java.util.Arrays;

/** What became of the requests of one site, in buckets of time. Not thread-safe. */
public final class Ledger {
    /** Fine enough to draw a move. */
    public static final long BUCKET_NANOS = 100_000_000L;

    private static final double NANOS_PER_SECOND = 1e9;
    private static final long ANSWER_WITHIN_NANOS = Promise.SECOND.toNanos();

    private int[] sent = new int[64];
    private int[] done = new int[64];
    private int[] failed = new int[64];
    /** Answered within a second, by when they were sent. */
    private int[] well = new int[64];

    private int buckets;
    private long sentTotal;
    private long doneTotal;
    private long failedTotal;
    private long lastNanos;
    private final int[] latencies = new int[Latencies.CELLS];

    void sent(long atNanos) {
        int bucket = bucket(atNanos); // before the array, which it may replace
        sent[bucket]++;
        sentTotal++;
    }

    void done(long sentNanos, long atNanos) {
        int bucket = bucket(atNanos);
        done[bucket]++;
        doneTotal++;
        lastNanos = Math.max(lastNanos, atNanos);
        if (atNanos - sentNanos <= ANSWER_WITHIN_NANOS) {
            int sentIn = bucket(sentNanos);
            well[sentIn]++;
        }
        latencies[Latencies.cell(atNanos - sentNanos)]++;
    }

    void failed(long atNanos) {
        int bucket = bucket(atNanos);
        failed[bucket]++;
        failedTotal++;
        lastNanos = Math.max(lastNanos, atNanos);
    }

    private int bucket(long atNanos) {
        int bucket = (int) (atNanos / BUCKET_NANOS);
        if (bucket >= sent.length) {
            int capacity = Math.max(2 * sent.length, bucket + 1);
            sent = Arrays.copyOf(sent, capacity);
            done = Arrays.copyOf(done, capacity);
            failed = Arrays.copyOf(failed, capacity);
            well = Arrays.copyOf(well, capacity);
        }
        buckets = Math.max(buckets, bucket + 1);
        return bucket;
    }

    /** Requests sent. */
    public long sentTotal() {
        return sentTotal;
    }

    /** Requests answered. */
    public long doneTotal() {
        return doneTotal;
    }

    /** Requests that failed. */
    public long failedTotal() {
        return failedTotal;
    }

    /** When the last request of the site ended. */
    public double seconds() {
        return lastNanos / NANOS_PER_SECOND;
    }

    /** Requests answered per second, over all the time until the last one ended. */
    public double perSecond() {
        return lastNanos == 0 ? 0 : doneTotal / seconds();
    }

    /** The latency that {@code share} of the answers did not exceed, within 3 %. */
    public double latencySeconds(double share) {
        return Latencies.atShare(latencies, doneTotal, share) / NANOS_PER_SECOND;
    }

    /** Buckets of {@link #BUCKET_NANOS} in which anything happened. */
    public int buckets() {
        return buckets;
    }

    /** Answers in {@code count} buckets from {@code first} on. */
    public int done(int first, int count) {
        return sum(done, first, count);
    }

    /** Requests sent in those buckets. */
    public int sent(int first, int count) {
        return sum(sent, first, count);
    }

    /** Of the requests sent in those buckets, those that were answered within a second. */
    public int well(int first, int count) {
        return sum(well, first, count);
    }

    /** Failures in those buckets. */
    public int failed(int first, int count) {
        return sum(failed, first, count);
    }

    private static int sum(int[] figures, int first, int count) {
        int sum = 0;
        for (int bucket = first; bucket < first + count && bucket < figures.length; bucket++) {
            sum += figures[bucket];
        }
        return sum;
    }
}
