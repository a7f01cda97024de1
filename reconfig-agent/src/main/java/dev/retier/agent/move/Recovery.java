package dev.retier.agent.move;

import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.lock.LockWord;
import java.util.List;
import java.util.OptionalLong;

/** What the journal says about a node that starts. Stateless. */
public final class Recovery {
    /**
     * How far apart the numbers of two starts are at least: more fences and more takings of a lock than there are in
     * the life of an agent whose clock was set back in it.
     */
    public static final long STRIDE = 4_096;

    /** Half a year of seconds; a term that is ahead by more was forged or damaged, and must not spoil all starts. */
    private static final long FURTHEST = 1 << 24;

    private Recovery() {}

    /**
     * The number of a start: above every earlier one, whatever the wall clock says. Terms of locks and fences of role
     * words count on from it.
     *
     * @param before of the start before, if that is known
     * @param wallSeconds by the wall clock, from any origin that all starts share
     * @return at most {@link LockWord#HIGHEST_TERM}
     */
    public static long bootNumber(OptionalLong before, long wallSeconds) {
        long wall = Math.max(0, wallSeconds);
        long next = before.isPresent() ? Math.max(wall, before.getAsLong() + STRIDE) : wall;
        return Math.min(next, LockWord.HIGHEST_TERM);
    }

    /**
     * Whether terms have come so far that the next start might begin below them, were its number not raised on disk.
     * The witnesses of a lock start at different numbers and the highest of them counts, so terms grow by leaps.
     *
     * @param highestTerm that the node has seen
     * @param outgrown on disk already
     */
    public static boolean isToOutgrow(long highestTerm, long outgrown) {
        return highestTerm > outgrown + STRIDE / 2;
    }

    /**
     * The number to have on disk when terms have come to {@code highestTerm}: that, but not when it is further ahead of
     * the present number than any honest start can be.
     */
    public static long outgrown(long present, long highestTerm) {
        return highestTerm <= present + FURTHEST ? Math.max(present, highestTerm) : present;
    }

    /**
     * The role word with which the node's slot is to start: what the last finished move left, or the order of one that
     * did not finish.
     *
     * @param journal all records, the oldest first
     * @param initialRole what the configuration says, for a node without a journal
     */
    public static RoleWord initialWord(List<MoveRecord> journal, Role initialRole) {
        if (journal.isEmpty()) {
            return RoleWord.active(0, 0, initialRole);
        }
        MoveRecord last = journal.getLast();
        return switch (last.phase()) {
            case ACTIVE -> last.word().completed();
            case ROLLED_BACK -> last.word().rolledBack();
            case ORDERED, UPSTREAM_PROVEN, DRAINED, SWITCHING, SWITCHED, PROVEN -> last.word();
        };
    }

    /**
     * How far the move that {@code word} orders had come.
     *
     * @return the last phase journalled for exactly that order; {@link MovePhase#ORDERED} if there is none
     */
    public static MovePhase reached(List<MoveRecord> journal, RoleWord word) {
        return journal.stream()
                .filter(entry -> entry.word().equals(word))
                .reduce((_, later) -> later)
                .map(MoveRecord::phase)
                .orElse(MovePhase.ORDERED);
    }
}
