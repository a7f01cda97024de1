package dev.retier.traces.worldcup;

import dev.retier.traces.ClassRule;
import dev.retier.traces.ReplayedMethods;
import org.jspecify.annotations.Nullable;

/**
 * How World Cup records become requests.
 *
 * @param rule which are dynamic: by the log's own type, or by a hash of the object id
 * @param maxSizeBytes longer answers are asked for with this length, from 0
 * @param objects null: web-node's URLs. Otherwise the URLs that the site had; a record of an unknown object is bad
 * @param methods which requests are sent
 */
public record WorldCupMapping(
        ClassRule rule, long maxSizeBytes, @Nullable WorldCupObjects objects, ReplayedMethods methods) {
    /** By the record's own type, with sizes as logged. */
    public static final WorldCupMapping AS_LOGGED = new WorldCupMapping(ClassRule.AS_LOGGED, Long.MAX_VALUE);

    /** Checks the range. */
    public WorldCupMapping {
        if (maxSizeBytes < 0) {
            throw new IllegalArgumentException("maximum size " + maxSizeBytes + " is negative");
        }
    }

    /** URLs for web-node, safe methods. */
    public WorldCupMapping(ClassRule rule, long maxSizeBytes) {
        this(rule, maxSizeBytes, null, ReplayedMethods.SAFE);
    }
}
