package dev.retier.traces.text;

import dev.retier.traces.ClassRule;
import dev.retier.traces.RequestClass;
import dev.retier.traces.RequestMethod;
import dev.retier.traces.RequestTargets;
import dev.retier.traces.SyntheticObject;
import dev.retier.traces.TraceEvent;

/**
 * How the lines of a text log become requests.
 *
 * @param rule which are dynamic: URLs that look computed, or by a hash of the URL
 * @param synthetic whether to ask for {@code /static/o<n>?size=<bytes>} and {@code /dynamic/o<n>?size=<bytes>}, as
 *     web-node answers them, and not for the logged URL
 */
public record LogMapping(ClassRule rule, boolean synthetic) {
    /** The logged URLs, classed by their looks. */
    public static final LogMapping AS_LOGGED = new LogMapping(ClassRule.AS_LOGGED, false);

    /** URLs for web-node, classed by their looks. */
    public static final LogMapping SYNTHETIC = new LogMapping(ClassRule.AS_LOGGED, true);

    /** Synthetic objects get numbers below this. */
    private static final long OBJECTS = 1L << 31;

    /**
     * The request for a logged URL, at offset 0.
     *
     * @throws IllegalArgumentException when the URL cannot be made safe
     */
    TraceEvent request(String client, LoggedUrl url, long sizeBytes, boolean conditional) {
        String target = RequestTargets.safe(url.url());
        long object = RequestTargets.hash(target);
        RequestClass requestClass = rule.classOf(object, RequestTargets.looksDynamic(target));
        long id = object % OBJECTS;
        String sent = synthetic ? new SyntheticObject(id, requestClass, Math.max(0, sizeBytes)).target() : target;
        return new TraceEvent(
                0, RequestTargets.hash(client), sent, requestClass, sizeBytes, url.method(), conditional, 0, null);
    }

    /**
     * Method and URL of a logged request line.
     *
     * @param method GET where the log has none
     * @param url as logged
     */
    record LoggedUrl(RequestMethod method, String url) {}
}
