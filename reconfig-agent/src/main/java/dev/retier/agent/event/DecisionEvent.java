package dev.retier.agent.event;

import dev.retier.agent.decide.Decision;
import dev.retier.link.NodeId;
import java.time.Instant;

/**
 * A decision that is not the same as the one before.
 *
 * @param agent who decided
 * @param decision stay or move, with its reason
 * @param at wall-clock time
 */
public record DecisionEvent(NodeId agent, Decision decision, Instant at) {}
