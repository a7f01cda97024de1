package dev.retier.agent.access;

/** What a caller of the API may do; each role may all that those before it may. */
public enum CallerRole {
    /** Ask whether the agent lives, and no more. */
    NONE,
    /** Read. */
    VIEWER,
    /** Command, too. */
    OPERATOR;

    /** Whether that is enough where {@code needed} is asked for. */
    public boolean covers(CallerRole needed) {
        return compareTo(needed) >= 0;
    }
}
