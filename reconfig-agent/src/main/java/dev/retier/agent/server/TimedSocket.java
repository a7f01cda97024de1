package dev.retier.agent.server;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;

/**
 * A TCP connection whose reads end at a moment, however many they are and whoever makes them: TLS over it makes several
 * for one of its own. Not thread-safe.
 */
final class TimedSocket extends Socket {
    private static final int NANOS_PER_MILLI = 1_000_000;

    private long deadlineNanos;

    /** From now on reads end at that value of {@link System#nanoTime} at the latest. */
    void endReadsAt(long nanos) {
        deadlineNanos = nanos;
    }

    /**
     * The time that is left, 1 at least.
     *
     * @throws SocketTimeoutException if there is none
     */
    int millisLeft() throws SocketTimeoutException {
        long left = deadlineNanos - System.nanoTime();
        if (left <= 0) {
            throw new SocketTimeoutException("no whole answer in time");
        }
        return (int) Math.max(1, left / NANOS_PER_MILLI);
    }

    @Override
    public InputStream getInputStream() throws IOException {
        return new FilterInputStream(super.getInputStream()) {
            @Override
            public int read() throws IOException {
                setSoTimeout(millisLeft());
                return super.read();
            }

            @Override
            public int read(byte[] space, int at, int bytes) throws IOException {
                setSoTimeout(millisLeft());
                return super.read(space, at, bytes);
            }
        };
    }
}
