package dev.retier.agent.apply;

import java.io.IOException;
import java.nio.channels.Channel;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Closes a channel that takes too long, which ends what it waits for: channels of Unix sockets know no time-out. Closed
 * itself, it lets the channel be. Thread-safe; a virtual thread of its own.
 */
public final class ChannelDeadline implements AutoCloseable {
    private final Thread watch;
    private volatile boolean isOver;

    /** Begins now. */
    public ChannelDeadline(String name, Channel channel, Duration timeout) {
        long endNanos = System.nanoTime() + timeout.toNanos();
        this.watch = Thread.ofVirtual().name(name).start(() -> closeAt(endNanos, channel));
    }

    private void closeAt(long endNanos, Channel channel) {
        long leftNanos = endNanos - System.nanoTime();
        while (!isOver && leftNanos > 0) {
            LockSupport.parkNanos(leftNanos);
            leftNanos = endNanos - System.nanoTime();
        }
        if (!isOver) {
            try {
                channel.close();
            } catch (IOException e) {
                // It is closed either way.
                return;
            }
        }
    }

    @Override
    public void close() {
        isOver = true;
        LockSupport.unpark(watch);
    }
}
