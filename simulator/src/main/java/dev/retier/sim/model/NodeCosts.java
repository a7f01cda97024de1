package dev.retier.sim.model;

/**
 * What requests cost an emulated node, in its capacity units. All above 0.
 *
 * @param capacityPerSecond units that a node has per second
 * @param staticHit a static request at a proxy that has it in its cache
 * @param staticOrigin a static request at the app node that it comes from
 * @param forward a proxy's part of a request that it forwards
 * @param dynamic a dynamic request at an app node
 */
public record NodeCosts(
        double capacityPerSecond, double staticHit, double staticOrigin, double forward, double dynamic) {
    /** Refuses a figure that is not above 0 with {@link IllegalArgumentException}. */
    public NodeCosts {
        if (!(capacityPerSecond > 0 && staticHit > 0 && staticOrigin > 0 && forward > 0 && dynamic > 0)) {
            throw new IllegalArgumentException("capacity and costs must be above 0");
        }
    }

    /**
     * Requests per second that {@code split} can answer at saturation, static ones from cache.
     *
     * <p>Both tiers work on the same stream, so the slower one sets the pace: a proxy spends
     * {@code (1 - m) staticHit + m forward} a request, an app {@code m dynamic}, where m is the share of dynamic
     * requests.
     *
     * @param dynamicShare in [0,1]
     */
    public double requestsPerSecond(Split split, double dynamicShare) {
        double proxyUnits = (1 - dynamicShare) * staticHit + dynamicShare * forward;
        double appUnits = dynamicShare * dynamic;
        double proxies = split.proxies() * capacityPerSecond / proxyUnits;
        return appUnits == 0 ? proxies : Math.min(proxies, split.apps() * capacityPerSecond / appUnits);
    }
}
