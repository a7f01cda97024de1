package dev.retier.state.lock;

import dev.retier.link.NodeId;
import java.util.Optional;

/**
 * One witness's replica of a site's move lock; changed by compare-and-swap alone.
 *
 * <pre>
 *  63                            32 31            16 15             0
 * +--------------------------------+----------------+----------------+
 * |  term (32)                     |  holder (16)   |  renewals (16) |
 * +--------------------------------+----------------+----------------+
 * </pre>
 *
 * <p>Zero is the word of a lock that was never held. The term grows with every acquisition and stays when the lock is
 * given up. Renewals wrap; a waiter would have to sleep through 65,536 of them to be deceived.
 *
 * @param term 0 (never held) to {@value #MAX_TERM}
 * @param holderValue the holder's {@link NodeId#value()}, 0 when free
 * @param renewals how often the holder has renewed, modulo 65,536; 0 when free
 */
public record LockWord(long term, int holderValue, int renewals) {
    /** The highest term that the word can carry. */
    public static final long MAX_TERM = 0xFFFF_FFFFL;

    /**
     * The highest term that is given. Terms begin at the seconds of a wall clock, which reach it in 2153; a word above
     * it was forged or damaged. A sixteenth of all terms lies above, so that a clock of before 2026 is found out, too.
     */
    public static final long HIGHEST_TERM = 0xEFFF_FFFFL;

    private static final int TERM_SHIFT = 32;
    private static final int HOLDER_SHIFT = 16;
    private static final int FIELD_MASK = 0xFFFF;

    /** Refuses numbers out of range with {@link IllegalArgumentException}. */
    public LockWord {
        if (term < 0 || term > MAX_TERM) {
            throw new IllegalArgumentException("term " + term + " is not in 0.." + MAX_TERM);
        }
        if ((holderValue & ~FIELD_MASK) != 0 || (renewals & ~FIELD_MASK) != 0) {
            throw new IllegalArgumentException("holder " + holderValue + " or renewals " + renewals + " out of range");
        }
    }

    /** The word of {@code holder}'s fresh acquisition. */
    public static LockWord heldBy(NodeId holder, long term) {
        return new LockWord(term, holder.value(), 0);
    }

    /**
     * The word that a witness starts with. Its memory is new, so what it held before is forgotten: by naming itself
     * as the holder it makes every taker wait a whole lease, in which any holder of its former incarnation has run out;
     * by the number of its start it stays above the terms of that one.
     *
     * @param boot the number of the start; further above that of the start before than there were acquisitions since
     */
    public static LockWord atBoot(NodeId witness, long boot) {
        return heldBy(witness, boot);
    }

    /** The word in {@code bits}; every 64 bits are one. */
    public static LockWord decode(long bits) {
        return new LockWord(bits >>> TERM_SHIFT, (int) (bits >>> HOLDER_SHIFT) & FIELD_MASK, (int) bits & FIELD_MASK);
    }

    /** The 64 bits of the diagram above. */
    public long encode() {
        return term << TERM_SHIFT | (long) holderValue << HOLDER_SHIFT | renewals;
    }

    /** Who holds it. */
    public Optional<NodeId> holder() {
        return isFree() ? Optional.empty() : Optional.of(new NodeId(holderValue));
    }

    /** Whether nobody holds it. */
    public boolean isFree() {
        return holderValue == 0;
    }

    /** Whether it is {@code node}'s acquisition of {@code ofTerm}. */
    public boolean isHeldBy(NodeId node, long ofTerm) {
        return holderValue == node.value() && term == ofTerm;
    }

    /** The word that the holder renews with. */
    public LockWord renewed() {
        return new LockWord(term, holderValue, renewals + 1 & FIELD_MASK);
    }

    /** The word that the holder gives up with. */
    public LockWord released() {
        return new LockWord(term, 0, 0);
    }
}
