package dev.retier.load.trace;

/**
 * How World Cup records become requests.
 *
 * @param rule which are dynamic: by the log's own type, or by a hash of the object id
 * @param maxSizeBytes longer answers are asked for with this length, from 0
 */
public record WorldCupMapping(ClassRule rule, long maxSizeBytes) {
    /** By the record's own type, with sizes as logged. */
    public static final WorldCupMapping AS_LOGGED = new WorldCupMapping(ClassRule.AS_LOGGED, Long.MAX_VALUE);

    /** Checks the range. */
    public WorldCupMapping {
        if (maxSizeBytes < 0) {
            throw new IllegalArgumentException("maximum size " + maxSizeBytes + " is negative");
        }
    }

    RequestClass classOf(WorldCupRecord wc) {
        return rule.classOf(wc.objectId(), wc.isDynamic());
    }
}
