package dev.retier.rnic;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A file descriptor of the library's from which events are read without blocking. Its users enter and leave the {@link
 * Usable} that keeps it open. Safe for any thread.
 */
final class Descriptor {
    /** One wait in the system lasts so long at most: the object may be destroyed, or the thread interrupted. */
    private static final int SLICE_MILLIS = 100;

    private static final int F_GETFL = 3;
    private static final int F_SETFL = 4;
    private static final int O_NONBLOCK = 0x800;
    private static final short POLLIN = 1;
    private static final long FD = Layouts.at(Layouts.POLLFD, "fd");
    private static final long EVENTS = Layouts.at(Layouts.POLLFD, "events");

    private final Library library;
    private final int fd;

    /** Takes it over, and makes reads from it not block. */
    Descriptor(Library library, int fd) throws IOException {
        this.library = library;
        this.fd = fd;
        long flags = Calls.call(library.fcntl, fd, F_GETFL);
        if ((int) flags < 0 || (int) Calls.call(library.fcntl, fd, F_SETFL, flags | O_NONBLOCK) < 0) {
            throw library.failed("fcntl of an event descriptor");
        }
    }

    int fd() {
        return fd;
    }

    /** Reads one event, if there is one. */
    @FunctionalInterface
    interface Reader<T> {
        /** The event; null if there is none. */
        @Nullable
        T read() throws IOException;
    }

    /**
     * The next event.
     *
     * @param timeoutMillis for how long to wait for one; negative: for ever
     * @return null if none came in time
     * @throws IOException if the object was destroyed, or the thread interrupted, or as {@code reader} does
     */
    <T> @Nullable T next(Usable owner, int timeoutMillis, Reader<T> reader) throws IOException {
        long beganNanos = System.nanoTime();
        while (true) {
            if (Thread.currentThread().isInterrupted()) {
                throw new IOException("interrupted while waiting for an event");
            }
            long stamp = owner.enter();
            try {
                T event = reader.read();
                if (event != null) {
                    return event;
                }
                long elapsed = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNanos);
                long left = timeoutMillis < 0 ? SLICE_MILLIS : Math.min(SLICE_MILLIS, timeoutMillis - elapsed);
                if (left <= 0) {
                    return null;
                }
                await(left);
            } finally {
                owner.leave(stamp);
            }
        }
    }

    private void await(long millis) {
        MemorySegment wanted = Calls.results();
        wanted.set(ValueLayout.JAVA_INT, FD, fd);
        wanted.set(ValueLayout.JAVA_SHORT, EVENTS, POLLIN);
        Calls.call(library.poll, wanted.address(), 1, millis);
    }
}
