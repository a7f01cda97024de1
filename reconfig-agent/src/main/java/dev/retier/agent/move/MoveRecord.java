package dev.retier.agent.move;

import dev.retier.state.RoleWord;
import org.jspecify.annotations.Nullable;

/**
 * One line of the journal: a phase that a move has reached.
 *
 * @param word the order that it carries out
 * @param phase what it has reached
 * @param reason why it was rolled back; null for every other phase
 */
public record MoveRecord(
        RoleWord word, MovePhase phase, @Nullable RollbackReason reason) {}
