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
 * @param membersNanos until a server that is no web-node has other members
 * @param role until a server that is no web-node runs another role
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
        Switch role,
        long lagNanos) {
    /**
     * A look at six others takes 241 us, taking and giving back a lock four times that (docs/results/state.md); a
     * web-node looks every 20 ms; httpd as in {@link Switch#HTTPD}; from the order until proxies have other members, as
     * their agents see it, it takes 16 ms (bench moves at cd0f234643, upstream out of moves to proxy).
     */
    public static final Delays MEASURED = new Delays(
            nanos(Duration.ofNanos(110_000)),
            nanos(Duration.ofMillis(2)),
            nanos(Duration.ofMillis(1)),
            nanos(Duration.ofMillis(1)),
            nanos(Duration.ofMillis(20)),
            nanos(Duration.ofMillis(16)),
            Switch.HTTPD,
            0);

    /**
     * Another role, in which most kinds need no reload.
     *
     * @param nanos until the server runs it, half of the time less
     * @param spreadNanos by how much more or less it takes, evenly
     */
    public record Switch(long nanos, long spreadNanos) {
        /** bench moves at cd0f234643: 3.6 ms (p50), within a quota of 10 % of a processor handed out every 20 ms. */
        public static final Switch HTTPD =
                new Switch(Delays.nanos(Duration.ofMillis(2)), Delays.nanos(Duration.ofMillis(2)));

        /** Refuses what is no time. */
        public Switch {
            if (spreadNanos < 0 || spreadNanos > nanos) {
                throw new IllegalArgumentException(nanos + " ns +- " + spreadNanos + " ns");
            }
        }
    }

    /** The same with servers that do not tell at once all that they have worked. */
    public Delays withLag(Duration lag) {
        return new Delays(
                hopNanos, journalNanos, proveNanos, edgeNanos, fileLookNanos, membersNanos, role, lag.toNanos());
    }

    private static long nanos(Duration duration) {
        return duration.toNanos();
    }
}
