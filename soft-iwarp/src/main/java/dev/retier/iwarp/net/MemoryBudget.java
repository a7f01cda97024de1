package dev.retier.iwarp.net;

import java.util.concurrent.atomic.AtomicLong;

/** Memory that a device may hold for its queue pairs, and how much of it is taken. Safe for any thread. */
final class MemoryBudget {
    private final long limitBytes;
    private final AtomicLong takenBytes = new AtomicLong();

    MemoryBudget(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /** Takes {@code bytes} more, all or nothing. Returns false if they are not there. */
    boolean take(long bytes) {
        if (takenBytes.addAndGet(bytes) > limitBytes) {
            takenBytes.addAndGet(-bytes);
            return false;
        }
        return true;
    }

    /** Gives bytes back. */
    void give(long bytes) {
        takenBytes.addAndGet(-bytes);
    }

    long takenBytes() {
        return takenBytes.get();
    }
}
