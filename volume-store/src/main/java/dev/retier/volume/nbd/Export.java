package dev.retier.volume.nbd;

/**
 * What a client may open.
 *
 * @param name as the client says it
 * @param bytes its size
 * @param isReadOnly whether nothing of it can be changed
 */
public record Export(String name, long bytes, boolean isReadOnly) {
    /** The longest request for data, and the longest write. */
    public static final int MOST_BYTES = 32 << 20;

    static final int BEST_BYTES = 4096;

    private static final int HAS_FLAGS = 1;
    private static final int READ_ONLY = 1 << 1;
    private static final int SEND_FLUSH = 1 << 2;
    private static final int SEND_FUA = 1 << 3;
    private static final int SEND_TRIM = 1 << 5;
    private static final int SEND_WRITE_ZEROES = 1 << 6;
    private static final int SEND_DF = 1 << 7;
    private static final int CAN_MULTI_CONN = 1 << 8;
    private static final int SEND_CACHE = 1 << 10;

    /** What can be asked of it, for a client that takes answers in pieces or not. */
    short flags(boolean areRepliesStructured) {
        int changes = isReadOnly ? READ_ONLY : SEND_FUA | SEND_TRIM | SEND_WRITE_ZEROES;
        int flags = HAS_FLAGS | SEND_FLUSH | CAN_MULTI_CONN | SEND_CACHE | changes;
        return (short) (areRepliesStructured ? flags | SEND_DF : flags);
    }
}
