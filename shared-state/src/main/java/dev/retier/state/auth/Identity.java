package dev.retier.state.auth;

import dev.retier.state.NodeId;

/**
 * Who speaks: a node in one of its lives.
 *
 * @param incarnation drawn anew by each start of the node's agent
 */
public record Identity(NodeId node, long incarnation) {}
