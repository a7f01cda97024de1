package dev.retier.volume.gateway;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a client of NBD is told, all that is to be told at a moment by one write: by whoever tells it, as long as the
 * socket takes it; a client need not listen, and then a thread of its own goes on. Once a write fails nothing is told
 * any more. Thread-safe.
 */
final class NbdOutput {
    private static final Logger LOG = LoggerFactory.getLogger(NbdGateway.class);
    /** Fewer parts than the kernel takes by one call (IOV_MAX, 1024). */
    private static final int MOST_TOGETHER = 128;
    /** Writes by whoever tells, however much others tell meanwhile. */
    private static final int MOST_WRITES = 4;

    private final NbdSocket socket;
    private final Consumer<Runnable> afterwards;
    private final Progress progress;
    private final Queue<Message> waiting = new ConcurrentLinkedQueue<>();
    private final Runnable writeAll = this::write;
    /** Held by whoever writes. */
    private final ReentrantLock writing = new ReentrantLock();
    /** Whether something may be waiting that nobody has looked at. */
    private volatile boolean isDue;
    /** Whether the thread that waits for the client has what is to be written. */
    private volatile boolean isLeft;

    private final Semaphore leftOnes = new Semaphore(0);
    /** Guarded by {@link #writing}, as all that follows: what is being written. */
    private final List<Message> some = new ArrayList<>();

    private ByteBuffer[] parts = {};
    private boolean isBroken;
    /** Made when a client does not listen for the first time. */
    private @Nullable Thread patient;

    private volatile boolean isClosed;

    /**
     * What is to be told.
     *
     * @param whenTold is run when that was done, or cannot be
     */
    private record Message(List<ByteBuffer> parts, Runnable whenTold) {}

    /**
     * To be closed.
     *
     * @param afterwards does what it is given at once, or soon, with what follows from other ends
     */
    NbdOutput(NbdSocket socket, Consumer<Runnable> afterwards, Progress progress) {
        this.socket = socket;
        this.afterwards = afterwards;
        this.progress = progress;
    }

    /** Tells it behind what was said before; waits for nothing. */
    void tell(List<ByteBuffer> more, Runnable whenTold) {
        waiting.add(new Message(more, whenTold));
        afterwards.accept(writeAll);
    }

    /** Whoever finds another thread at it leaves it to that one. */
    private void write() {
        isDue = true;
        while (isDue && !isLeft && writing.tryLock()) {
            try {
                isDue = false;
                if (!isAllWritten()) {
                    leave();
                }
            } finally {
                writing.unlock();
            }
        }
    }

    private boolean isAllWritten() {
        for (int writes = 0; writes < MOST_WRITES; writes++) {
            if (some.isEmpty()) {
                takeSome();
            }
            if (some.isEmpty()) {
                return true;
            }
            if (!isWritten()) {
                return false;
            }
            parts = new ByteBuffer[0];
            some.forEach(one -> one.whenTold.run());
            some.clear();
        }
        return false;
    }

    private void takeSome() {
        Message next = waiting.poll();
        while (next != null) {
            some.add(next);
            next = some.size() < MOST_TOGETHER ? waiting.poll() : null;
        }
        parts = some.stream().flatMap(one -> one.parts.stream()).toArray(ByteBuffer[]::new);
    }

    /** Whether the socket has taken all of it, or takes nothing any more. */
    private boolean isWritten() {
        boolean isAll = isBroken || parts.length == 0;
        try {
            if (!isAll) {
                long count = socket.write(parts);
                isAll = !parts[parts.length - 1].hasRemaining();
                progress.due(System.nanoTime());
                progress.moved(count, System.nanoTime());
            }
        } catch (IOException e) {
            broken(e);
            isAll = true;
        }
        if (isAll) {
            progress.over();
        }
        return isAll;
    }

    private void broken(Exception why) {
        LOG.debug("a client of NBD has left before it was answered", why);
        isBroken = true;
    }

    private void leave() {
        isLeft = true;
        if (patient == null) {
            patient = Thread.ofPlatform().name("retier-nbd-out").daemon().start(this::goOn);
        }
        leftOnes.release();
    }

    private void goOn() {
        leftOnes.acquireUninterruptibly();
        while (!isClosed) {
            try {
                socket.awaitRoom();
            } catch (IOException | ClosedSelectorException closed) {
                LOG.debug("a client of NBD has left", closed); // the next write says so
            }
            isLeft = false;
            write();
            leftOnes.acquireUninterruptibly();
        }
    }

    /** Returns when all was told, or cannot be. */
    void close() {
        CountDownLatch isTold = new CountDownLatch(1);
        tell(List.of(), isTold::countDown);
        boolean isInterrupted = false;
        while (isTold.getCount() > 0) {
            try {
                isTold.await();
            } catch (InterruptedException e) {
                isInterrupted = true;
            }
        }
        isClosed = true;
        leftOnes.release();
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
