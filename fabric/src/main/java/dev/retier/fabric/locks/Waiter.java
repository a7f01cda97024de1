package dev.retier.fabric.locks;

import dev.retier.link.NodeId;

/**
 * One wait or hold of one thread.
 *
 * @param id drawn at random, so that no two lives of a node use the same
 */
record Waiter(NodeId node, long id) {}
