package dev.retier.webnode.admin;

import dev.retier.webnode.measure.NodeStatus;
import java.util.Optional;

/** What the admin listener may ask of the node. Thread-safe. */
public interface NodeView {
    /** The node as of now. */
    NodeStatus status();

    /** Why the node should get no requests now; empty when it is ready. */
    Optional<String> notReadyReason();

    /** When a role file was last applied, seconds since 1970 in UTC. */
    double lastAppliedUnixSeconds();
}
