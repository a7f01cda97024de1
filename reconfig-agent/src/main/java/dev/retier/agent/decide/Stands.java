package dev.retier.agent.decide;

/** For how long a change is taken to stand, by which it is valued; see reconfig-agent/README.md, "Deciding". */
public enum Stands {
    /** Until the load changes; then it is taken back. */
    THIS_SPELL("until the load changes"),
    /** As long as it is of use, as no other load that is remembered is worse off by it. */
    WHILE_OF_USE("for ever, as no other load that is remembered is worse off"),
    /** Through all loads that are remembered. */
    FOR_GOOD("for good, through all loads that are remembered");

    private final String text;

    Stands(String text) {
        this.text = text;
    }

    /** For people. */
    public String text() {
        return text;
    }
}
