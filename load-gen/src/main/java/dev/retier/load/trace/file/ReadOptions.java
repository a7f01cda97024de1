package dev.retier.load.trace.file;

import org.jspecify.annotations.Nullable;

/**
 * How trace files are read.
 *
 * @param format null: found out from the first bytes of the first file
 * @param dynamicShare null: by the looks or the type of each request; otherwise, 0..1, this share of the requests,
 *     chosen by a hash of their objects (a CSV file says itself which are dynamic)
 * @param maxSizeBytes World Cup: longer answers are asked for with this length
 * @param synthetic CLF: ask for web-node's URLs and not for the logged ones
 */
public record ReadOptions(
        @Nullable TraceFormat format, @Nullable Double dynamicShare, long maxSizeBytes, boolean synthetic) {
    /** Everything as the file has it. */
    public static final ReadOptions AS_LOGGED = new ReadOptions(null, null, Long.MAX_VALUE, false);

    /** URLs that web-node answers. */
    public static final ReadOptions FOR_WEB_NODE = new ReadOptions(null, null, Long.MAX_VALUE, true);

    /** Checks the ranges. */
    public ReadOptions {
        if (dynamicShare != null && !(dynamicShare >= 0 && dynamicShare <= 1)) {
            throw new IllegalArgumentException("dynamic share " + dynamicShare + " is not within 0..1");
        }
        if (maxSizeBytes < 0) {
            throw new IllegalArgumentException("maximum size " + maxSizeBytes + " is negative");
        }
    }
}
