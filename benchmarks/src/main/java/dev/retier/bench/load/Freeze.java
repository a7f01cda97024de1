package dev.retier.bench.load;

/**
 * What users must see of a server that stands still once, if they come at a fixed rate and none goes away: those who
 * come in the freeze wait for its end, evenly between none of it and all of it; the others wait for nothing. Pure.
 *
 * @param perSecond how many come
 * @param seconds for how long they come; the freeze lies within
 * @param frozenMillis how long the server stands still
 */
record Freeze(int perSecond, int seconds, double frozenMillis) {
    private static final double MILLIS_PER_SECOND = 1000;

    /** How many requests are due. */
    long due() {
        return (long) perSecond * seconds;
    }

    /** The wait that this share of all, 0 to 1, does not exceed, in milliseconds. */
    double waitMillis(double share) {
        return Math.max(0, frozenMillis - (1 - share) * seconds * MILLIS_PER_SECOND);
    }
}
