package dev.retier.agent.status;

/**
 * Makes one clock of how long a server has been busy, out of the processor time it has used and the share of its
 * places that are taken, 1 where its quota is used up: whichever is the scarcer counts. Not thread-safe.
 */
public final class BusyClock {
    private double busySeconds;
    private double cpuSeconds;
    private long atNanos;
    private boolean hasBegun;

    /**
     * Takes in one sample.
     *
     * @param usedSeconds processor time used since any moment; may fall when the server is restarted
     * @param processors how many it may use, above 0
     * @param placesTaken share of its places for requests that are taken, in [0,1]
     * @param nowNanos monotonic time
     * @return seconds busy since the first sample
     */
    public double after(double usedSeconds, double processors, double placesTaken, long nowNanos) {
        if (hasBegun) {
            double elapsed = Math.max(0, (nowNanos - atNanos) / 1e9);
            double byCpu = Math.max(0, usedSeconds - cpuSeconds) / processors;
            busySeconds += Math.max(Math.min(byCpu, elapsed), placesTaken * elapsed);
        }
        hasBegun = true;
        cpuSeconds = usedSeconds;
        atNanos = nowNanos;
        return busySeconds;
    }
}
