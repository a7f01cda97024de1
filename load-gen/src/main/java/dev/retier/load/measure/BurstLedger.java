package dev.retier.load.measure;

import dev.retier.traces.RequestClass;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Follows the segments of a trace through a run. Keeps the first {@link #MAX_SEGMENTS} segments; of later ones only the
 * requests are counted. One thread at a time.
 */
public final class BurstLedger {
    /** More than a chart can show. */
    public static final int MAX_SEGMENTS = 10_000;

    private static final double NANOS_PER_MILLI = 1e6;

    private final TreeMap<Integer, Entry> entries = new TreeMap<>();
    private long requestsNotListed;

    /** What {@link #find} found last, as most requests are of the same segment. */
    private @Nullable Entry found;

    private int foundSegment;
    private int latestSegment = -1;
    private Burst.Kind latestKind = Burst.Kind.STATIC;

    private static final class Entry {
        private Burst.Kind kind;
        private long firstSentNanos;
        private long lastDoneNanos;
        private long sent;
        private long answered;
        private long failed;

        Entry(Burst.Kind kind, long firstSentNanos) {
            this.kind = kind;
            this.firstSentNanos = firstSentNanos;
        }

        void add(Entry other) {
            kind = kind == other.kind ? kind : Burst.Kind.MIXED;
            firstSentNanos = Math.min(firstSentNanos, other.firstSentNanos);
            lastDoneNanos = Math.max(lastDoneNanos, other.lastDoneNanos);
            sent += other.sent;
            answered += other.answered;
            failed += other.failed;
        }
    }

    /** A request of {@code segment} begins at {@code nowNanos} since the start of the run. */
    public void sent(int segment, RequestClass requestClass, long nowNanos) {
        Burst.Kind kind = kindOf(requestClass);
        Entry entry = find(segment);
        if (entry == null) {
            if (entries.size() >= MAX_SEGMENTS) {
                requestsNotListed++;
                return;
            }
            entry = new Entry(kind, nowNanos);
            entries.put(segment, entry);
        }
        entry.kind = entry.kind == kind ? kind : Burst.Kind.MIXED;
        entry.firstSentNanos = Math.min(entry.firstSentNanos, nowNanos);
        entry.sent++;
        if (segment >= latestSegment) {
            latestSegment = segment;
            latestKind = entry.kind;
        }
    }

    /** A request of {@code segment} got a good answer. */
    public void answered(int segment, long nowNanos) {
        Entry entry = find(segment);
        if (entry != null) {
            entry.answered++;
            entry.lastDoneNanos = Math.max(entry.lastDoneNanos, nowNanos);
        }
    }

    /** A request of {@code segment} failed. */
    public void failed(int segment, long nowNanos) {
        Entry entry = find(segment);
        if (entry != null) {
            entry.failed++;
            entry.lastDoneNanos = Math.max(entry.lastDoneNanos, nowNanos);
        }
    }

    /** Adds all of {@code other}. */
    public void addAll(BurstLedger other) {
        other.entries.forEach((segment, entry) -> {
            Entry mine = entries.get(segment);
            if (mine == null) {
                mine = new Entry(entry.kind, entry.firstSentNanos);
                entries.put(segment, mine);
            }
            mine.add(entry);
        });
        requestsNotListed += other.requestsNotListed;
        if (other.latestSegment > latestSegment) {
            latestSegment = other.latestSegment;
            latestKind = other.latestKind;
        }
    }

    /** The segments in order. */
    public List<Burst> bursts() {
        List<Burst> bursts = new ArrayList<>(entries.size());
        entries.forEach((segment, entry) -> bursts.add(new Burst(
                segment,
                entry.kind,
                entry.firstSentNanos / NANOS_PER_MILLI,
                Math.max(entry.firstSentNanos, entry.lastDoneNanos) / NANOS_PER_MILLI,
                entry.sent,
                entry.answered,
                entry.failed)));
        return List.copyOf(bursts);
    }

    /** Requests of segments beyond the limit. */
    public long requestsNotListed() {
        return requestsNotListed;
    }

    /** The highest segment a request was sent of, or -1 before the first. */
    public int latestSegment() {
        return latestSegment;
    }

    /** The kind of the latest segment; STATIC before the first. */
    public Burst.Kind latestKind() {
        return latestKind;
    }

    private @Nullable Entry find(int segment) {
        if (found == null || foundSegment != segment) {
            found = entries.get(segment);
            foundSegment = segment;
        }
        return found;
    }

    private static Burst.Kind kindOf(RequestClass requestClass) {
        return switch (requestClass) {
            case STATIC -> Burst.Kind.STATIC;
            case DYNAMIC -> Burst.Kind.DYNAMIC;
        };
    }
}
