package dev.retier.webnode.config;

import dev.retier.config.Fields;
import dev.retier.undertow.role.RoleFile;
import dev.retier.undertow.upstream.UpstreamLimits;

/**
 * The bounds of a node.
 *
 * @param maxInFlight requests in the node at once; beyond, a request is answered 503 with Retry-After
 * @param maxConnections client connections at once; beyond, new ones wait to be accepted
 * @param upstreamTries different app nodes a proxy tries for one request
 * @param upstreamTimeoutMillis how long a proxy waits for one app's whole answer
 * @param benchMillis how long an app that failed is left out while others can serve
 * @param idleConnectionsPerApp idle connections that a proxy keeps to one app, per I/O thread
 * @param closeDeadlineMillis how long a closing node lets requests finish
 */
public record Limits(
        int maxInFlight,
        int maxConnections,
        int upstreamTries,
        int upstreamTimeoutMillis,
        int benchMillis,
        int idleConnectionsPerApp,
        int closeDeadlineMillis) {
    /** 1000 requests, 4096 connections, 3 apps, 30 s, benched 1 s, 64 idle connections, 5 s to close. */
    public static final Limits DEFAULTS = new Limits(1_000, 4_096, 3, 30_000, 1_000, 64, 5_000);

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException when one is violated
     */
    public Limits {
        if (maxInFlight < 1 || maxConnections < 1 || upstreamTries < 1 || upstreamTimeoutMillis < 1) {
            throw new IllegalArgumentException("limits of requests, connections, tries and time start at 1");
        }
        if (benchMillis < 0 || idleConnectionsPerApp < 0 || closeDeadlineMillis < 0) {
            throw new IllegalArgumentException("a limit must not be negative");
        }
    }

    /** Those of a proxy's way to its app nodes. */
    public UpstreamLimits upstream() {
        return new UpstreamLimits(upstreamTries, upstreamTimeoutMillis, benchMillis, idleConnectionsPerApp);
    }

    static Limits parse(Fields fields) {
        int most = 1_000_000;
        int longest = 600_000;
        Limits limits = new Limits(
                fields.integer("max-in-flight", DEFAULTS.maxInFlight, 1, most),
                fields.integer("max-connections", DEFAULTS.maxConnections, 1, most),
                fields.integer("upstream-tries", DEFAULTS.upstreamTries, 1, RoleFile.MAX_APPS),
                fields.integer("upstream-timeout-ms", DEFAULTS.upstreamTimeoutMillis, 1, longest),
                fields.integer("bench-ms", DEFAULTS.benchMillis, 0, longest),
                fields.integer("idle-connections-per-app", DEFAULTS.idleConnectionsPerApp, 0, most),
                fields.integer("close-deadline-ms", DEFAULTS.closeDeadlineMillis, 0, longest));
        fields.finish();
        return limits;
    }
}
