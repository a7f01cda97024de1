package dev.retier.sim.service;

/**
 * Who asks for a workload.
 *
 * @param count clients in a closed loop, each with one request at a time; 0: an open loop
 * @param speed how much faster than the trace an open loop asks; above 0
 * @param isStaying whether clients stay with the proxy that they have while it is there and keeps their connection;
 *     else they spread evenly whenever the proxies change
 */
public record Clients(int count, double speed, boolean isStaying) {
    /** Checks the ranges. */
    public Clients {
        if (count < 0 || count > 100_000 || !(speed > 0) || Double.isInfinite(speed)) {
            throw new IllegalArgumentException("clients " + count + " or speed " + speed + " out of range");
        }
    }

    /** Each asks again as soon as it is answered; they spread. */
    public static Clients closed(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("a closed loop needs a client");
        }
        return new Clients(count, 1, false);
    }

    /** Each asks again as soon as it is answered; they stay. */
    public static Clients staying(int count) {
        return new Clients(closed(count).count, 1, true);
    }

    /** Each request at its time in the trace, {@code speed} times faster. */
    public static Clients open(double speed) {
        return new Clients(0, speed, false);
    }

    boolean isOpen() {
        return count == 0;
    }
}
