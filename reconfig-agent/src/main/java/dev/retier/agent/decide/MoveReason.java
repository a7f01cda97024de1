package dev.retier.agent.decide;

/** Why a node moves. */
public enum MoveReason {
    /** More requests are answered while the present load lasts. */
    PRESSURE("the tier was pressed, and more is answered while this load lasts"),
    /** More requests are answered in the long run, by all spells that are remembered. */
    RECURRENCE("the tier was pressed again and again, and more is answered in the long run"),
    /** A promise is kept better. */
    GUARANTEE("a promise is kept better"),
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
