package dev.retier.state.verbs;

import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.IbvCompChannel;
import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.SVCPollCq;
import com.ibm.disni.verbs.SVCReqNotify;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The completion queue of one node and the one thread that serves it. The thread sleeps until the queue notifies it,
 * so an idle node costs nothing.
 *
 * <p>Thread-safe.
 */
public final class Completions implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Completions.class);
    /** IBV_WC_SUCCESS of libibverbs. */
    private static final int SUCCESS = 0;

    /** IBV_WC_WITH_IMM of libibverbs. */
    private static final int WITH_IMMEDIATE = 1 << 1;

    private static final int BATCH = 32;
    private static final int WAIT_MILLIS = 500;
    private static final long JOIN_MILLIS = 2000;
    private static final int MAX_FAULTS = 100;

    private final IbvCompChannel channel;
    private final IbvCQ queue;
    private final Map<Long, Handler> handlers = new ConcurrentHashMap<>();
    private final AtomicLong lastId = new AtomicLong();
    private final Thread thread;
    private volatile boolean open = true;
    /** Owned by the completion thread. */
    private int faults;

    /** Told when a work request has ended. Called on the completion thread; must not block. */
    public interface Handler {
        /** {@code work} is valid during the call only. */
        void ended(boolean success, IbvWC work);

        /** Whether more work requests will be posted under this id, so that it is to be kept. */
        default boolean stays() {
            return false;
        }
    }

    Completions(IbvContext context, int capacity, String owner) throws IOException {
        channel = context.createCompChannel();
        queue = context.createCQ(channel, capacity, 0);
        thread = Thread.ofPlatform().name("state-cq-" + owner).daemon().start(this::serve);
    }

    IbvCQ queue() {
        return queue;
    }

    /** Whether {@code work} was a receive that took an immediate. */
    public static boolean isImmediate(IbvWC work) {
        return (work.getWc_flags() & WITH_IMMEDIATE) != 0;
    }

    /** An id for a work request, never given out before. */
    public long nextId() {
        return lastId.incrementAndGet();
    }

    /** Tells {@code handler} when the work request {@code id}, about to be posted, has ended. */
    public void expect(long id, Handler handler) {
        handlers.put(id, handler);
    }

    /** Nobody waits for {@code id} any more. */
    public void forget(long id) {
        handlers.remove(id);
    }

    @Override
    public void close() {
        open = false;
        thread.interrupt();
        try {
            thread.join(JOIN_MILLIS);
            queue.destroyCQ();
            channel.destroyCompChannel();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (IOException failed) {
            LOG.warn("could not free the completion queue", failed);
        }
    }

    private void serve() {
        IbvWC[] batch = new IbvWC[BATCH];
        for (int i = 0; i < BATCH; i++) {
            batch[i] = new IbvWC();
        }
        try {
            SVCPollCq poll = queue.poll(batch, BATCH);
            SVCReqNotify notify = queue.reqNotification(false);
            while (open) {
                notify.execute();
                survive(() -> drain(poll, batch));
                if (channel.getCqEvent(queue, WAIT_MILLIS)) {
                    queue.ackEvents(1);
                }
            }
        } catch (IOException failed) {
            if (!open) {
                return;
            }
            LOG.error("the completion queue failed: this node sees nobody any more; restart it", failed);
        }
    }

    private interface Round {
        void run() throws IOException;
    }

    /** A fault in one connection's handling must not blind this node to all others; a lasting fault must show. */
    private void survive(Round round) throws IOException {
        try {
            round.run();
            faults = 0;
        } catch (RuntimeException fault) {
            faults++;
            LOG.error("a completion could not be handled ({} in a row)", faults, fault);
            if (faults == MAX_FAULTS) {
                throw fault;
            }
        }
    }

    private void drain(SVCPollCq poll, IbvWC[] batch) throws IOException {
        int count;
        do {
            count = poll.execute().getPolls();
            for (int i = 0; i < count; i++) {
                dispatch(batch[i]);
            }
        } while (count == BATCH);
    }

    private void dispatch(IbvWC ended) {
        Long id = ended.getWr_id();
        Handler handler = handlers.get(id);
        if (handler != null) {
            if (!handler.stays()) {
                handlers.remove(id);
            }
            handler.ended(ended.getStatus() == SUCCESS, ended);
        }
    }
}
