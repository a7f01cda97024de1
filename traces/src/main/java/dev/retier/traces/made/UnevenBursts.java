package dev.retier.traces.made;

import dev.retier.traces.RequestClass;
import java.util.Arrays;
import java.util.List;

/** Alternating bursts, each of its own length. Immutable. */
public final class UnevenBursts implements Bursts {
    private final List<Long> lengths;
    private final RequestClass first;
    /** Index of the first request after each burst. */
    private final long[] ends;

    /**
     * Bursts of those lengths.
     *
     * @param lengths requests of each burst, from 1; 1..{@link BurstPlan#MAX_BURSTS} of them
     * @param first class of burst 0; the others alternate
     * @throws IllegalArgumentException when a value is out of range
     */
    public UnevenBursts(List<Long> lengths, RequestClass first) {
        this.lengths = List.copyOf(lengths);
        this.first = first;
        this.ends = new long[this.lengths.size()];
        if (ends.length < 1 || ends.length > BurstPlan.MAX_BURSTS) {
            throw new IllegalArgumentException(ends.length + " bursts; 1 to " + BurstPlan.MAX_BURSTS + " are possible");
        }
        long sum = 0;
        for (int burst = 0; burst < ends.length; burst++) {
            long length = this.lengths.get(burst);
            if (length < 1) {
                throw new IllegalArgumentException("burst " + burst + " has " + length + " requests, less than 1");
            }
            sum = Math.addExact(sum, length);
            ends[burst] = sum;
        }
    }

    /** Requests of each burst. */
    public List<Long> lengths() {
        return lengths;
    }

    @Override
    public long requests() {
        return ends[ends.length - 1];
    }

    @Override
    public RequestClass first() {
        return first;
    }

    @Override
    public int burst(long index) {
        int found = Arrays.binarySearch(ends, index);
        return found >= 0 ? found + 1 : -found - 1;
    }
}
