package dev.retier.undertow.upstream;

/**
 * The bounds of a proxy's way to its app nodes.
 *
 * @param tries different app nodes tried for one request, at least 1
 * @param timeoutMillis how long an app node may take to begin its answer once it has the whole request, at least 1
 * @param benchMillis how long an app that failed is left out while others can serve, 0 or more
 * @param idleConnectionsPerApp idle connections kept to one app, per I/O thread, 0 or more
 */
public record UpstreamLimits(int tries, int timeoutMillis, int benchMillis, int idleConnectionsPerApp) {
    /** 3 apps, 30 s, benched for 1 s, 64 idle connections. */
    public static final UpstreamLimits DEFAULTS = new UpstreamLimits(3, 30_000, 1_000, 64);

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException when one is violated
     */
    public UpstreamLimits {
        if (tries < 1 || timeoutMillis < 1 || benchMillis < 0 || idleConnectionsPerApp < 0) {
            throw new IllegalArgumentException("tries " + tries + " and timeout " + timeoutMillis
                    + " ms start at 1, bench " + benchMillis + " ms and idle connections " + idleConnectionsPerApp
                    + " at 0");
        }
    }
}
