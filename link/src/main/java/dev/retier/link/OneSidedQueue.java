package dev.retier.link;

import com.ibm.disni.verbs.IbvSendWR;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The one-sided operations of this node on one connection: reads, writes, compare-and-swap, fetch-and-add. They are
 * bounded in number, and each is told once how it ended. When the connection ends, what it did not answer may have been
 * done or not, and nothing more is posted.
 *
 * <p>Nothing waits here: a caller with a deadline awaits a {@link Gathering}, or a future that its {@link Operation}
 * completes, and leaves the operation's memory alone until it has ended. Thread-safe.
 */
public final class OneSidedQueue {
    private final LinkHost.Ready ready;
    private final Completions completions;
    private final LongSupplier clock;
    private final Semaphore free;
    private final Map<Long, Posted> underWay = new ConcurrentHashMap<>();

    /** Why nothing can be posted any more; empty while it can. */
    private volatile String over = "";

    private record Posted(Operation operation, int requests, long sinceNanos) {}

    /** Told how it ended, once; by the thread that drains the completions or ends the connection: must not block. */
    public interface Operation {
        /** It was done, and what it reads is in its memory. */
        void done();

        /** It was not begun. */
        void notDone(String reason);

        /** The connection ended before the answer came. */
        void unknown(String reason);
    }

    /** Posts the work requests of an operation, of which the last one is signalled. */
    @FunctionalInterface
    public interface Posting {
        /** Posts them under {@code workId}: new ones, or a call that was prepared and is changed by that. */
        void post(long workId) throws IOException;
    }

    /**
     * Of a connection that is ready.
     *
     * @param completions where its sends complete
     * @param clock the node's, in nanoseconds
     * @param requests work requests under way at once
     */
    public OneSidedQueue(LinkHost.Ready ready, Completions completions, LongSupplier clock, int requests) {
        this.ready = ready;
        this.completions = completions;
        this.clock = clock;
        this.free = new Semaphore(requests);
    }

    /** Keeps room for an operation of so many work requests; whether there is any. */
    public boolean reserve(int requests) {
        return free.tryAcquire(requests);
    }

    /** Gives back room that was reserved for an operation that will not be posted. */
    public void giveBack(int requests) {
        free.release(requests);
    }

    /** Why nothing can be posted any more; empty while it can. */
    public String over() {
        return over;
    }

    /** Posts {@code requests}, for which there is room, together; the end of the last one is the end of all. */
    public void post(Operation operation, List<IbvSendWR> requests) {
        post(operation, requests.size(), workId -> {
            requests.forEach(request -> request.setWr_id(workId));
            ready.pair().post(requests);
        });
    }

    /** As {@link #post(Operation, List)}, in whatever way. */
    public void post(Operation operation, int requests, Posting posting) {
        long id = completions.nextId();
        underWay.put(id, new Posted(operation, requests, clock.getAsLong()));
        completions.expect(id, (success, _) -> {
            Posted posted = success ? take(id) : null;
            if (posted != null) {
                posted.operation().done();
            } else if (!success) {
                ready.onBroken().accept("an operation failed");
            }
        });
        String why = over;
        try {
            if (why.isEmpty()) {
                posting.post(id);
                return;
            }
        } catch (IOException failed) {
            why = String.valueOf(failed.getMessage());
        }
        Posted posted = take(id);
        if (posted != null) {
            posted.operation().notDone(why);
        }
    }

    /** When the oldest operation under way was begun, by the node's clock; {@code nowNanos} if there is none. */
    public long oldestNanos(long nowNanos) {
        long oldest = nowNanos;
        for (Posted posted : underWay.values()) {
            oldest = posted.sinceNanos() - oldest < 0 ? posted.sinceNanos() : oldest;
        }
        return oldest;
    }

    /** From now on nothing is posted; what is under way goes on until {@link #end}. */
    public void close(String reason) {
        over = reason;
    }

    /** What is under way will get no answer: for when nothing can touch its memory any more, or nobody uses that. */
    public void end() {
        underWay.keySet().forEach(id -> {
            Posted posted = take(id);
            if (posted != null) {
                posted.operation().unknown(over);
            }
        });
    }

    private @Nullable Posted take(long id) {
        completions.forget(id);
        Posted posted = underWay.remove(id);
        if (posted != null) {
            free.release(posted.requests());
        }
        return posted;
    }
}
