package dev.retier.state.lock;

import dev.retier.link.NodeId;

/** How a try to take a move lock ended. */
public sealed interface Attempt {
    /** This node holds it. */
    record Taken(Tenure tenure) implements Attempt {}

    /** Another holds it, or has held it until less than a lease ago. */
    record Occupied(NodeId holder, long term) implements Attempt {}

    /** Too few witnesses answered, or what they hold is not to be believed. */
    record Unavailable(String reason) implements Attempt {}
}
