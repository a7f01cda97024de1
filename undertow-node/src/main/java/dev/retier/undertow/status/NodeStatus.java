package dev.retier.undertow.status;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a node tells about itself. The JSON of {@code /status} has the same names in snake case; maps are by class of
 * request, of which a program has one, {@code all}, unless it tells more.
 *
 * @param node its name
 * @param role {@code proxy}, {@code app} or {@code spare}
 * @param site the site it serves, null for a spare
 * @param appliedEpoch epoch of the role file in force
 * @param roleFileSha256 hash of that file, hexadecimal
 * @param lastRefusal why the role file on disk is not in force, or null when it is
 * @param refusalsTotal role files refused so far
 * @param closing true while it lets the last requests finish
 * @param uptimeSeconds since its start, to the nanosecond: a page that says the same again is a copy
 * @param capacityUnitsPerSecond what it can do
 * @param busySecondsTotal time it has worked; growth over elapsed time is the utilisation (readers clamp it to 1)
 * @param backlogSeconds time that the work accepted so far will still take
 * @param inFlight requests in the node
 * @param clientInFlight those that came from clients, not from another node
 * @param lastClientRequestAgeSeconds since the last request from a client, or null when there was none
 * @param requestsTotal requests let in
 * @param completedTotal requests answered below status 500
 * @param completedPerSecond the same over the last second
 * @param errorsTotal answers with status 500 or above, rejections included
 * @param rejectedTotal requests beyond the in-flight limit
 * @param cache the proxy's memory; all zero sizes when the node is no proxy
 * @param forwardedTotal requests sent on to an app
 * @param retriesTotal tries beyond the first
 * @param connectionsLetGoTotal kept connections closed after an answer so that their clients spread over the tier
 * @param sendsByLoads whether a proxy knows fresh loads of its app nodes from its agent, and sends by them
 * @param upstreams a proxy's app nodes
 */
public record NodeStatus(
        String node,
        String role,
        @Nullable String site,
        long appliedEpoch,
        String roleFileSha256,
        @Nullable String lastRefusal,
        long refusalsTotal,
        boolean closing,
        double uptimeSeconds,
        double capacityUnitsPerSecond,
        double busySecondsTotal,
        double backlogSeconds,
        int inFlight,
        int clientInFlight,
        @Nullable Double lastClientRequestAgeSeconds,
        Map<String, Long> requestsTotal,
        Map<String, Long> completedTotal,
        Map<String, Double> completedPerSecond,
        long errorsTotal,
        long rejectedTotal,
        Cache cache,
        long forwardedTotal,
        long retriesTotal,
        long connectionsLetGoTotal,
        boolean sendsByLoads,
        List<Upstream> upstreams) {

    /**
     * The memory cache of a proxy.
     *
     * @param entries answers kept now
     * @param bytes memory they take
     * @param hitsTotal static requests answered without an app, over the life of the node
     * @param missesTotal static requests fetched from an app
     */
    public record Cache(int entries, long bytes, long hitsTotal, long missesTotal) {
        /** Of a program that keeps nothing. */
        public static final Cache NONE = new Cache(0, 0, 0, 0);
    }

    /**
     * An app node as this proxy sees it.
     *
     * @param node its name
     * @param address where it listens
     * @param weight its share
     * @param inFlight requests this proxy has there now
     * @param failuresTotal tries that it did not answer
     * @param benched true while it is left out after a failure
     */
    public record Upstream(
            String node, String address, int weight, int inFlight, long failuresTotal, boolean benched) {}
}
