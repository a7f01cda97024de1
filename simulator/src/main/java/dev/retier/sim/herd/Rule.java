package dev.retier.sim.herd;

/** How proxies choose. */
public enum Rule {
    /** The fewest own requests in flight: what ships without figures, and all that shipped before there were any. */
    OWN,
    /** The fewest for the capacity that is told: HAProxy's {@code leastconn} with weights. */
    WEIGHTED,
    /** Of two by chance, by the told capacity, the one with fewer for it: HAProxy's {@code random(2)} with weights. */
    TWO,
    /** The fewest, and of equals by turns: httpd's {@code bybusyness}. */
    TURNS,
    /** The same by turns that go by the told capacity: with load factors. */
    WEIGHTED_TURNS,
    /** The least loaded by the newest figures, whichever proxy sees them. */
    NAIVE,
    /** What ships, with figures. */
    SHARES,
    /** The fewest requests for its true capacity at this very moment, which nobody can know. */
    IDEAL
}
