package dev.retier.agent.status;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One answer of a server's status page. Counters grow from the server's start.
 *
 * @param role {@code proxy}, {@code app} or {@code spare}
 * @param site the site it serves, null for none
 * @param appliedStamp stamp of the file in force
 * @param lastRefusal why the file on disk is not in force, null when it is
 * @param capacityUnitsPerSecond what it can do
 * @param busySeconds time it has worked; growth over elapsed time is the utilisation
 * @param inFlight requests in the node; connections of clients where nobody counts requests
 * @param backEndInFlight requests that it has at its upstream nodes
 * @param lastClientRequestAgeSeconds since the last request from a client, null when there was none
 * @param requests requests let in; {@link ServerPage#UNCOUNTED} where nobody counts them
 * @param cacheHits static requests answered from its cache
 * @param cacheMisses static requests that it had to fetch
 * @param uptimeSeconds time since its start as the page tells it, finer than two questions can follow each other; null
 *     for a kind whose page is watched otherwise
 */
public record ServerStatus(
        String role,
        @Nullable String site,
        long appliedStamp,
        @Nullable String lastRefusal,
        double capacityUnitsPerSecond,
        double busySeconds,
        int inFlight,
        int backEndInFlight,
        @Nullable Double lastClientRequestAgeSeconds,
        long requests,
        long cacheHits,
        long cacheMisses,
        @Nullable Double uptimeSeconds) {
    /**
     * Whether it serves as that, by a file that is no older. The tier alone would not tell: a file of another site may
     * carry a later stamp.
     *
     * @param wantedRole {@code proxy}, {@code app} or {@code spare}
     * @param wantedSite name of the site, null for none
     * @param wantedStamp of the oldest file that will do
     */
    public boolean runs(String wantedRole, @Nullable String wantedSite, long wantedStamp) {
        return appliedStamp >= wantedStamp && role.equals(wantedRole) && Objects.equals(site, wantedSite);
    }

    /** Whether the page is no newer than {@code before}, asked for earlier: it stands still, or is a copy. */
    public boolean repeats(@Nullable ServerStatus before) {
        return before != null && uptimeSeconds != null && uptimeSeconds.equals(before.uptimeSeconds);
    }
}
