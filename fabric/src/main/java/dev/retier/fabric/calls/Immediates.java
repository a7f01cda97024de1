package dev.retier.fabric.calls;

/**
 * The 32 bits that announce a write: either where in the ring a record lies, or how many messages the peer has taken
 * out of its own ring. Stateless.
 *
 * <pre>
 *  | 0 | offset in the ring, in units of 8 bytes, 31 bits |
 *  | 1 | messages taken so far, modulo 2^31               |
 * </pre>
 */
final class Immediates {
    static final int COUNT_MASK = 0x7FFF_FFFF;

    private Immediates() {}

    static int record(int offset) {
        return offset / MessageRecord.ALIGNMENT;
    }

    static int creditUpdate(long taken) {
        return (int) taken | ~COUNT_MASK;
    }

    static boolean isCreditUpdate(int immediate) {
        return immediate < 0;
    }

    /** Where the record begins; may lie outside of any ring. */
    static long offset(int immediate) {
        return (long) immediate * MessageRecord.ALIGNMENT;
    }
}
