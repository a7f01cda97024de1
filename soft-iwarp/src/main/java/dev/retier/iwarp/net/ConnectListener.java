package dev.retier.iwarp.net;

/** How an initiator's start-up ended short of full operation. Called by the progress loop: hand over and return. */
public interface ConnectListener {
    /** The peer accepted; the queue pair's listener is told next. */
    void accepted(byte[] privateData);

    /** The peer refused. */
    void rejected(byte[] privateData);

    /** Nobody answered: refused, unreachable, or no valid Reply in time. */
    void failed(Failure failure, String why);

    /** Kinds of failure. */
    enum Failure {
        /** The system refused the TCP connection. */
        REFUSED,
        /** No TCP connection, or no Reply, in time. */
        UNREACHABLE,
        /** The peer does not speak MPA as it should. */
        PROTOCOL
    }
}
