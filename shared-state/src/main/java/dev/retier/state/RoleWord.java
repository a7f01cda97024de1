package dev.retier.state;

/**
 * The 64 bits in a node's own slot that are the only truth about its role; changed by compare-and-swap alone.
 *
 * <pre>
 *  63            36 35          20 19      12 11       4 3      0
 * +----------------+--------------+----------+----------+--------+
 * |  epoch (28)    |  fence (16)  | from (8) |  to (8)  | phase  |
 * +----------------+--------------+----------+----------+--------+
 *
 *  from, to:  site (6 bits) | tier (2 bits: 0 = proxy, 1 = app); without a site 0 = spare, 1 = drained
 *  phase:     bits 1, 0: 1 = ordered, 2 = active; bit 2: after another; bit 3: before another
 * </pre>
 *
 * <p>The epoch is in the highest bits, so that words of one node order as unsigned numbers by epoch.
 *
 * <p><b>Batches.</b> Orders that are given together have epochs that follow each other by {@link Epochs#after}, and
 * each word says whether there is one before it and one after it. Swaps of several words land one by one, and a look
 * reads words one by one; so whoever looks can tell whether it has seen all of them. The word keeps this when the move
 * ends. Versions of the slot before 3 know no such words.
 *
 * @param epoch the cluster configuration that this word came with, 0 to {@value #MAX_EPOCH}; grows by one with each
 *     ordered move
 * @param fence how often holders of move locks have fenced earlier ones off, see {@link #fenced}, modulo 65,536
 * @param from the role being left while ordered; equal to {@code to} once active
 * @param to the role ordered or served
 * @param phase how far the move to {@code to} has come
 * @param isAfter whether the move was ordered together with one of the epoch before
 * @param isBefore whether the move was ordered together with one of the epoch after
 */
public record RoleWord(long epoch, int fence, Role from, Role to, Phase phase, boolean isAfter, boolean isBefore) {
    /** The highest epoch that the word can carry. */
    public static final long MAX_EPOCH = (1L << 28) - 1;

    /** The highest count of fences that the word can carry. */
    public static final int MAX_FENCE = 0xFFFF;

    private static final int EPOCH_SHIFT = 36;
    private static final int FENCE_SHIFT = 20;
    private static final int FROM_SHIFT = 12;
    private static final int TO_SHIFT = 4;
    private static final int ROLE_MASK = 0xFF;
    private static final int PHASE_MASK = 0b11;
    private static final int AFTER_BIT = 0b100;
    private static final int BEFORE_BIT = 0b1000;
    private static final int DRAINED_BITS = 1;
    private static final int NO_TIER = 2;

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

    /** What 64 bits in the place of a role word turn out to be. */
    public sealed interface Parsed {}

    /** A role word. */
    public record Valid(RoleWord word) implements Parsed {}

    /**
     * None: somebody damaged it, or wrote it by rules that this node does not know.
     *
     * @param bits as they were found; a compare-and-swap that expects them can replace them
     */
    public record Malformed(long bits, String reason) implements Parsed {}

    /**
     * Refuses numbers out of range, and an active word whose two roles differ, with {@link IllegalArgumentException}.
     */
    public RoleWord {
        if (epoch < 0 || epoch > MAX_EPOCH) {
            throw new IllegalArgumentException("epoch " + epoch + " is not in 0.." + MAX_EPOCH);
        }
        if (fence < 0 || fence > MAX_FENCE) {
            throw new IllegalArgumentException("fence " + fence + " is not in 0.." + MAX_FENCE);
        }
        if (phase == Phase.ACTIVE && !from.equals(to)) {
            throw new IllegalArgumentException("an active role word names one role, not " + from + " and " + to);
        }
    }

    /** A word of a move that was ordered alone, or of none. */
    public RoleWord(long epoch, int fence, Role from, Role to, Phase phase) {
        this(epoch, fence, from, to, phase, false, false);
    }

    /** The word of a node that serves {@code role} since {@code epoch}. */
    public static RoleWord active(long epoch, int fence, Role role) {
        return new RoleWord(epoch, fence, role, role, Phase.ACTIVE);
    }

    /**
     * The word that orders this node to leave its present role for {@code next} in configuration {@code nextEpoch}.
     */
    public RoleWord ordered(long nextEpoch, int nextFence, Role next) {
        return new RoleWord(nextEpoch, nextFence, to, next, Phase.ORDERED);
    }

