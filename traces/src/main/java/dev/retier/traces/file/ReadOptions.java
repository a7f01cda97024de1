package dev.retier.traces.file;

import dev.retier.traces.ReplayedMethods;
import dev.retier.traces.worldcup.WorldCupObjects;
import org.jspecify.annotations.Nullable;

/**
 * How trace files are read.
 *
 * @param format null: found out from the first bytes of the first file
 * @param dynamicShare null: by the looks or the type of each request; otherwise, 0..1, this share of the requests,
 *     chosen by a hash of their objects (a CSV file says itself which are dynamic)
 * @param maxSizeBytes World Cup: longer answers are asked for with this length
 * @param synthetic CLF: ask for web-node's URLs and not for the logged ones
 * @param objects World Cup: the URLs of its objects; null: ask for web-node's URLs
 * @param methods which requests are sent
 */
public record ReadOptions(
        @Nullable TraceFormat format,
        @Nullable Double dynamicShare,
        long maxSizeBytes,
        boolean synthetic,
        @Nullable WorldCupObjects objects,
        ReplayedMethods methods) {
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

    /** Safe methods, and web-node's URLs for World Cup objects. */
    public ReadOptions(
            @Nullable TraceFormat format, @Nullable Double dynamicShare, long maxSizeBytes, boolean synthetic) {
        this(format, dynamicShare, maxSizeBytes, synthetic, null, ReplayedMethods.SAFE);
    }

    /** The same, asking for the URLs that the objects of a World Cup log had. */
    public ReadOptions withObjects(WorldCupObjects urls) {
        return new ReadOptions(format, dynamicShare, maxSizeBytes, synthetic, urls, methods);
    }

    /** The same, sending requests of other methods, too. */
    public ReadOptions withMethods(ReplayedMethods replayed) {
        return new ReadOptions(format, dynamicShare, maxSizeBytes, synthetic, objects, replayed);
    }
}
