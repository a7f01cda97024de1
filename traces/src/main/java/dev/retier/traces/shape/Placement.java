package dev.retier.traces.shape;

/** Where the requests of one second go within it: classic logs have stamps of whole seconds. */
public enum Placement {
    /** All at its start, as logged. */
    AS_LOGGED,
    /** At equal distances, in order. */
    EVEN,
    /** At random, evenly likely anywhere (the arrivals of a Poisson process, given their number), in order. */
    UNIFORM
}
