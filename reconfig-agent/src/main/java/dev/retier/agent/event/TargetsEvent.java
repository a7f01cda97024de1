package dev.retier.agent.event;

import dev.retier.agent.render.TargetList;
import dev.retier.link.NodeId;
import java.time.Instant;

/**
 * A new list of targets.
 *
 * @param agent who serves it
 * @param targets the list
 * @param at wall-clock time
 */
public record TargetsEvent(NodeId agent, TargetList targets, Instant at) {}
