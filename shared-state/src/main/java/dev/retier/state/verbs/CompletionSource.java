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
 * A completion queue with its channel, and who is to be told of which completion.
 *
 * <p>{@link #drain} and {@link #await} belong to one thread at a time, see the two users; the rest is for any thread.
 */
final class CompletionSource {
    private static final Logger LOG = LoggerFactory.getLogger(CompletionSource.class);
    /** IBV_WC_SUCCESS of libibverbs. */
    private static final int SUCCESS = 0;

    private static final int BATCH = 32;

    private final IbvCompChannel channel;
    private final IbvCQ queue;
    private final Map<Long, Handler> handlers = new ConcurrentHashMap<>();
    private final AtomicLong lastId = new AtomicLong();
    private final IbvWC[] batch = new IbvWC[BATCH];
    private final SVCPollCq poll;
    private final SVCReqNotify notify;

    /** Told when a work request has ended. Called on the thread that drains; must not block. */
    interface Handler {
        void ended(boolean success, int lengthBytes);
    }

    CompletionSource(IbvContext context, int capacity) throws IOException {
        channel = context.createCompChannel();
        queue = context.createCQ(channel, capacity, 0);
        for (int i = 0; i < BATCH; i++) {
            batch[i] = new IbvWC();
        }
        poll = queue.poll(batch, BATCH);
        notify = queue.reqNotification(false);
    }

    IbvCQ queue() {
        return queue;
    }

    /** An id for a work request, never given out before. */
    long nextId() {
        return lastId.incrementAndGet();
    }

    /** Tells {@code handler} when the work request {@code id}, about to be posted, has ended. */
    void expect(long id, Handler handler) {
        handlers.put(id, handler);
    }

    /** Nobody waits for {@code id} any more. */
    void forget(long id) {
        handlers.remove(id);
    }

    /** Asks for an event with the next completion; {@link #drain} afterwards, for what has come already. */
    void arm() throws IOException {
        notify.execute();
    }

    /** Waits for the event that was asked for. Throws if the thread is interrupted or the channel destroyed. */
    void await(int timeoutMillis) throws IOException {
        if (channel.getCqEvent(queue, timeoutMillis)) {
            queue.ackEvents(1);
        }
    }

    /** Tells of everything that has ended. */
    void drain() throws IOException {
        int count;
        do {
            count = poll.execute().getPolls();
            for (int i = 0; i < count; i++) {
                dispatch(batch[i]);
            }
        } while (count == BATCH);
    }

    void destroy() {
        try {
            queue.destroyCQ();
            channel.destroyCompChannel();
        } catch (IOException failed) {
            LOG.debug("could not free a completion queue: {}", failed.toString());
        }
    }

    private void dispatch(IbvWC ended) {
        Handler handler = handlers.remove(ended.getWr_id());
        if (handler != null) {
            handler.ended(ended.getStatus() == SUCCESS, ended.getByte_len());
        }
    }
}
