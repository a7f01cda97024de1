package dev.retier.sim.run;

/**
 * One burst, from its first request to the first of the next one.
 *
 * @param fromSeconds since the clients began
 */
public record BurstSeen(long requests, double dynamicShare, double fromSeconds, double toSeconds) {
    /** How long it took. */
    public double seconds() {
        return toSeconds - fromSeconds;
    }
}
