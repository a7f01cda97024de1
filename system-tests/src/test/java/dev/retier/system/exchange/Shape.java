package dev.retier.system.exchange;

/**
 * What an exchange needs of a connection.
 *
 * @param receives receives that are posted at any time
 * @param receiveBytes the longest message
 * @param rights what the peer may do with registered memory
 * @param isPolled whether completions are polled for rather than waited for
 */
record Shape(int receives, int receiveBytes, int rights, boolean isPolled) {
    /** Notes alone, and what needs no receive. */
    static final Shape NOTES = new Shape(8, 64, Memory.PLAIN, false);
}
