package dev.retier.agent.decide;

import dev.retier.link.NodeId;
import dev.retier.state.Role;

/**
 * A move that was seen to its end.
 *
 * @param node the one that moved
 * @param from the role that it had
 * @param to the role that it has since
 * @param epoch of the move
 */
public record CompletedMove(NodeId node, Role from, Role to, long epoch) {}
