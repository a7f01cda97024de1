package dev.retier.state.verbs;

import dev.retier.link.NodeId;
import java.util.Optional;

/** The connections to the nodes of the cell. Safe for any thread. */
@FunctionalInterface
interface Sessions {
    /** The connection to that node's slot; empty while there is none, or if it is no node of the cell. */
    Optional<Session> to(NodeId node);
}
