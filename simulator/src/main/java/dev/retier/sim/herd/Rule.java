package dev.retier.sim.herd;

/** How proxies choose. */
public enum Rule {
    /** The fewest own requests in flight: what ships without figures, and all that shipped before there were any. */
    OWN,
    /** The least loaded by the newest figures, whichever proxy sees them. */
    NAIVE,
    /** What ships, with figures. */
    SHARES,
    /** The fewest requests for its true capacity at this very moment, which nobody can know. */
    IDEAL
}
