package dev.retier.agent.move;

import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import java.util.List;

/** What the journal says about a node that starts. Stateless. */
public final class Recovery {
    private Recovery() {}

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
