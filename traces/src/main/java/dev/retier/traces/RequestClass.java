package dev.retier.traces;

/** What a request costs the data-center: a stored answer, or a computed one. */
public enum RequestClass {
    /** The same bytes each time: a proxy may answer it from its cache. */
    STATIC,
    /** Computed for each request by an app node. */
    DYNAMIC
}
