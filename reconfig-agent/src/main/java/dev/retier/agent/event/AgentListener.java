package dev.retier.agent.event;

/**
 * Hears what one agent decides, does and sees. Called from that agent's threads, so several agents call at the same
 * time; an implementation is thread-safe, quick, and does not throw.
 */
public interface AgentListener {
    /** Hears nothing. */
    AgentListener NONE = new AgentListener() {};

    /** The decision for a site is no longer the same; figures alone are no change. */
    default void decisionChanged(DecisionEvent event) {}

    /**
     * A move has reached a phase. ORDERED is told by the node that ordered it, all others by the node that moves, so
     * that each phase of a move is heard once in a cluster.
     */
    default void movePhase(MoveEvent event) {}

    /** A node's server is up or down now, as this agent sees it; each agent tells what it sees. */
    default void serverHealthChanged(HealthEvent event) {}

    /** The list of targets of a site that this agent serves to the edge has changed. */
    default void targetsChanged(TargetsEvent event) {}
}
