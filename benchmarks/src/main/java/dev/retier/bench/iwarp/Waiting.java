package dev.retier.bench.iwarp;

/** How both sides wait for each other. */
enum Waiting {
    /** They look again and again: TCP by non-blocking reads, iWARP by polling its completion queue. */
    POLL,
    /** They sleep at once: TCP in a blocking read, iWARP on its completion channel. */
    SLEEP,
    /** iWARP polls for 20 microseconds, then sleeps; TCP, which has no such thing, sleeps at once. */
    ADAPTIVE
}
