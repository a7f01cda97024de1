package dev.retier.link;

import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.IbvCompChannel;
import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.SVCPollCq;
import com.ibm.disni.verbs.SVCReqNotify;
import dev.retier.verbs.AdaptiveSpin;
import dev.retier.verbs.DeviceAttributes;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A completion queue with its channel, and who is to be told of which completion.
 *
 * <p>{@link #await(int)} belongs to one thread at a time: the one that {@link #serve serves}, or one that waits in
 * {@link Operations}. The rest is for any thread.
 */
public final class Completions {
    private static final Logger LOG = LoggerFactory.getLogger(Completions.class);
    /** IBV_WC_SUCCESS of libibverbs. */
    private static final int SUCCESS = 0;

    private static final int BATCH = 32;
    private static final int WAIT_MILLIS = 500;

    /** How long a waiting thread serves the queue before it sleeps: a little more than an answer takes. */
    private static final long HELP_NANOS = 60_000;

    private static final long NOT_LEFT = 0;
    private static final long NANOS_PER_MILLI = 1_000_000;

    /** So long after a thread has waited itself it is expected again. */
    private static final long LEFT_TO_WAITERS_NANOS = 20_000_000;

    /** After so long the thread that serves looks what others have left behind. */
    private static final long LEFT_NANOS = 1_000_000;

    /** One for all queues: what is posted on one is never taken for what is posted on another. */
    private static final AtomicLong LAST_ID = new AtomicLong();

    private final ReentrantLock draining = new ReentrantLock();
    private final AdaptiveSpin help = new AdaptiveSpin();
    private final IbvCompChannel channel;
    private final IbvCQ queue;
    private final Map<Long, Handler> handlers = new ConcurrentHashMap<>();
    private final LongSupplier clock;
    private final int capacity;
    private final AtomicInteger reserved = new AtomicInteger();
    private final IbvWC[] batch = new IbvWC[BATCH];
    private final SVCPollCq poll;
    private final SVCReqNotify notify;
    /** Whether who serves wants no event, as others take what comes. */
    private volatile boolean isLeftToOthers;
    /** Since when it leaves it to those who wait themselves, for a moment; an odd number, or {@link #NOT_LEFT}. */
    private volatile long leftSinceNanos = NOT_LEFT;
    /** Held by whoever waits for the channel's events. */
    private final ReentrantLock waiting = new ReentrantLock();

    private volatile @Nullable Thread server;
    private final PutOff putOff;

    /** Told when a work request has ended. Called on the thread that drains; must not block. */
    public interface Handler {
        /** {@code work} is valid during the call only. */
        void ended(boolean success, IbvWC work);
    }

    /**
     * A queue of so many entries, or of as many as the device has.
     *
     * @param least with fewer it is of no use
     */
    Completions(IbvContext context, int most, int least) throws IOException {
        this(context, most, least, System::nanoTime);
    }

    /** As {@link #Completions(IbvContext, int, int)}, with a clock of its own, in nanoseconds. */
    Completions(IbvContext context, int most, int least, LongSupplier clock) throws IOException {
        this.clock = clock;
        this.putOff = new PutOff(clock);
        int offered = context instanceof DeviceAttributes device ? device.maxCompletions() : most;
        int entries = Math.max(least, Math.min(most, offered));
        this.channel = context.createCompChannel();
        try {
            this.queue = context.createCQ(channel, entries, 0);
        } catch (IOException refused) {
            channel.destroyCompChannel();
            throw refused;
        }
        this.capacity = entries;
        for (int i = 0; i < BATCH; i++) {
            batch[i] = new IbvWC();
        }
        poll = queue.poll(batch, BATCH);
        notify = queue.reqNotification(false);
    }

    boolean hasRoom(int entries) {
        return capacity - reserved.get() >= entries;
    }

    /** Keeps room for a connection, so that the queue never overflows; a negative number gives it back. */
    void reserve(int entries) {
        reserved.addAndGet(entries);
    }

    /** How many work requests are to be told of. */
    int expected() {
        return handlers.size();
    }

    IbvCQ queue() {
        return queue;
    }

    /** An id for a work request, never given out before. */
    public long nextId() {
        return LAST_ID.incrementAndGet();
    }

    /** Tells {@code handler} when the work request {@code id}, about to be posted, has ended. */
    public void expect(long id, Handler handler) {
        handlers.put(id, (success, work) -> {
            handlers.remove(id);
            handler.ended(success, work);
        });
    }

    /** Tells {@code handler} of every work request that is posted under {@code id}, again and again. */
    public void expectEach(long id, Handler handler) {
        handlers.put(id, handler);
    }

    /** Nobody waits for {@code id} any more. */
    public void forget(long id) {
        handlers.remove(id);
    }

    /**
     * Serves the queue from a thread that waits for {@code isOver}, for a moment and where that has lately been of use:
     * so the answer is found where it is awaited, and nobody has to be woken. The thread must hold no lock that a
     * handler may need.
     */
    public void help(BooleanSupplier isOver) {
        help(isOver, HELP_NANOS);
    }

    /** As {@link #help(BooleanSupplier)}, for so long. */
    public void help(BooleanSupplier isOver, long nanos) {
        if (!help.isPromising()) {
            return;
        }
        long endNanos = System.nanoTime() + nanos;
        boolean found = false;
        try {
            while (!found && System.nanoTime() - endNanos < 0) {
                if (draining.tryLock()) {
                    drainAndUnlock();
                }
                found = isOver.getAsBoolean();
            }
            leave();
        } catch (IOException ended) {
            LOG.debug("no longer serves completions: {}", ended.toString());
        }
        help.ended(found);
    }

    /**
     * Takes what has come, unless another thread is at it; whether it did. The thread must hold no lock that a handler
     * may need.
     */
    public boolean collect() throws IOException {
        if (!draining.tryLock()) {
            return false;
        }
        drainAndUnlock();
        return true;
    }

    /**
     * Whether the thread that serves leaves what comes to those who {@link #collect}, so that none is woken for it. Now
     * and then it looks all the same.
     */
    public void leaveToOthers(boolean isLeft) {
        boolean wasLeft = isLeft();
        isLeftToOthers = isLeft;
        leftSinceNanos = NOT_LEFT;
        if (wasLeft && !isLeft) {
            wakeServer();
        }
    }

    /**
     * Does {@code action}, which must not block, with the next look at what has come, whoever looks; now if a thread
     * waits for an event, as it may look no more until something comes.
     */
    public void withNextLook(Runnable action) {
        putOff.add(action);
        if (waiting.isLocked()) { // who takes that lock later looks before it waits
            putOff.doAll();
        }
    }

    /**
     * Waits for what is to come, takes it, and tells of it: once, or until {@code isOver}, for so long at most. So what
     * a thread waits for wakes that one alone. The thread must hold no lock that a handler may need.
     *
     * @return whether it did; false at once if another thread waits for that already, which leaves it to others once
     *     it has been {@link #leaveToWaiters asked} to
     * @throws IOException if the thread is interrupted, or the queue is gone
     */
    public boolean await(BooleanSupplier isOver, long nanos) throws IOException {
        if (!waiting.tryLock()) {
            return false;
        }
        try {
            leftSinceNanos = clock.getAsLong() | 1;
            arm();
            drain();
            if (!isOver.getAsBoolean()) {
                await((int) Math.ceilDiv(nanos, NANOS_PER_MILLI));
                drain();
            }
            return true;
        } finally {
            waiting.unlock();
            if (!isLeft()) {
                wakeServer();
            }
        }
    }

    /** For a moment the thread that serves leaves what comes to those who {@link #await(BooleanSupplier, long)}. */
    public void leaveToWaiters() {
        leftSinceNanos = clock.getAsLong() | 1;
    }

    private boolean isLeft() {
        long since = leftSinceNanos;
        return isLeftToOthers || (since != NOT_LEFT && clock.getAsLong() - since < LEFT_TO_WAITERS_NANOS);
    }

    private void wakeServer() {
        Thread serving = server;
        if (serving != null) {
            LockSupport.unpark(serving);
        }
    }

    /** The sockets are the provider's again; an event taken by that is asked for again. */
    private void leave() throws IOException {
        if (channel.getCqEvent(queue, 0)) {
            queue.ackEvents(1);
            arm();
            drain();
        }
    }

    /**
     * Does {@code action}, which must not block, from any thread: at once; or, while a thread tells of completions,
     * and has not done so for long, by that thread as soon as it has told of all that it took with them. So whatever
     * follows from several of them, or from those whom they wake, is begun together. What is put off several times is
     * done once.
     */
    public void afterwards(Runnable action) {
        putOff.afterwards(action, draining.isHeldByCurrentThread());
    }

    /**
     * Whether a thread tells of completions and has done so for a while: a handler leaves to others then what it could
     * do, as what was put off waits.
     */
    public boolean isBehind() {
        return putOff.isBehind();
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

    /** Takes what comes within a while; again and again for a thread of its own. */
    void serve() throws IOException {
        server = Thread.currentThread();
        boolean isMine = !isLeft() && waiting.tryLock();
        if (!isMine) {
            LockSupport.parkNanos(this, LEFT_NANOS);
            isMine = !isLeft() && waiting.tryLock();
        }
        if (isMine) {
            try {
                arm();
                drain();
                await(WAIT_MILLIS);
            } finally {
                waiting.unlock();
            }
        } else if (!waiting.isLocked()) {
            drain();
        }
    }

    /** Takes what has come, if the queue is still there. */
    void tidy() {
        try {
            drain();
        } catch (IOException failed) {
            LOG.debug("the completion queue is gone: {}", failed.toString());
        }
    }

    /** Tells of everything that has ended. */
    void drain() throws IOException {
        draining.lock();
        drainAndUnlock();
    }

    /** What others have put off while the lock was held is done once it is not, so that nothing stays behind. */
    private void drainAndUnlock() throws IOException {
        try {
            int count;
            do {
                count = poll.execute().getPolls();
                putOff.begins(count);
                for (int i = 0; i < count; i++) {
                    dispatch(batch[i]);
                    putOff.told();
                }
                putOff.doAll();
            } while (count == BATCH);
        } finally {
            putOff.ended();
            draining.unlock();
            putOff.doAll();
        }
    }

    void destroy() {
        QueuePair.quietly("destroy a completion queue", queue::destroyCQ);
        QueuePair.quietly("destroy its channel", channel::destroyCompChannel);
    }

    private void dispatch(IbvWC ended) {
        Handler handler = handlers.get(ended.getWr_id());
        if (handler != null) {
            try {
                handler.ended(ended.getStatus() == SUCCESS, ended);
            } catch (RuntimeException | OutOfMemoryError fault) {
                // One connection's fault must not keep what has come for the others from them.
                LOG.error("the end of a work request could not be handled", fault);
            }
        }
    }
}
