package dev.retier.volume.gateway;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a client of NBD is told, by a thread of its own, as it need not listen: all that is to be told at a moment by
 * one write. Once a write fails nothing is told any more. Thread-safe.
 */
final class NbdOutput {
    private static final Logger LOG = LoggerFactory.getLogger(NbdGateway.class);
    /** Fewer parts than the kernel takes by one call (IOV_MAX, 1024). */
    private static final int MOST_TOGETHER = 128;

    private final SocketChannel channel;
    private final BlockingQueue<Message> waiting = new LinkedBlockingQueue<>();
    private final Thread thread;
    /** Of the thread alone. */
    private boolean isClosed;

    private boolean isBroken;

    /**
     * What is to be told.
     *
     * @param whenTold is run when that was done, or cannot be
     */
    private record Message(List<ByteBuffer> parts, Runnable whenTold) {}

    NbdOutput(SocketChannel channel) {
        this.channel = channel;
        this.thread = Thread.ofPlatform().name("retier-nbd-out").daemon().start(this::run);
    }

    /** Tells it behind what was said before; waits for nothing. */
    void tell(List<ByteBuffer> parts, Runnable whenTold) {
        waiting.add(new Message(parts, whenTold));
    }

    private void run() {
        List<Message> some = new ArrayList<>();
        try {
            while (!isClosed) {
                some.add(waiting.take());
                waiting.drainTo(some, MOST_TOGETHER - 1);
                write(some.stream().flatMap(one -> one.parts.stream()).toArray(ByteBuffer[]::new));
                some.forEach(one -> one.whenTold.run());
                some.clear();
            }
        } catch (InterruptedException impossible) {
            throw new IllegalStateException("nobody interrupts it", impossible);
        }
    }

    private void write(ByteBuffer[] parts) {
        try {
            long left = 0;
            for (ByteBuffer part : parts) {
                left += part.remaining();
            }
            while (left > 0 && !isBroken) {
                left -= channel.write(parts);
            }
        } catch (IOException e) {
            LOG.debug("a client of NBD has left before it was answered", e);
            isBroken = true;
        }
    }

    /** Returns when all was told, or cannot be. */
    void close() {
        tell(List.of(), () -> isClosed = true);
        boolean isInterrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
