package dev.retier.link;

/**
 * What an authenticated connection is used for at this end. Called by the keeper's thread and the completion thread,
 * which it must not block. What is not overridden does nothing.
 */
public interface Connection {
    /** A connection at whose end nothing is done: the provider alone serves the peer. */
    Connection PASSIVE = new Connection() {};

    /**
     * When the oldest operation that has not ended was begun; {@code nowNanos} if there is none. Called four times a
     * second at least, and may begin one; one that is too old ends the connection.
     */
    default long oldestNanos(long nowNanos) {
        return nowNanos;
    }

    /** The peer wrote something, and announces it with {@code value}. */
    default void immediate(int value) {}

    /** The peer sent a message without a byte, which a receive of the handshake took. */
    default void nudged() {}

    /** The connection is over: ends what is under way. Called once. */
    default void abort(String reason) {}

    /** The queue pair is gone: nothing can touch this end's memory any more. Called once, after {@link #abort}. */
    default void freed() {}
}
