package dev.retier.state;

/**
 * The move lock of one site while this node holds it. Not thread-safe: used by the thread that acquired it.
 */
public interface MoveLease {
    /** Higher than that of every earlier acquisition of the same lock; 1 to 2^32 - 1. */
    long term();

    /**
     * Whether the holder may still act: by its own monotonic clock, well before any waiter may take the lock over.
     * Ask before each step that others could see.
     */
    boolean isSafe();

    /**
     * Starts the lease anew. Returns false if it is lost (somebody took over) or the witnesses do not answer in time.
     */
    boolean renew();

    /** Gives the lock up. Does nothing if it is lost already. */
    void release();
}
