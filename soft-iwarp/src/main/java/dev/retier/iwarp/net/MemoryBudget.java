package dev.retier.iwarp.net;

import java.util.concurrent.atomic.AtomicLong;

/** Memory that a device may hold for its queues and buffers, and how much of it is taken. Safe for any thread. */
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

    long limitBytes() {
        return limitBytes;
    }

    long takenBytes() {
        return takenBytes.get();
    }

    /** What to say to who wanted {@code bytes} more and did not get them. */
    String refusal(long bytes) {
        return bytes + " bytes more; the device has taken " + takenBytes() + " of its " + limitBytes
                + " for queues and buffers; close connections or raise the limit";
    }
}
