package dev.retier.webnode.config;

import dev.retier.config.Fields;

/**
 * What each kind of work takes from the node's emulated capacity, in capacity units, each 0 or more.
 *
 * @param staticHit a proxy answers from memory
 * @param staticOrigin an app serves a static file
 * @param forward a proxy's part of a request that it sends on to an app
 * @param dynamic an app computes an answer
 * @param dynamicMax most units that a request may ask for with {@code ?units=}
 */
public record Costs(double staticHit, double staticOrigin, double forward, double dynamic, double dynamicMax) {
    /** Of a node with 1000 units per second: 3 ms a hit, 6 ms an origin file, 1 ms a forward, 10 ms a computation. */
    public static final Costs DEFAULTS = new Costs(3, 6, 1, 10, 1_000);

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException when a cost is negative or not finite
     */
    public Costs {
        for (double cost : new double[] {staticHit, staticOrigin, forward, dynamic, dynamicMax}) {
            if (!(cost >= 0) || Double.isInfinite(cost)) {
                throw new IllegalArgumentException("a cost must be a finite number of units, 0 or more: " + cost);
            }
        }
    }

    static Costs parse(Fields fields) {
        double most = 1e6;
        Costs costs = new Costs(
                fields.number("static-hit", DEFAULTS.staticHit, 0, most),
                fields.number("static-origin", DEFAULTS.staticOrigin, 0, most),
                fields.number("forward", DEFAULTS.forward, 0, most),
                fields.number("dynamic", DEFAULTS.dynamic, 0, most),
                fields.number("dynamic-max", DEFAULTS.dynamicMax, 0, most));
        fields.finish();
        return costs;
    }
}
