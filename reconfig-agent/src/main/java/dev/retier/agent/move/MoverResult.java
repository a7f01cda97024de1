package dev.retier.agent.move;

/** How a mover's try ended. Each has one sentence for people. */
public enum MoverResult {
    /** Nothing was ordered. */
    NOT_ORDERED("nothing was ordered"),
    /** The victim serves its new role. */
    COMPLETED("the node serves its new role"),
    /** The victim serves its old role again. */
    ROLLED_BACK("the node serves its old role again"),
    /** The victim is dead: its slot is unknown and its server silent. */
    VICTIM_DEAD(
            "neither the agent nor the server of the node answers: the move goes on or back when its agent is back"),
    /** The lease was lost; the victim goes on by itself. */
    LEASE_LOST("the lease of the move lock was lost; the node goes on by itself"),
    /** The victim took longer than all its deadlines; it goes on by itself. */
    TIMED_OUT("the node has not told its end within all its deadlines: if its agent is gone, start it, and it ends or"
            + " undoes the move; else see its log"),
    /** It is not known whether the order arrived, and it has not been seen for as long as a lease. */
    ORDER_UNRESOLVED("nobody knows whether the order reached the node; `retier status` shows it once it is seen"),
    /** The agent is leaving; the victim goes on by itself. */
    AGENT_LEFT("the agent that watched over the move is leaving; the node goes on by itself");

    private final String sentence;

    MoverResult(String sentence) {
        this.sentence = sentence;
    }

    /** The end for people. */
    public String sentence() {
        return sentence;
    }
}
