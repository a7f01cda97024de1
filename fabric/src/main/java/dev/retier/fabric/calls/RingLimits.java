package dev.retier.fabric.calls;

/**
 * The sizes of the two rings of a connection; the same on both sides.
 *
 * @param ringBytes of each ring, a multiple of 8
 * @param messages that may be in a ring at once, 4 to {@value #MAX_MESSAGES}
 * @param bodyBytes of one message at most; a ring has room for four of these
 */
public record RingLimits(int ringBytes, int messages, int bodyBytes) {
    /** More would only queue in the ring what better queues at its caller. */
    public static final int MAX_MESSAGES = 1024;

    /** Credit updates that may be under way beside {@link #messages}: see {@link RingEnd}. */
    public static final int CREDIT_UPDATES = 8;

    private static final int RECORDS_PER_RING = 4;
    private static final int LEAST_MESSAGES = 4;

    /** Refuses sizes that cannot work by {@link IllegalArgumentException}. */
    public RingLimits {
        if (messages < LEAST_MESSAGES || messages > MAX_MESSAGES) {
            throw new IllegalArgumentException(
                    "messages: " + messages + ", must be " + LEAST_MESSAGES + " to " + MAX_MESSAGES);
        }
        if (bodyBytes < Long.BYTES || (long) RECORDS_PER_RING * MessageRecord.lengthBytes(bodyBytes) > ringBytes) {
            throw new IllegalArgumentException("ring of " + ringBytes + " bytes must have room for " + RECORDS_PER_RING
                    + " messages of " + bodyBytes + " bytes and a header of " + MessageRecord.HEADER_BYTES);
        }
        if (ringBytes % MessageRecord.ALIGNMENT != 0) {
            throw new IllegalArgumentException("ring of " + ringBytes + " bytes must be a multiple of 8");
        }
    }

    /** Receives that a queue pair needs so that none of the peer's immediates finds none. */
    public int receives() {
        return messages + CREDIT_UPDATES;
    }
}
