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
