package dev.retier.agent.move;

import dev.retier.agent.decide.Decision;
import dev.retier.agent.view.ClusterView;
import dev.retier.link.NodeId;
import dev.retier.state.CasOutcome;
import dev.retier.state.RoleWord;
import java.util.Map;

/** What the mover learns. */
public sealed interface MoverEvent {
    /** A look led to this decision, and this node is to make it. */
    record Begin(Decision.Change change) implements MoverEvent {}

    /** All locks that were asked for are ours. */
    record LockAcquired() implements MoverEvent {}

    /** Another node holds one of the locks. */
    record LockHeld(NodeId holder) implements MoverEvent {}

    /** Too few witnesses answer. */
    record LockUnavailable(String reason) implements MoverEvent {}

    /** The role words behind the fence; nodes that it has not reached are missing. */
    record Fenced(Map<NodeId, RoleWord> words) implements MoverEvent {}

    /** The look that was asked for, and what would be decided on it. */
    record LookedAgain(ClusterView view, Decision decision, boolean isLeaseSafe) implements MoverEvent {}

    /** How the orders went, by node. */
    record Answered(Map<NodeId, CasOutcome> outcomes) implements MoverEvent {}

    /** Any later look. */
    record Looked(ClusterView view) implements MoverEvent {}

    /** Whether all leases were renewed. */
    record Renewed(boolean isHeld) implements MoverEvent {}

    /** Time has passed. */
    record Tick() implements MoverEvent {}

    /** The agent is leaving. */
    record Stop() implements MoverEvent {}
}
