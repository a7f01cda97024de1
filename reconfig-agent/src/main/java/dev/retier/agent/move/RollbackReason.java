package dev.retier.agent.move;

/** Why a move was rolled back. Each has one sentence for people. */
public enum RollbackReason {
    /** The order could not be journalled. */
    JOURNAL_FAILED("the move could not be put into the journal of the node: free space, or mend the folder"),
    /** A proxy, or an edge, did not prove in time that it sends nothing to the node. */
    UPSTREAM_NOT_PROVEN("a proxy or an edge did not prove in time that it no longer sends to the node"),
    /** There is no file for the new role, such as a proxy without any app node. */
    NOTHING_TO_RENDER("there is nothing to serve in that role: a proxy needs an app node of its site"),
    /** The role file could not be written. */
    WRITE_FAILED("the role file of the node could not be written"),
    /** The server refused the role file. */
    SERVER_REFUSED("the server of the node refused its role file"),
    /** The server did not run the new role in time. */
    SWITCH_TIMED_OUT("the server of the node did not run the new role within move.switch-deadline"),
    /** The request to itself failed. */
    PROOF_FAILED("the node's request to itself, which proves the new role, failed"),
    /** The request to itself was not answered in time. */
    PROOF_TIMED_OUT("the node's request to itself, which proves the new role, was not answered in time"),
    /** The role word could not be set to active in time. */
    WORD_NOT_SET("the role word of the node could not be set in time"),
    /** The agent is leaving before the switch. */
    AGENT_LEAVING("the agent of the node was asked to leave before the switch"),
    /** The agent was started anew and found the move before its switch. */
    FOUND_UNFINISHED("the agent of the node was started anew before the switch");

    private final String sentence;

    RollbackReason(String sentence) {
        this.sentence = sentence;
    }

    /** The reason for people. */
    public String sentence() {
        return sentence;
    }
}
