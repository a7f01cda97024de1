package dev.retier.state.auth;

/**
 * Where the accepting node's memory is for this one connection. The keys are good on this connection only and die
 * with it. A viewer gets zero for all but the first two.
 *
 * @param slotAddress of the slot, readable
 * @param readKey STag for reading it
 * @param atomicKey STag for atomics on role word and lock words, at the same addresses
 * @param announceAddress of the word in which this peer announces epochs
 * @param announceKey STag for writing it
 * @param bellKey STag for reading the word behind it, which counts the bells that were answered
 */
public record Grant(long slotAddress, int readKey, int atomicKey, long announceAddress, int announceKey, int bellKey) {

    /** What a viewer gets. */
    public static Grant forViewer(long slotAddress, int readKey) {
        return new Grant(slotAddress, readKey, 0, 0, 0, 0);
    }
}
