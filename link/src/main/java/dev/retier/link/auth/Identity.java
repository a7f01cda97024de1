package dev.retier.link.auth;

import dev.retier.link.NodeId;

/**
 * Who speaks: a node in one of its lives.
 *
 * @param incarnation drawn anew by each start of the node's agent
 */
public record Identity(NodeId node, long incarnation) {}
