package dev.retier.agent.move;

/** How a mover's try ended. */
public enum MoverResult {
    /** Nothing was ordered. */
    NOT_ORDERED,
    /** The victim serves its new role. */
    COMPLETED,
    /** The victim serves its old role again. */
    ROLLED_BACK,
    /** The victim is dead: its slot is unknown and its server silent. */
    VICTIM_DEAD,
    /** The lease was lost; the victim goes on by itself. */
    LEASE_LOST,
    /** The victim took longer than all its deadlines; it goes on by itself. */
    TIMED_OUT,
    /** It is not known whether the order arrived, and it has not been seen for as long as a lease. */
    ORDER_UNRESOLVED,
    /** The agent is leaving; the victim goes on by itself. */
    AGENT_LEFT
}
