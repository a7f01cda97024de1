package dev.retier.agent.event;

import dev.retier.agent.move.MovePhase;
import dev.retier.agent.move.RollbackReason;
import dev.retier.link.NodeId;
import dev.retier.state.Role;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A phase that a move has reached.
 *
 * @param agent who tells it
 * @param node the node that moves
 * @param epoch number of the move
 * @param from the role being left
 * @param to the role being taken
 * @param phase what was reached
 * @param rollback why it was rolled back, for that phase alone
 * @param detail what the server, or the agent at it, said when the move was rolled back, null when nothing
 * @param why reason of the decision, for ORDERED alone
 * @param held requests that the server had when its drain ended, such as event streams; it finishes them
 * @param at wall-clock time
 * @param atNanos monotonic time of this process
 */
public record MoveEvent(
        NodeId agent,
        NodeId node,
        long epoch,
        Role from,
        Role to,
        MovePhase phase,
        @Nullable RollbackReason rollback,
        @Nullable String detail,
        @Nullable String why,
        int held,
        Instant at,
        long atNanos) {}
