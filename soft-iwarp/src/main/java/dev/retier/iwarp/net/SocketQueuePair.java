package dev.retier.iwarp.net;

import dev.retier.iwarp.memory.StreamIdentity;
import dev.retier.iwarp.mpa.Agreement;
import dev.retier.iwarp.mpa.Fpdu;
import dev.retier.iwarp.rdmap.QpState;
import dev.retier.iwarp.rdmap.StreamConfig;
import dev.retier.iwarp.rdmap.StreamEngine;
import dev.retier.iwarp.wire.TerminateReason;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A queue pair: the pure engine, the lock that guards it, and the socket once there is one.
 *
 * <p>Work is posted from the caller's thread and, as far as TCP takes it, sent from there, too. Received bytes are
 * processed by the progress loop, or by whoever polls or waits. The lock is held across non-blocking I/O only.
 */
public final class SocketQueuePair implements Ready {
    private static final Logger LOG = LoggerFactory.getLogger(SocketQueuePair.class);

    private final Device device;
    private final int number;
    private final PairEvents announcements;
    private final PairDeadline deadline;
    private final CompletionQueue sendQueue;
    private final CompletionQueue receiveQueue;
    private final CompletionQueue.Share sendShare;
    private final CompletionQueue.Share receiveShare;
    private final StreamEngine engine;
    private final PairMemory memory;
    private final ReentrantLock lock = new ReentrantLock();

    // Guarded by lock.
    private @Nullable StreamSocket socket;
    private boolean initiator;
    private boolean ending;
    private boolean destroyed;
    private ResponderHold hold = ResponderHold.NONE;

    private final PollWatch polls = new PollWatch();
    private volatile boolean awaiting;

    /** The sizes of a queue pair's queues. */
    public record Sizes(int domain, int maxSendWork, int maxReceiveWork, int maxElements) {}

    /**
     * A queue pair that is not connected.
     *
     * @throws IllegalArgumentException if a size exceeds the device's limits, or a completion queue has no memory left
     */
    public SocketQueuePair(
            Device device,
            Sizes sizes,
            CompletionQueue sendQueue,
            CompletionQueue receiveQueue,
            QueuePairListener listener) {
        device.config().limits().check(sizes);
        this.memory = new PairMemory(device, sizes);
        this.device = device;
        this.number = device.newPair();
        this.announcements = new PairEvents(number, listener);
        this.deadline = new PairDeadline(this, device.loop());
        this.sendQueue = sendQueue;
        this.receiveQueue = receiveQueue;
        var config = new StreamConfig(
                new StreamIdentity(number, sizes.domain()),
                sizes.maxSendWork(),
                sizes.maxReceiveWork(),
                sizes.maxElements());
        // The completion queues know this pair from here on, and a thread that polls them must find its engine.
        lock.lock();
        try {
            this.sendShare = sendQueue.attach(this);
            this.receiveShare = receiveQueue.attach(this);
            this.engine = new StreamEngine(config, device.regions(), sendShare, receiveShare);
        } catch (IllegalArgumentException e) {
            sendQueue.detach(this);
            memory.buffersGone(true);
            throw e;
        } finally {
            lock.unlock();
        }
    }

    /** The number, unique on its device. */
    public int number() {
        return number;
    }

    /** The device. */
    public Device device() {
        return device;
    }

    /**
     * Posts work with the lock held, sends it as far as TCP takes it, and reports what is done.
     *
     * @throws IwarpException what {@code poster} throws; what it committed before is on its way all the same
     */
    public void post(Poster poster) throws IwarpException {
        lock.lock();
        try {
            poster.post(engine);
        } finally {
            try {
                if (poster.isToSend() || engine.state().flushes()) {
                    advance(false);
                }
            } finally {
                lock.unlock();
            }
        }
    }

    /** The state. */
    public QpState state() {
        lock.lock();
        try {
            return engine.state();
        } finally {
            lock.unlock();
        }
    }

    /** Reports every send's success, whether it asked for it or not. */
    public void signalAll() {
        locked(engine::signalAll);
    }

    private void locked(Runnable task) {
        lock.lock();
        try {
            task.run();
        } finally {
            lock.unlock();
        }
    }

    private void advancing(Runnable task) {
        locked(() -> {
            task.run();
            advance(false);
        });
    }

    /** Ends the connection in an orderly way. Does nothing if there is none. */
    public void disconnect() {
        advancing(engine::disconnect);
    }

    /** Ends the connection and reports no more completions: what was flushed before stays in the queues. */
    public void destroy() {
        locked(() -> {
            if (destroyed) {
                return;
            }
            destroyed = true;
            sendShare.close();
            receiveShare.close();
            engine.disconnect();
            if (socket == null) {
                engine.closed();
            }
            advance(false);
            sendQueue.detach(this);
            receiveQueue.detach(this);
            if (socket == null) {
                memory.buffersGone(true);
            }
        });
    }

    /** Full operation starts. On the loop's thread. */
    void operate(SelectionKey key, SocketIo io, Agreement agreement, Startup startup) throws IOException {
        SocketChannel channel = (SocketChannel) key.channel();
        Segments segments = Segments.of(device, channel, agreement, io);
        int mulpdu = agreement.mulpdu(segments.bytes(), Fpdu.MAX_ULPDU);
        lock.lock();
        try {
            if (destroyed || engine.state() != QpState.IDLE) {
                throw new IOException("the queue pair was destroyed or used while the connection was made");
            }
            engine.start(agreement, mulpdu);
            StreamSocket fresh = new StreamSocket(channel, io, key, engine, segments);
            if (memory.outgrown(fresh.heldBytes())) {
                throw new IOException(memory.refusal());
            }
            startup.show(fresh, device.taps(), agreement.initiator());
            socket = fresh;
            initiator = agreement.initiator();
            hold = ResponderHold.of(this, agreement, channel.getRemoteAddress());
            new Beginning(this).attend(engine);
            begin(key, agreement, fresh);
        } finally {
            lock.unlock();
        }
    }

