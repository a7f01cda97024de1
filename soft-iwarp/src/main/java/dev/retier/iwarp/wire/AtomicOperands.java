package dev.retier.iwarp.wire;

/**
 * The operands of an atomic operation and what they do to a word (RFC 7306 section 5.1).
 *
 * @param data what to add, or what to swap in
 * @param dataMask fetch-add: a set bit marks the top bit of a field, whose carry is dropped; compare-and-swap: the bits
 *     to swap
 * @param compare what to compare with; 0 for a fetch-add
 * @param compareMask the bits to compare; all ones for a fetch-add, where it is ignored
 */
public record AtomicOperands(long data, long dataMask, long compare, long compareMask) {
    /** A plain 64-bit fetch-add. */
    public static AtomicOperands add(long data) {
        return new AtomicOperands(data, 0, 0, -1);
    }

    /** A plain 64-bit compare-and-swap. */
    public static AtomicOperands compareAndSwap(long compare, long swap) {
        return new AtomicOperands(swap, -1, compare, -1);
    }

    /** What a fetch-add leaves in a word that held {@code old}: fields add apart from each other. */
    public long added(long old) {
        if (dataMask == 0) {
            return old + data;
        }
        // The top bits add without carry; everything below them cannot carry past them.
        long low = (old & ~dataMask) + (data & ~dataMask);
        return low ^ ((old ^ data) & dataMask);
    }

    /** Whether the compared bits of {@code old} are equal. */
    public boolean matches(long old) {
        return ((old ^ compare) & compareMask) == 0;
    }

    /** What a successful compare-and-swap leaves in a word that held {@code old}. */
    public long swapped(long old) {
        return (old & ~dataMask) | (data & dataMask);
    }
}
