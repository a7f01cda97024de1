package dev.retier.load.measure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * Latencies per interval of a run, to two digits, in bounded memory: only the present interval is a whole histogram,
 * the others are lists of the values that occurred; when a run outgrows {@link #MAX_INTERVALS}, neighbours are added
 * together and the interval doubles. One thread at a time.
 */
public final class LatencySeries {
    /** As many as a chart can tell apart. */
    public static final int MAX_INTERVALS = 1 << 10;

    private static final long NANOS_PER_MILLI = 1_000_000L;

    private final List<Cell> cells = new ArrayList<>();
    private final Histogram present = LatencyInterval.newHistogram();
    private long intervalNanos;
    private int presentIndex;

    /** Which values occurred and how often, values rising. */
    private static final class Cell {
        private static final Cell EMPTY = new Cell(new long[0], new long[0]);

        private final long[] values;
        private final long[] counts;

        Cell(long[] values, long[] counts) {
            this.values = values;
            this.counts = counts;
        }

        static Cell of(Histogram histogram) {
            long[] values = new long[16];
            long[] counts = new long[16];
            int used = 0;
            for (HistogramIterationValue at : histogram.recordedValues()) {
                if (used == values.length) {
                    values = Arrays.copyOf(values, used * 2);
                    counts = Arrays.copyOf(counts, used * 2);
                }
                values[used] = at.getValueIteratedTo();
                counts[used++] = at.getCountAtValueIteratedTo();
            }
            return used == 0 ? EMPTY : new Cell(Arrays.copyOf(values, used), Arrays.copyOf(counts, used));
        }

        /** Merges the two sorted lists: cheap enough for a sending thread. */
        Cell plus(Cell other) {
            long[] sumValues = new long[values.length + other.values.length];
            long[] sumCounts = new long[sumValues.length];
            int used = 0;
            int mine = 0;
            int theirs = 0;
            while (mine < values.length || theirs < other.values.length) {
                long left = mine < values.length ? values[mine] : Long.MAX_VALUE;
                long right = theirs < other.values.length ? other.values[theirs] : Long.MAX_VALUE;
                sumValues[used] = Math.min(left, right);
                sumCounts[used] += left <= right ? counts[mine++] : 0;
                sumCounts[used++] += right <= left ? other.counts[theirs++] : 0;
            }
            return new Cell(Arrays.copyOf(sumValues, used), Arrays.copyOf(sumCounts, used));
        }

        void addTo(Histogram histogram) {
            for (int i = 0; i < values.length; i++) {
                histogram.recordValueWithCount(values[i], counts[i]);
            }
        }
    }

    /**
     * An empty series.
     *
     * @param intervalNanos length of an interval to begin with, at least 1 ms
     */
    public LatencySeries(long intervalNanos) {
        if (intervalNanos < NANOS_PER_MILLI) {
            throw new IllegalArgumentException("interval of " + intervalNanos + " ns");
        }
        this.intervalNanos = intervalNanos;
    }

    /** A latency that was known {@code offsetNanos} after the start of the run. */
    public void add(long offsetNanos, long latencyNanos) {
        int index = indexOf(offsetNanos);
        if (index != presentIndex) {
            seal();
            presentIndex = index;
        }
        present.recordValue(Math.clamp(latencyNanos, 0, Latency.HIGHEST_NANOS));
    }

    /** Adds all of {@code other}, whatever its interval, if both began with the same one. */
    public void addAll(LatencySeries other) {
        seal();
        other.seal();
        while (intervalNanos < other.intervalNanos) {
            fold();
        }
        for (int i = 0; i < other.cells.size(); i++) {
            put(indexOf(i * other.intervalNanos), other.cells.get(i));
        }
    }

    /** The intervals from the start to the last one in which anything was answered. */
    public LatencyOverTime overTime() {
        seal();
        List<LatencyInterval> intervals = new ArrayList<>(cells.size());
        for (int i = 0; i < cells.size(); i++) {
            intervals.add(interval(i));
        }
        return new LatencyOverTime(intervalNanos / (double) NANOS_PER_MILLI, intervals);
    }

    /** Adds what the last interval that was over at {@code nowNanos} (the first one before that) has to {@code sum}. */
    public void addLastComplete(long nowNanos, Histogram sum) {
        long index = Math.max(0, nowNanos / intervalNanos - 1);
        if (index < cells.size()) {
            cells.get((int) index).addTo(sum);
        }
        if (index == presentIndex) {
            sum.add(present);
        }
    }

    private LatencyInterval interval(int index) {
        Histogram histogram = LatencyInterval.newHistogram();
        cells.get(index).addTo(histogram);
        return LatencyInterval.of(index * intervalNanos / NANOS_PER_MILLI, histogram);
    }

    private int indexOf(long offsetNanos) {
        long offset = Math.max(0, offsetNanos);
        long index = offset / intervalNanos;
        while (index >= MAX_INTERVALS) {
            fold();
            index = offset / intervalNanos;
        }
        return (int) index;
    }

    private void seal() {
        if (present.getTotalCount() > 0) {
            put(presentIndex, Cell.of(present));
            present.reset();
        }
    }

    private void put(int index, Cell cell) {
        while (cells.size() <= index) {
            cells.add(Cell.EMPTY);
        }
        cells.set(index, cells.get(index).plus(cell));
    }

    private void fold() {
        seal();
        intervalNanos *= 2;
        presentIndex /= 2;
        int half = (cells.size() + 1) / 2;
        for (int i = 0; i < half; i++) {
            Cell second = 2 * i + 1 < cells.size() ? cells.get(2 * i + 1) : Cell.EMPTY;
            cells.set(i, cells.get(2 * i).plus(second));
        }
        cells.subList(half, cells.size()).clear();
    }
}
