package dev.retier.agent.decide;

/** Why a node moves. */
public enum MoveReason {
    /** The receiving tier was above the take threshold for T. */
    PRESSURE("the tier was pressed for T"),
    /** The receiving tier was pressed again and again for less than T, and for longer in all than the donor. */
    RECURRENCE("the tier was pressed again and again, and for longer in all than the one that gives"),
    /** The site delivers less than its guarantee, and the receiving tier is what it lacks. */
    GUARANTEE("the site delivered less than its guarantee while the tier was pressed"),
    /** The receiving tier has fewer working nodes than its minimum: failure is pressure. */
    BELOW_MINIMUM("the tier has lost nodes and is below its minimum"),
    /** Somebody at the control socket of an agent wants it. */
    OPERATOR("an operator ordered it");

    private final String sentence;

    MoveReason(String sentence) {
        this.sentence = sentence;
    }

    /** The reason for people. */
    public String sentence() {
        return sentence;
    }
}
