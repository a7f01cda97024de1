package dev.retier.link;

/**
 * What an authenticated connection is used for at this end. Called by the keeper's thread and the completion thread,
 * which it must not block.
 */
public interface Connection {
    /** A connection at whose end nothing is done: the provider alone serves the peer. */
    Connection PASSIVE = new Connection() {
        @Override
        public long oldestNanos(long nowNanos) {
            return nowNanos;
        }

        @Override
        public void immediate(int value) {
            // Whoever may only read and swap has nothing to say.
        }

        @Override
        public void abort(String reason) {
            // Nothing is under way.
        }
    };

    /**
     * When the oldest operation that has not ended was begun; {@code nowNanos} if there is none. Called four times a
     * second at least, and may begin one; one that is too old ends the connection.
     */
    long oldestNanos(long nowNanos);

    /** The peer wrote something, and announces it with {@code value}. */
    void immediate(int value);

    /** The connection is over: ends what is under way. Called once. */
    void abort(String reason);

    /** The queue pair is gone: nothing can touch this end's memory any more. Called once, after {@link #abort}. */
    default void freed() {}
}
