package dev.retier.traces;

/** Spreads numbers evenly over [0,1), the same way on every machine. Stateless. */
public final class UnitHash {
    private UnitHash() {}

    /** A number in [0,1) that depends on {@code id} alone (the finaliser of SplitMix64). */
    public static double of(long id) {
        long z = id + 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return ((z ^ (z >>> 31)) >>> 11) * 0x1.0p-53;
    }
}
