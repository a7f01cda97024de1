package dev.retier.load.trace;

import org.jspecify.annotations.Nullable;

/**
 * How World Cup records become requests.
 *
 * @param dynamicShare null: a record of the log's type DYNAMIC is dynamic, all others static. Otherwise, 0..1: a hash
 *     of the object id decides, so that about this share of the objects, and with the popular ones spread by luck about
 *     this share of the requests, is dynamic; the same object always falls on the same side
 * @param maxSizeBytes longer answers are asked for with this length, from 0
 * @param objects null: web-node's URLs. Otherwise the URLs that the site had; a record of an unknown object is bad
 * @param methods which requests are sent
 */
public record WorldCupMapping(
        @Nullable Double dynamicShare,
        long maxSizeBytes,
        @Nullable WorldCupObjects objects,
        ReplayedMethods methods) {
    /** By the record's own type, with sizes as logged. */
    public static final WorldCupMapping AS_LOGGED = new WorldCupMapping(null, Long.MAX_VALUE);

    /** Checks the ranges. */
    public WorldCupMapping {
        if (dynamicShare != null && !(dynamicShare >= 0 && dynamicShare <= 1)) {
            throw new IllegalArgumentException("dynamic share " + dynamicShare + " is not within 0..1");
        }
        if (maxSizeBytes < 0) {
            throw new IllegalArgumentException("maximum size " + maxSizeBytes + " is negative");
        }
    }

    /** URLs for web-node, safe methods. */
    public WorldCupMapping(@Nullable Double dynamicShare, long maxSizeBytes) {
        this(dynamicShare, maxSizeBytes, null, ReplayedMethods.SAFE);
    }

    /** Sizes as logged, classes by hash so that about {@code share} (0..1) is dynamic. */
    public static WorldCupMapping withDynamicShare(double share) {
        return new WorldCupMapping(share, Long.MAX_VALUE);
    }

    /** The same with another dynamic share. */
    public WorldCupMapping sharing(double newDynamicShare) {
        return new WorldCupMapping(newDynamicShare, maxSizeBytes, objects, methods);
    }

    RequestClass classOf(WorldCupRecord wc) {
        boolean dynamic = dynamicShare == null ? wc.isDynamic() : unitHash(wc.objectId()) < dynamicShare;
        return dynamic ? RequestClass.DYNAMIC : RequestClass.STATIC;
    }

    /** A number in [0,1) that depends on {@code id} alone (the finaliser of SplitMix64). */
    static double unitHash(long id) {
        long z = id + 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return ((z ^ (z >>> 31)) >>> 11) * 0x1.0p-53;
    }
}
