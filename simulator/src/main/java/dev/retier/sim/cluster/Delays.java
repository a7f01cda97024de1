package dev.retier.sim.cluster;

import java.time.Duration;

/**
 * How long things take that are not computed. The defaults are what was measured with real parts.
 *
 * @param hopNanos one way of a one-sided operation
 * @param journalNanos until an order is on disk
 * @param proveNanos of a node's request to itself
 * @param edgeNanos from a look that shows other targets until the clients follow
 * @param fileLookNanos how often a web-node looks at its file
 * @param membersNanos until a reloaded server has other members
 * @param reload of a server that is reloaded to run another role
 * @param lagNanos of the time that a server has worked it does not tell up to so much of the newest yet, at random, as
 *     kernels account for processor time in pieces; 0: it tells all
 */
public record Delays(
        long hopNanos,
        long journalNanos,
        long proveNanos,
        long edgeNanos,
        long fileLookNanos,
        long membersNanos,
        Reload reload,
        long lagNanos) {
    /**
     * A look at six others takes 241 us, taking and giving back a lock four times that (docs/results/state.md); a
     * web-node looks every 20 ms; httpd as in {@link Reload#HTTPD}, and proxies have other members, as their agents see
     * it, 28 ms after the order (docs/results/moves.md, upstream out, to proxy).
     */
    public static final Delays MEASURED = new Delays(
            nanos(Duration.ofNanos(110_000)),
            nanos(Duration.ofMillis(2)),
            nanos(Duration.ofMillis(3)),
            nanos(Duration.ofMillis(1)),
            nanos(Duration.ofMillis(20)),
            nanos(Duration.ofMillis(20)),
            Reload.HTTPD,
            0);

    /**
     * A reload.
     *
     * @param nanos until the server runs the other role, half of the time less
     * @param spreadNanos by how much more or less it takes, evenly
     * @param restNanos from the end of one reload to the beginning of the next, at least; 0: none waits for another
     */
    public record Reload(long nanos, long spreadNanos, long restNanos) {
        /**
         * docs/results/moves.md moves one node to and fro without a pause, and its switch takes 1944 ms (p50), 2187 ms
         * (p99). In it is what is left of the agents' reload-interval of 1 s, which begins with the end of the reload
         * before and which order, upstream and drain (18, 22, 57 ms) and the upstream's end (17 ms) are part of.
         */
        public static final Reload HTTPD = new Reload(
                Delays.nanos(Duration.ofMillis(1050)),
                Delays.nanos(Duration.ofMillis(240)),
                Delays.nanos(Duration.ofSeconds(1)));

        /** Refuses what is no time. */
        public Reload {
            if (spreadNanos < 0 || spreadNanos > nanos || restNanos < 0) {
                throw new IllegalArgumentException(nanos + " ns +- " + spreadNanos + " ns, rest " + restNanos);
            }
        }
    }

    /** The same with servers that do not tell at once all that they have worked. */
    public Delays withLag(Duration lag) {
        return new Delays(
                hopNanos, journalNanos, proveNanos, edgeNanos, fileLookNanos, membersNanos, reload, lag.toNanos());
    }

    private static long nanos(Duration duration) {
        return duration.toNanos();
    }
}
