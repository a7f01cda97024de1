package dev.retier.traces.made;

import dev.retier.traces.RequestClass;

/** Bursts of static and dynamic requests in turn. */
sealed interface Bursts permits BurstPlan, UnevenBursts {
    /** Trace time of generated traces: a closed loop does not look at it. */
    long NOMINAL_REQUESTS_PER_SECOND = 1000;

    /** Of all bursts. */
    long requests();

    /** Class of burst 0; the others alternate. */
    RequestClass first();

    /** Which burst request {@code index} is of, from 0. */
    int burst(long index);

    /** Class of all requests of that burst. */
    default RequestClass classOf(int burst) {
        boolean asFirst = burst % 2 == 0;
        return switch (first()) {
            case STATIC -> asFirst ? RequestClass.STATIC : RequestClass.DYNAMIC;
            case DYNAMIC -> asFirst ? RequestClass.DYNAMIC : RequestClass.STATIC;
        };
    }

    /** When request {@code index} is sent. */
    default long offsetNanos(long index) {
        return index * (1_000_000_000L / NOMINAL_REQUESTS_PER_SECOND);
    }
}
