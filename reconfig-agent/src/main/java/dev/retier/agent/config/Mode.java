package dev.retier.agent.config;

/** How far an agent may go. */
public enum Mode {
    /** Publishes load and follows role words; decides nothing. */
    OBSERVE,
    /** Decides and says so; changes nothing. */
    RECOMMEND,
    /** Decides and moves nodes. */
    ACT
}
