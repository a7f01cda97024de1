package dev.retier.sim.cluster;

import dev.retier.agent.decide.MoveReason;
import dev.retier.agent.move.RollbackReason;
import dev.retier.link.NodeId;
import dev.retier.state.Role;
import org.jspecify.annotations.Nullable;

/**
 * One move, as it went.
 *
 * @param orderedSeconds when the order stood, since the clients began
 * @param endedSeconds when the node served its new role, or its old one again; negative while it is under way
 * @param reason why it was made; null when the node that ordered it never learnt that the order stood
 * @param undone why the node went back; null when it did not
 */
public record MoveSeen(
        double orderedSeconds,
        double endedSeconds,
        NodeId node,
        Role from,
        Role to,
        @Nullable MoveReason reason,
        @Nullable RollbackReason undone) {
    /** Whether the node serves its new role. */
    public boolean isComplete() {
        return endedSeconds >= 0 && undone == null;
    }

    MoveSeen because(MoveReason why) {
        return new MoveSeen(orderedSeconds, endedSeconds, node, from, to, why, undone);
    }

    /** Whose end came then, and why it went back, if it did. */
    public MoveSeen ended(double seconds, @Nullable RollbackReason why) {
        return new MoveSeen(orderedSeconds, seconds, node, from, to, reason, why);
    }
}
