package dev.retier.load.trace;

import org.jspecify.annotations.Nullable;

/**
 * How the lines of a text log become requests.
 *
 * @param dynamicShare null: a URL that looks computed is dynamic. Otherwise, 0..1: a hash of the URL decides
 * @param synthetic whether to ask for {@code /static/o<n>?size=<bytes>} and {@code /dynamic/o<n>?size=<bytes>}, as
 *     web-node answers them, and not for the logged URL
 */
public record LogMapping(@Nullable Double dynamicShare, boolean synthetic) {
    /** The logged URLs, classed by their looks. */
    public static final LogMapping AS_LOGGED = new LogMapping(null, false);

    /** URLs for web-node, classed by their looks. */
    public static final LogMapping SYNTHETIC = new LogMapping(null, true);

    /** Synthetic objects get numbers below this. */
    private static final long OBJECTS = 1L << 31;

    /** Checks the range. */
    public LogMapping {
        if (dynamicShare != null && !(dynamicShare >= 0 && dynamicShare <= 1)) {
            throw new IllegalArgumentException("dynamic share " + dynamicShare + " is not within 0..1");
        }
    }

    /**
     * The request for a logged URL, at offset 0.
     *
     * @throws IllegalArgumentException when the URL cannot be made safe
     */
    TraceEvent request(String client, LoggedUrl url, long sizeBytes, boolean conditional) {
        String target = RequestTargets.safe(url.url());
        RequestClass requestClass = classOf(target);
        long id = RequestTargets.hash(target) % OBJECTS;
        String sent = synthetic ? new SyntheticObject(id, requestClass, Math.max(0, sizeBytes)).target() : target;
        return new TraceEvent(
                0, RequestTargets.hash(client), sent, requestClass, sizeBytes, url.method(), conditional, 0, null);
    }

    private RequestClass classOf(String target) {
        boolean dynamic = dynamicShare == null
                ? RequestTargets.looksDynamic(target)
                : WorldCupMapping.unitHash(RequestTargets.hash(target)) < dynamicShare;
        return dynamic ? RequestClass.DYNAMIC : RequestClass.STATIC;
    }

    /**
     * Method and URL of a logged request line.
     *
     * @param method GET where the log has none
     * @param url as logged
     */
    record LoggedUrl(RequestMethod method, String url) {}
}