    /** The same order, as one of a batch. */
    public RoleWord inBatch(boolean after, boolean before) {
        return new RoleWord(epoch, fence, from, to, phase, after, before);
    }

    /** The word that ends the move: the node serves what was ordered. */
    public RoleWord completed() {
        return ended(to);
    }

    /** The word that ends the move the other way: the node serves what it served before. */
    public RoleWord rolledBack() {
        return ended(from);
    }

    private RoleWord ended(Role role) {
        return new RoleWord(epoch, fence, role, role, Phase.ACTIVE, isAfter, isBefore);
    }

    /**
     * The same word behind a fence. A new holder of a move lock sets one before it orders, so that a late swap of an
     * earlier holder, which expects the word before the fence, fails. Counted rather than named after the holder's
     * fence: no two fences on a word are the same, whatever terms the locks of several sites have.
     */
    public RoleWord fenced() {
        return withFence((fence + 1) & MAX_FENCE);
    }

    /** Whether {@code other} differs from it by fences alone, which move no node. */
    public boolean isSameButFence(RoleWord other) {
        return equals(other.withFence(fence));
    }

    private RoleWord withFence(int count) {
        return new RoleWord(epoch, count, from, to, phase, isAfter, isBefore);
    }

    /**
     * The word with which a node starts that remembers this one. Fences set since it was written down are forgotten, so
     * the count begins where no earlier incarnation has lately been: the number has 16 bits of the start's. The word of
     * a node on its way is never fenced and stays.
     *
     * @param boot the number of the start; further above that of the start before than there were fences since
     */
    public RoleWord atBoot(long boot) {
        return phase == Phase.ORDERED ? this : withFence((int) boot & MAX_FENCE);
    }

    /** Whether the node serves {@code role} and has proven it. */
    public boolean serves(Role role) {
        return phase == Phase.ACTIVE && to.equals(role);
    }

    /** The 64 bits of the diagram above. */
    public long encode() {
        return epoch << EPOCH_SHIFT
                | (long) fence << FENCE_SHIFT
                | (long) encode(from) << FROM_SHIFT
                | (long) encode(to) << TO_SHIFT
                | (isBefore ? BEFORE_BIT : 0)
                | (isAfter ? AFTER_BIT : 0)
                | phase.code;
    }

    /** What {@code bits}, written by whomever, turn out to be. */
    public static Parsed parse(long bits) {
        int from = (int) (bits >>> FROM_SHIFT) & ROLE_MASK;
        int to = (int) (bits >>> TO_SHIFT) & ROLE_MASK;
        int code = (int) bits & PHASE_MASK;
        if (code != Phase.ORDERED.code && code != Phase.ACTIVE.code) {
            return new Malformed(bits, "phase bits " + code + " name no phase");
        }
        if (((from | to) & NO_TIER) != 0) {
            return new Malformed(bits, "role bits " + ((from & NO_TIER) == 0 ? to : from) + " name no tier");
        }
        Phase phase = code == Phase.ORDERED.code ? Phase.ORDERED : Phase.ACTIVE;
        if (phase == Phase.ACTIVE && from != to) {
            return new Malformed(bits, "an active role word names one role, not " + from + " and " + to);
        }
        int fence = (int) (bits >>> FENCE_SHIFT) & MAX_FENCE;
        return new Valid(new RoleWord(
                bits >>> EPOCH_SHIFT,
                fence,
                decodeRole(from),
                decodeRole(to),
                phase,
                (bits & AFTER_BIT) != 0,
                (bits & BEFORE_BIT) != 0));
    }

    /**
     * The role word in bits that this node itself has written, into its journal for instance.
     *
     * @throws IllegalArgumentException if the bits are no role word
     */
    public static RoleWord decode(long bits) {
        return switch (parse(bits)) {
            case Valid(RoleWord word) -> word;
            case Malformed(long _, String reason) -> throw new IllegalArgumentException(reason);
        };
    }

    private static int encode(Role role) {
        return switch (role) {
            case Role.Spare _ -> 0;
            case Role.Drained _ -> DRAINED_BITS;
            case Role.Serving(SiteId site, Tier tier) -> site.value() << 2 | (tier == Tier.APP ? 1 : 0);
        };
    }

    private static Role decodeRole(int bits) {
        if (bits >>> 2 == 0) {
            return bits == DRAINED_BITS ? Role.DRAINED : Role.SPARE;
        }
        return Role.serving(new SiteId(bits >>> 2), (bits & 1) == 1 ? Tier.APP : Tier.PROXY);
    }
}
