package dev.retier.load.drive;

import dev.retier.traces.TraceEvent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Gives each client of the run the events of its own clients of the trace, in their order: a trace client belongs to
 * one
 * connection for the whole run. Reads ahead as far as needed, and at most {@link #MAX_AHEAD} events. Thread-safe.
 *
 * <p>Nobody is forgotten: a client parks only when nothing is queued for it and the read-ahead is full or the trace is
 * over, or has nothing yet. A full read-ahead means that others have work, and each of them reads on when it takes its
 * next event; when a trace that had nothing has more, that is read for all who are parked.
 */
final class SessionDesk {
    /** Bounds the memory, and how unevenly trace clients may be active. A body counts as one event for each KiB. */
    static final int MAX_AHEAD = 10_000;

    private static final int NOBODY = -1;

    private final EventFeed feed;
    private final List<ArrayDeque<TraceEvent>> queues = new ArrayList<>();
    private final List<@Nullable Runnable> parked = new ArrayList<>();
    private final Runnable more = this::more;
    private int parkedCount;
    private int ahead;
    private boolean exhausted;

    SessionDesk(EventFeed feed, int clients) {
        this.feed = feed;
        for (int i = 0; i < clients; i++) {
            queues.add(new ArrayDeque<>());
            parked.add(null);
        }
    }

    /** The next event of connection {@code client}; null when there is none now, and then {@code wake} is run later. */
    @Nullable
    TraceEvent take(int client, Runnable wake) {
        List<Runnable> toWake = new ArrayList<>();
        TraceEvent event;
        synchronized (this) {
            readAhead(client, toWake);
            event = queues.get(client).poll();
            if (event != null) {
                ahead -= event.weight();
            } else if (!exhausted) {
                parkedCount += parked.set(client, wake) == null ? 1 : 0;
            }
        }
        toWake.forEach(Runnable::run);
        return event;
    }

    /** The trace has more, or is over: for those who wait. */
    private void more() {
        List<Runnable> toWake = new ArrayList<>();
        synchronized (this) {
            readAhead(NOBODY, toWake);
        }
        toWake.forEach(Runnable::run);
    }

    /** Whether the trace has been read to its end. */
    synchronized boolean isExhausted() {
        return exhausted;
    }

    /** Reads until {@code client} has an event and nobody is parked, or the read-ahead is full. */
    private void readAhead(int client, List<Runnable> toWake) {
        while (!exhausted
                && ahead < MAX_AHEAD
                && (parkedCount > 0 || (client != NOBODY && queues.get(client).isEmpty()))) {
            TraceEvent event = feed.take(more);
            if (event == null && feed.end() == null) {
                return;
            }
            if (event == null) {
                exhausted = true;
                for (int i = 0; i < parked.size(); i++) {
                    unpark(i, toWake);
                }
                return;
            }
            int owner = ownerOf(event.clientId());
            queues.get(owner).add(event);
            ahead += event.weight();
            unpark(owner, toWake);
        }
    }

    /** Mixed well, so that neighbouring client numbers fall on targets all over the list. */
    private int ownerOf(long traceClient) {
        long mixed = traceClient * 0x9E3779B97F4A7C15L;
        mixed = (mixed ^ (mixed >>> 32)) * 0xBF58476D1CE4E5B9L;
        return (int) Math.floorMod(mixed ^ (mixed >>> 29), (long) queues.size());
    }

    private void unpark(int client, List<Runnable> toWake) {
        Runnable wake = parked.get(client);
        if (wake != null) {
            parked.set(client, null);
            parkedCount--;
            toWake.add(wake);
        }
    }
}
