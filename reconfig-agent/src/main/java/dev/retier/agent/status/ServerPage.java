package dev.retier.agent.status;

/**
 * What one answer of a real server's status page says, whatever the kind.
 *
 * @param requests requests begun since its start; falls when it was restarted; {@link #UNCOUNTED} where nobody counts
 * @param inFlight requests in the server now, without the one that asked; where nobody counts, connections of clients,
 *     which are as many or more
 * @param busyShare share of what it can hold at once that is taken, in [0,1]: of its places for requests or of its
 *     connections, whichever is scarcer; 0 for a kind that tells of neither
 * @param uptimeSeconds since its start or last reload: a page whose uptime stands still is not alive
 * @param program what it says it is made of; for httpd its MPM, else empty
 * @param generation another one after each reload and each start; empty for a kind that tells none
 */
public record ServerPage(
        long requests, int inFlight, double busyShare, long uptimeSeconds, String program, String generation) {
    /** Nobody counts the requests: not how many come is known, but only whether anybody is connected. */
    public static final long UNCOUNTED = -1;

    /** Refuses what no server can mean with {@link IllegalArgumentException}. */
    public ServerPage {
        if (requests < UNCOUNTED || inFlight < 0 || uptimeSeconds < 0 || !(busyShare >= 0 && busyShare <= 1)) {
            throw new IllegalArgumentException("a figure is out of range");
        }
    }
}
