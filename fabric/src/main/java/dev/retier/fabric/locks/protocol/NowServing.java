package dev.retier.fabric.locks.protocol;

/**
 * The turn word of a ticket lock: whose turn it is, and a beat by which its holder shows that it lives.
 *
 * <pre>
 *   63                              16 15            0
 *  +----------------------------------+---------------+
 *  | ticket                           | beat          |
 *  +----------------------------------+---------------+
 * </pre>
 *
 * @param ticket 0 to {@link #MAX_TICKET}
 * @param beat 0 before the ticket's owner has claimed its turn
 */
public record NowServing(long ticket, int beat) {
    /** The highest ticket. */
    public static final long MAX_TICKET = (1L << 48) - 1;

    private static final int BEAT_BITS = 16;

    /** No lock is won 64,000 times in a second for long, so the tickets of a life never reach those of the next. */
    private static final int TICKETS_PER_MILLI_BITS = 6;

    private static final int BEAT_MASK = (1 << BEAT_BITS) - 1;

    /** What {@link #encode} wrote. */
    public static NowServing decode(long word) {
        return new NowServing(word >>> BEAT_BITS, (int) word & BEAT_MASK);
    }

    /** The word. */
    public long encode() {
        return ticket << BEAT_BITS | beat;
    }

    /** The owner of the turn lives; never beat 0 again. */
    NowServing beaten() {
        return new NowServing(ticket, beat == BEAT_MASK ? 1 : beat + 1);
    }

    /** The next ticket's turn. */
    NowServing passed() {
        return new NowServing(ticket + 1, 0);
    }

    /**
     * The turn with which the words of a home that has just started begin: held by nobody, so that everybody waits a
     * lease, in which every holder of an earlier life stops; the next ticket is one higher. Grows from start to start.
     *
     * @param bootMillis the start in milliseconds of the home's wall clock since a fixed day, 42 bits
     */
    public static NowServing atBoot(long bootMillis) {
        return new NowServing((bootMillis << TICKETS_PER_MILLI_BITS) & MAX_TICKET, 1);
    }
}
