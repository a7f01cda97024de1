package dev.retier.fabric.locks;

/** How a wait at a barrier ended. */
public sealed interface BarrierOutcome {
    /**
     * All parties have come.
     *
     * @param round grows with each round of this barrier
     */
    record Passed(long round) implements BarrierOutcome {}

    /** Not all came: one gave up, died or could not be reached. All who wait in the same round learn so. */
    record Broken(String reason) implements BarrierOutcome {}

    /** The home has not answered for a lease: it is not known who has come. */
    record Lost(String reason) implements BarrierOutcome {}
}
