package dev.retier.state;

/**
 * The 64 bits in a node's own slot that are the only truth about its role; changed by compare-and-swap alone.
 *
 * <pre>
 *  63            36 35          20 19      12 11       4 3      0
 * +----------------+--------------+----------+----------+--------+
 * |  epoch (28)    |  term (16)   | from (8) |  to (8)  | phase  |
 * +----------------+--------------+----------+----------+--------+
 *
 *  from, to:  site (6 bits, 0 = spare) | tier (2 bits: 0 = proxy, 1 = app)
 *  phase:     1 = ordered, 2 = active
 * </pre>
 *
 * <p>The epoch is in the highest bits, so that words of one node order as unsigned numbers by epoch.
 *
 * @param epoch the cluster configuration that this word came with, 0 to {@value #MAX_EPOCH}; grows by one with each
 *     ordered move
 * @param term which holder of which move lock wrote it, see {@link #stamped}, so that a late holder is fenced off
 * @param from the role being left while ordered; equal to {@code to} once active
 * @param to the role ordered or served
 * @param phase how far the move to {@code to} has come
 */
public record RoleWord(long epoch, int term, Role from, Role to, Phase phase) {
    /** The highest epoch that the word can carry. */
    public static final long MAX_EPOCH = (1L << 28) - 1;

    /** The highest term that the word can carry. */
    public static final int MAX_TERM = 0xFFFF;

    private static final int EPOCH_SHIFT = 36;
    private static final int TERM_SHIFT = 20;
    private static final int FROM_SHIFT = 12;
    private static final int TO_SHIFT = 4;
    private static final int PHASE_MASK = 0xF;
    /** A site takes as many bits of a stamp as of a role. */
    private static final int SITE_BITS = 6;

    /** How far the move to the role has come. */
    public enum Phase {
        /** The node has been told to leave {@code from} for {@code to}; upstream nodes leave it out. */
        ORDERED(1),
        /** The node has proven that it serves {@code to}; upstream nodes take it in. */
        ACTIVE(2);

        private final int code;

        Phase(int code) {
            this.code = code;
        }
    }

    /**
     * Refuses numbers out of range, and an active word whose two roles differ, with {@link IllegalArgumentException}.
     */
    public RoleWord {
        if (epoch < 0 || epoch > MAX_EPOCH) {
            throw new IllegalArgumentException("epoch " + epoch + " is not in 0.." + MAX_EPOCH);
        }
        if (term < 0 || term > MAX_TERM) {
            throw new IllegalArgumentException("term " + term + " is not in 0.." + MAX_TERM);
        }
        if (phase == Phase.ACTIVE && !from.equals(to)) {
            throw new IllegalArgumentException("an active role word names one role, not " + from + " and " + to);
        }
    }

    /** The word of a node that serves {@code role} since {@code epoch}. */
    public static RoleWord active(long epoch, int term, Role role) {
        return new RoleWord(epoch, term, role, role, Phase.ACTIVE);
    }

    /**
     * The word that orders this node to leave its present role for {@code next} in configuration {@code nextEpoch}.
     */
    public RoleWord ordered(long nextEpoch, int nextTerm, Role next) {
        return new RoleWord(nextEpoch, nextTerm, to, next, Phase.ORDERED);
    }

    /** The word that ends the move: the node serves what was ordered. */
    public RoleWord completed() {
        return active(epoch, term, to);
    }

    /** The word that ends the move the other way: the node serves what it served before. */
    public RoleWord rolledBack() {
        return active(epoch, term, from);
    }

    /**
     * The same word under another term. A new holder of a move lock stamps its term into the words of its site, so
     * that a late swap of an earlier holder, which expects the older term, fails. Holders of two sites' locks may both
     * want a spare node, and terms of different locks are not related, hence the site is part of the stamp.
     *
     * @param lockTerm the full term; its low 10 bits go into the upper part of the 16
     * @param site whose lock it is; goes into the lower 6 bits
     */
    public RoleWord stamped(SiteId site, long lockTerm) {
        int stamp = ((int) (lockTerm << SITE_BITS) & MAX_TERM) | site.value();
        return new RoleWord(epoch, stamp, from, to, phase);
    }

    /** Whether the node serves {@code role} and has proven it. */
    public boolean serves(Role role) {
        return phase == Phase.ACTIVE && to.equals(role);
    }

    /** The 64 bits of the diagram above. */
    public long encode() {
        return epoch << EPOCH_SHIFT
                | (long) term << TERM_SHIFT
                | (long) encode(from) << FROM_SHIFT
                | (long) encode(to) << TO_SHIFT
                | phase.code;
    }

    /**
     * The role word in {@code bits}.
     *
     * @throws IllegalArgumentException if the bits are no role word: an unknown phase or tier, or two roles while
     * active
     */
    public static RoleWord decode(long bits) {
        return new RoleWord(
                bits >>> EPOCH_SHIFT,
                (int) (bits >>> TERM_SHIFT) & MAX_TERM,
                decodeRole((int) (bits >>> FROM_SHIFT) & 0xFF),
                decodeRole((int) (bits >>> TO_SHIFT) & 0xFF),
                decodePhase((int) bits & PHASE_MASK));
    }

    private static int encode(Role role) {
        return switch (role) {
            case Role.Spare _ -> 0;
            case Role.Serving(SiteId site, Tier tier) -> site.value() << 2 | (tier == Tier.APP ? 1 : 0);
        };
    }

    private static Role decodeRole(int bits) {
        if (bits == 0) {
            return Role.SPARE;
        }
        return switch (bits & 3) {
            case 0 -> Role.serving(new SiteId(bits >>> 2), Tier.PROXY);
            case 1 -> Role.serving(new SiteId(bits >>> 2), Tier.APP);
            default -> throw new IllegalArgumentException("role bits " + bits + " name no tier");
        };
    }

    private static Phase decodePhase(int code) {
        for (Phase phase : Phase.values()) {
            if (phase.code == code) {
                return phase;
            }
        }
        throw new IllegalArgumentException("phase bits " + code + " name no phase");
    }
}
