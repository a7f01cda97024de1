package dev.retier.link;

import com.ibm.disni.verbs.IbvSendWR;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Posts what several threads have to send on a connection, or what follows from several messages of the peer that were
 * found together, in one post, and in the order in which it is taken. Thread-safe. What is broken is told by whoever
 * posts.
 */
public final class Posts {
    /** By one thread at a stretch, however many others offer meanwhile. */
    private static final int MOST_POSTS = 16;

    private final Consumer<Runnable> afterwards;
    private final Posting posting;
    private final Consumer<String> onBroken;
    private final Supplier<List<IbvSendWR>> next;
    /** Whether something may have to be written that nobody has looked at yet. */
    private volatile boolean isDue;
    /** Held by whoever posts: the order of requests is that of their posting. */
    private final ReentrantLock order = new ReentrantLock();

    private final Runnable writeAll = this::write;

    /**
     * Of a connection that is ready.
     *
     * @param next takes out all that is to be posted now, in order; by one thread at a time
     */
    public Posts(LinkHost.Ready ready, Supplier<List<IbvSendWR>> next) {
        this(ready.completions()::afterwards, ready.pair()::post, ready.onBroken(), next);
    }

    Posts(Consumer<Runnable> afterwards, Posting posting, Consumer<String> onBroken, Supplier<List<IbvSendWR>> next) {
        this.afterwards = afterwards;
        this.posting = posting;
        this.onBroken = onBroken;
        this.next = next;
    }

    /** As {@link QueuePair#post}. */
    interface Posting {
        void post(List<IbvSendWR> requests) throws IOException;
    }

    /** Something may have to be posted. */
    public void flush() {
        afterwards.accept(writeAll);
    }

    /**
     * Whoever finds another thread at it leaves it to that one, which need not go on for ever: what is left then it
     * hands to a thread of its own, as nobody else may come.
     */
    private void write() {
        isDue = true;
        int left = MOST_POSTS;
        while (isDue && left > 0 && order.tryLock()) {
            try {
                isDue = false;
                List<IbvSendWR> requests = next.get();
                while (!requests.isEmpty()) {
                    posting.post(requests);
                    left--;
                    isDue = isDue || left == 0;
                    requests = left > 0 ? next.get() : List.of();
                }
            } catch (IOException failed) {
                onBroken.accept(String.valueOf(failed.getMessage()));
            } catch (RuntimeException | OutOfMemoryError fault) {
                // What was taken out to be posted is lost, and with it the order of what comes behind.
                onBroken.accept("a message could not be posted: " + fault);
            } finally {
                order.unlock();
            }
        }
        if (left <= 0 && isDue) {
            Thread.startVirtualThread(writeAll);
        }
    }
}
