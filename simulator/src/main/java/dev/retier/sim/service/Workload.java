package dev.retier.sim.service;

import dev.retier.sim.model.Split.Stretch;
import dev.retier.traces.EventStream;
import dev.retier.traces.RequestClass;
import dev.retier.traces.Trace;
import dev.retier.traces.TraceEvent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A trace as numbers, so that it can be run again and again at no cost: what is asked for, of which class, in which
 * segment, for which site, when. Immutable once read.
 */
public final class Workload {
    /** What fits well below a gigabyte. */
    public static final int MAX_REQUESTS = 40_000_000;

    private static final int FIRST_CAPACITY = 1 << 14;

    private final String name;
    private int size;
    private int[] objects = new int[FIRST_CAPACITY];
    private int[] segments = new int[FIRST_CAPACITY];
    private long[] offsetsNanos = new long[FIRST_CAPACITY];
    private byte[] sites = new byte[FIRST_CAPACITY];
    private boolean[] dynamic = new boolean[FIRST_CAPACITY];
    private int objectCount;

    private Workload(String name) {
        this.name = name;
    }

    /**
     * Reads a trace whose requests are all for one site.
     *
     * @param site index of the site
     * @param limit how many requests at most, from 1
     * @throws IllegalArgumentException when the trace is empty, or longer than {@link #MAX_REQUESTS}
     */
    public static Workload read(Trace trace, int site, long limit) {
        return read(trace, new int[] {site}, limit);
    }

    /** The same, where the requests of segment k are for {@code sites[k % sites.length]}. */
    public static Workload read(Trace trace, int[] sites, long limit) {
        Workload workload = new Workload(trace.name());
        Map<String, Integer> ids = new HashMap<>();
        try (EventStream events = trace.open()) {
            TraceEvent event = events.next();
            while (event != null && workload.size < limit) {
                if (workload.size == MAX_REQUESTS) {
                    throw new IllegalArgumentException("trace " + trace.name() + " has more than " + MAX_REQUESTS
                            + " requests; take fewer with --requests");
                }
                Integer known = ids.putIfAbsent(event.target(), ids.size());
                workload.add(event, known == null ? ids.size() - 1 : known, sites[event.segment() % sites.length]);
                event = events.next();
            }
        }
        if (workload.size == 0) {
            throw new IllegalArgumentException("trace " + trace.name() + " has no requests");
        }
        workload.objectCount = ids.size();
        return workload;
    }

    private void add(TraceEvent event, int object, int site) {
        if (size == objects.length) {
            int capacity = 2 * size;
            objects = Arrays.copyOf(objects, capacity);
            segments = Arrays.copyOf(segments, capacity);
            offsetsNanos = Arrays.copyOf(offsetsNanos, capacity);
            sites = Arrays.copyOf(sites, capacity);
            dynamic = Arrays.copyOf(dynamic, capacity);
        }
        objects[size] = object;
        segments[size] = event.segment();
        offsetsNanos[size] = event.offsetNanos();
        sites[size] = (byte) site;
        dynamic[size] = event.requestClass() == RequestClass.DYNAMIC;
        size++;
    }

    /** Name of the trace. */
    public String name() {
        return name;
    }

    /** How many requests. */
    public int size() {
        return size;
    }

    /** How many different objects are asked for; they are numbered from 0. */
    public int objectCount() {
        return objectCount;
    }

    int object(int index) {
        return objects[index];
    }

    /** Index of the site that request {@code index} is for. */
    public int site(int index) {
        return sites[index];
    }

    boolean isDynamic(int index) {
        return dynamic[index];
    }

    /** The burst that request {@code index} belongs to. */
    public int segment(int index) {
        return segments[index];
    }

    long offsetNanos(int index) {
        return offsetsNanos[index];
    }

    /** Whether it has more than one segment. */
    public boolean hasBursts() {
        return segments[0] != segments[size - 1];
    }

    /** Time of the trace from one request to a later one. */
    public double secondsBetween(int from, int to) {
        return (offsetsNanos[to] - offsetsNanos[from]) / 1e9;
    }

    /**
     * The workload as stretches of one mix each: its bursts, or pieces of {@code pieceRequests} where it has none.
     * Their sum is the workload.
     *
     * @param pieceRequests from 1
     */
    public List<Piece> pieces(int pieceRequests) {
        boolean hasBursts = hasBursts();
        List<Piece> pieces = new ArrayList<>();
        int from = 0;
        for (int index = 1; index <= size; index++) {
            boolean ends =
                    index == size || (hasBursts ? segments[index] != segments[from] : index - from >= pieceRequests);
            if (ends) {
                pieces.add(piece(from, index));
                from = index;
            }
        }
        return pieces;
    }

    private Piece piece(int from, int to) {
        int dynamicCount = 0;
        for (int index = from; index < to; index++) {
            dynamicCount += dynamic[index] ? 1 : 0;
        }
        return new Piece(from, sites[from], new Stretch(to - from, (double) dynamicCount / (to - from)));
    }

    /**
     * One stretch.
     *
     * @param first index of its first request
     * @param site index of the site of that request
     * @param stretch how long it is, and of what mix
     */
    public record Piece(int first, int site, Stretch stretch) {}
}
