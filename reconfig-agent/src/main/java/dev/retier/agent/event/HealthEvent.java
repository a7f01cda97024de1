package dev.retier.agent.event;

import dev.retier.link.NodeId;
import java.time.Instant;

/**
 * A node that can be given work, or no longer.
 *
 * @param agent who sees it
 * @param node whose server it is
 * @param isServing whether it is in upstream lists and targets now
 * @param reason what was seen, for people
 * @param at wall-clock time
 */
public record HealthEvent(NodeId agent, NodeId node, boolean isServing, String reason, Instant at) {}
