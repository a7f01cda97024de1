package dev.retier.agent.move;

/** Why a move was rolled back. */
public enum RollbackReason {
    /** The order could not be journalled. */
    JOURNAL_FAILED,
    /** A proxy, or an edge, did not prove in time that it sends nothing to the node. */
    UPSTREAM_NOT_PROVEN,
    /** There is no file for the new role, such as a proxy without any app node. */
    NOTHING_TO_RENDER,
    /** The role file could not be written. */
    WRITE_FAILED,
    /** The server refused the role file. */
    SERVER_REFUSED,
    /** The server did not run the new role in time. */
    SWITCH_TIMED_OUT,
    /** The request to itself failed. */
    PROOF_FAILED,
    /** The request to itself was not answered in time. */
    PROOF_TIMED_OUT,
    /** The role word could not be set to active in time. */
    WORD_NOT_SET,
    /** The agent is leaving before the switch. */
    AGENT_LEAVING,
    /** The agent was started anew and found the move before its switch. */
    FOUND_UNFINISHED
}