    /** The socket is ours from here on: whatever fails ends it here, and nobody else may. */
    private void begin(SelectionKey key, Agreement agreement, StreamSocket fresh) {
        try {
            key.attach(this);
            key.interestOps(SelectionKey.OP_READ);
            if (agreement.initiator() || agreement.rtr().isEmpty()) {
                announcements.established();
            } else {
                deadline.watch(device.config().startupTimeout().toNanos());
            }
            advance(fresh.holdsReceived());
        } catch (RuntimeException | OutOfMemoryError e) {
            LOG.error("queue pair {} failed at its start; it ends", number, e);
            close("internal error: " + e);
        }
    }

    /** Start-up failed for a reason that the peer is told in a Terminate (RFC 6581 section 8). */
    void fail(TerminateReason reason) {
        advancing(() -> engine.framingError(reason));
    }

    /** Start-up failed, there is no stream. The listener is told why, unless whoever calls does that. */
    void neverConnected(@Nullable String why) {
        locked(() -> {
            engine.closed();
            engine.reap();
            if (why != null) {
                announcements.ended(why);
            }
        });
    }

    @Override
    public void ready(SelectionKey key) {
        lock.lock();
        try {
            if (!key.isValid()) {
                return; // a poller closed the connection since the selector looked
            }
            if (polls.park()) {
                park(key);
                return;
            }
            if (key.isWritable()) {
                key.interestOpsAnd(~SelectionKey.OP_WRITE);
            }
            CompletionChannel awaited = CompletionQueue.awaited(receiveQueue, sendQueue);
            advance(true);
            StreamSocket current = socket;
            if (current != null && polls.parkForWaiter(awaited)) {
                park(key);
                Objects.requireNonNull(awaited).sockets().adopt(this, current.descriptor());
            }
        } finally {
            lock.unlock();
        }
    }

    private void park(SelectionKey key) {
        key.interestOps(0);
        device.loop().park(this);
    }

    PollWatch polls() {
        return polls;
    }

    /** Reads again on the loop if the poller has gone; with {@code check} if it has not polled since the last check. */
    boolean unpark(boolean check) {
        if (check && polls.isQuiet() && (poll() || !polls.isLeftToWaiter())) {
            polls.left(); // it came without the thread that is to read it, or that has left, which the poll would hide
        }
        if (!polls.unpark(check)) {
            return false;
        }
        locked(() -> {
            if (socket != null) {
                socket.wantRead();
            }
            advance(false);
        });
        return true;
    }

    /** Looks at the socket for somebody who polls, unless another thread is at it. Returns whether bytes came. */
    boolean poll() {
        return lock.tryLock() && polled();
    }

    /** The same for somebody who was told that there is something. */
    boolean serve() {
        lock.lock();
        return polled();
    }

    private boolean polled() {
        try {
            polls.polled();
            return advance(true);
        } finally {
            lock.unlock();
        }
    }

    /** The poller goes to sleep: the loop reads again. */
    void leave() {
        if (polls.left()) {
            device.loop().wakeup();
        }
    }

    /** Whether posted sends have not completed. */
    boolean awaiting() {
        return awaiting;
    }

    @Override
    public void abort(String why) {
        locked(() -> close(why));
    }

    /** Moves everything that can move. Returns whether bytes came. */
    private boolean advance(boolean read) {
        StreamSocket current = socket;
        if (current == null) {
            engine.reap();
            return false;
        }
        int came = 0;
        try {
            came = read ? current.receive() : 0;
            if (read && came == 0 && !current.hasMore()) {
                return false;
            }
            if (engine.hasReceived() && !announcements.isEstablished()) {
                announcements.established();
                deadline.unwatch();
            }
            hold.look(engine);
            current.transmit(!polls.isParked());
            if (memory.outgrown(current.heldBytes())) {
                LOG.warn("queue pair {} ends: {}", number, memory.refusal());
                engine.framingError(TerminateReason.RDMAP_LOCAL);
                current.transmit(!polls.isParked());
            }
            engine.reap();
            if (came < 0) {
                close("the peer closed the connection");
            } else if (engine.state().flushes()) {
                end(current);
            }
        } catch (IOException e) {
            close("the connection broke: " + e.getMessage());
        }
        boolean isAwaiting = engine.sends().size() > 0;
        if (awaiting != isAwaiting) {
            awaiting = isAwaiting;
        }
        if (polls.isUnsent(current.hasMore())) {
            leave();
        }
        return came > 0;
    }

    /** The stream is over, TCP is not: the last bytes go out, and what still comes is read and dropped. */
    private void end(StreamSocket current) throws IOException {
        if (!ending) {
            ending = true;
            current.transmit(!polls.isParked());
            deadline.watch(device.config().lingerTimeout().toNanos());
            announcements.ended(PairEvents.reason(engine, memory.refusal()));
        }
        current.endOutput();
    }

    private void close(String why) {
        StreamSocket current = socket;
        if (engine.state() != QpState.ERROR) {
            engine.closed();
        }
        hold.look(engine);
        if (current != null) {
            socket = null;
            polls.ended();
            deadline.unwatch();
            current.close();
            device.returnConnection(initiator);
            memory.buffersGone(destroyed);
            announcements.ended(why);
        }
        engine.reap();
    }
}
