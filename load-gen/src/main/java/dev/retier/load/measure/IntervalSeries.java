package dev.retier.load.measure;

import java.util.ArrayList;
import java.util.List;

/**
 * Counts per interval of a run, in bounded memory: when a run outgrows {@link #MAX_INTERVALS}, neighbours are added
 * together and the interval doubles. One thread at a time.
 */
public final class IntervalSeries {
    /** 68 minutes of quarter seconds; longer runs get coarser. */
    public static final int MAX_INTERVALS = 1 << 14;

    private static final long NANOS_PER_MILLI = 1_000_000L;
    private static final Column[] COLUMNS = Column.values();

    private final FoldedCounts counts;

    /** What is counted. */
    public enum Column {
        /** Requests begun. */
        SENT(0),
        /** Good answers to static requests. */
        STATIC_ANSWERED(1),
        /** Good answers to dynamic requests. */
        DYNAMIC_ANSWERED(2),
        /** Failed requests. */
        FAILED(3),
        /** Requests given up by the generator. */
        DROPPED(4),
        /** Body bytes of good answers. */
        BODY_BYTES(5),
        /** Requests that were due then. */
        DUE(6),
        /** Those of them that were answered well in time. */
        WELL(7);

        private final int row;

        Column(int row) {
            this.row = row;
        }
    }

    /**
     * An empty series.
     *
     * @param intervalNanos length of an interval to begin with, at least 1 ms
     */
    public IntervalSeries(long intervalNanos) {
        this(intervalNanos, MAX_INTERVALS);
    }

    IntervalSeries(long intervalNanos, int maxIntervals) {
        this.counts = new FoldedCounts(COLUMNS.length, intervalNanos, maxIntervals);
    }

    /** Adds {@code amount} at {@code offsetNanos} since the start of the run; what is earlier counts as the start. */
    public void add(Column column, long offsetNanos, long amount) {
        counts.add(column.row, offsetNanos, amount);
    }

    /** Adds all of {@code other}, whatever its interval, if both began with the same one. */
    public void addAll(IntervalSeries other) {
        counts.addAll(other.counts);
    }

    /** The present length of an interval. */
    public long intervalNanos() {
        return counts.intervalNanos();
    }

    /** The intervals from the start to the last one in which anything happened. */
    public List<Interval> intervals() {
        List<Interval> intervals = new ArrayList<>(counts.used());
        for (int i = 0; i < counts.used(); i++) {
            intervals.add(interval(i));
        }
        return List.copyOf(intervals);
    }

    /**
     * The last interval of {@code lengthNanos} that was over at {@code nowNanos}; the first one before that. The length
     * is the present one, or that times a power of two.
     */
    public Interval lastComplete(long nowNanos, long lengthNanos) {
        long intervalNanos = counts.intervalNanos();
        long length = Math.max(lengthNanos, intervalNanos);
        long start = Math.max(0, nowNanos / length - 1) * length;
        Interval sum = Interval.empty(start / NANOS_PER_MILLI);
        for (long at = start; at < start + length && at / intervalNanos < counts.used(); at += intervalNanos) {
            sum = sum.plus(interval((int) (at / intervalNanos)));
        }
        return sum;
    }

    private Interval interval(int index) {
        return new Interval(
                counts.startMillis(index),
                count(Column.SENT, index),
                count(Column.STATIC_ANSWERED, index),
                count(Column.DYNAMIC_ANSWERED, index),
                count(Column.FAILED, index),
                count(Column.DROPPED, index),
                count(Column.BODY_BYTES, index),
                count(Column.DUE, index),
                count(Column.WELL, index));
    }

    private long count(Column column, int index) {
        return counts.count(column.row, index);
    }
}
