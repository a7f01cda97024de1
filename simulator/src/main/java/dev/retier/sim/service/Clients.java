package dev.retier.sim.service;

/**
 * Who asks for a workload.
 *
 * @param count clients in a closed loop, each with one request at a time; 0: an open loop
 * @param speed how much faster than the trace an open loop asks; above 0
 */
public record Clients(int count, double speed) {
    /** Checks the ranges. */
    public Clients {
        if (count < 0 || count > 100_000 || !(speed > 0) || Double.isInfinite(speed)) {
            throw new IllegalArgumentException("clients " + count + " or speed " + speed + " out of range");
        }
    }

    /** Each asks again as soon as it is answered. */
    public static Clients closed(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("a closed loop needs a client");
        }
        return new Clients(count, 1);
    }

    /** Each request at its time in the trace, {@code speed} times faster. */
    public static Clients open(double speed) {
        return new Clients(0, speed);
    }

    boolean isOpen() {
        return count == 0;
    }
}
