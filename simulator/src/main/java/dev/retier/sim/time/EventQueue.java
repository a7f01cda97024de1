package dev.retier.sim.time;

import java.util.Arrays;

/**
 * What is due when: a heap in arrays of numbers, so that an event costs no object. Events of one moment come in the
 * order in which they were added, so a run is the same to the byte wherever it is repeated. Not thread-safe.
 */
public final class EventQueue {
    /** Kinds of events are 0 to this. */
    public static final int MAX_KIND = 15;

    /** Subjects are 0 to this. */
    public static final int MAX_SUBJECT = (1 << 20) - 1;

    /** Four children a node: half as deep as two, and they share a cache line. */
    private static final int CHILDREN = 4;

    private static final int KIND_SHIFT = 20;
    private static final int ORDER_SHIFT = 24;
    private static final int FIRST_CAPACITY = 1024;

    private long[] times = new long[FIRST_CAPACITY];
    /** The order of adding, then kind and subject: compares as the order does. */
    private long[] tags = new long[FIRST_CAPACITY];

    private int size;
    private long added;
    private long nowNanos;
    private long tag;

    /** Makes an event due; one in the past is due now. */
    public void add(long atNanos, int kind, int subject) {
        if (subject < 0 || subject > MAX_SUBJECT || kind < 0 || kind > MAX_KIND) {
            throw new IllegalArgumentException("event of kind " + kind + " and subject " + subject);
        }
        if (size == times.length) {
            times = Arrays.copyOf(times, 2 * size);
            tags = Arrays.copyOf(tags, 2 * size);
        }
        long time = Math.max(atNanos, nowNanos);
        long own = added++ << ORDER_SHIFT | (long) kind << KIND_SHIFT | subject;
        int hole = size++;
        while (hole > 0) {
            int parent = (hole - 1) / CHILDREN;
            if (times[parent] <= time) { // of equal times the parent was added before
                break;
            }
            times[hole] = times[parent];
            tags[hole] = tags[parent];
            hole = parent;
        }
        times[hole] = time;
        tags[hole] = own;
    }

    /** Goes on to the next event; {@link #kind} and {@link #subject} then speak of it. False when there is none. */
    public boolean advance() {
        if (size == 0) {
            return false;
        }
        nowNanos = times[0];
        tag = tags[0];
        size--;
        if (size > 0) {
            sink(times[size], tags[size]);
        }
        return true;
    }

    private void sink(long time, long own) {
        int hole = 0;
        int child = 1;
        while (child < size) {
            int least = child;
            int end = Math.min(child + CHILDREN, size);
            for (int other = child + 1; other < end; other++) {
                if (isBefore(times[other], tags[other], times[least], tags[least])) {
                    least = other;
                }
            }
            if (!isBefore(times[least], tags[least], time, own)) {
                break;
            }
            times[hole] = times[least];
            tags[hole] = tags[least];
            hole = least;
            child = CHILDREN * hole + 1;
        }
        times[hole] = time;
        tags[hole] = own;
    }

    private static boolean isBefore(long time, long tag, long otherTime, long otherTag) {
        return time < otherTime || (time == otherTime && tag < otherTag);
    }

    /** The time of the present event. */
    public long nowNanos() {
        return nowNanos;
    }

    /** It is later now, and nothing was due meanwhile. */
    public void standAt(long nanos) {
        nowNanos = Math.max(nowNanos, Math.min(nanos, nextNanos()));
    }

    /** When the next event is due; {@link Long#MAX_VALUE} when there is none. */
    public long nextNanos() {
        return size == 0 ? Long.MAX_VALUE : times[0];
    }

    /** What kind of event is present. */
    public int kind() {
        return (int) (tag >>> KIND_SHIFT) & MAX_KIND;
    }

    /** Whom the present event concerns. */
    public int subject() {
        return (int) tag & MAX_SUBJECT;
    }

    /** How many events were added so far. */
    public long added() {
        return added;
    }
}
