package dev.retier.state.verbs.sync;

import dev.retier.state.NodeId;

/**
 * One wait or hold of one thread.
 *
 * @param id drawn at random, so that no two lives of a node use the same
 */
record Party(NodeId node, long id) {}
