package dev.retier.state;

import dev.retier.link.NodeId;

/** How a try for the move lock of a site ended. */
public sealed interface LockOutcome {
    /** The lock is held by this node. */
    record Acquired(MoveLease lease) implements LockOutcome {}

    /** Another node holds it. */
    record Held(NodeId holder, long term) implements LockOutcome {}

    /** Too few witnesses answered. */
    record Unavailable(String reason) implements LockOutcome {}
}
