package dev.retier.fabric.locks;

/** A lock that a thread holds. It is renewed until it is closed or lost. Thread-safe. */
public interface HeldLock extends AutoCloseable {
    /**
     * Higher than the token of every earlier holder. What the lock protects should remember the highest that it has
     * seen and refuse lower ones: that alone stops a holder that was delayed between asking {@link #isSafe} and acting.
     */
    long token();

    /** Whether the holder may act now. False for good once the lock is lost to somebody else. */
    boolean isSafe();

    /** Gives the lock up. Idempotent. */
    @Override
    void close();
}
