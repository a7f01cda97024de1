package dev.retier.agent.http;

import java.util.List;

/** Whether a process does what it is there for. Called from any thread. */
public interface Health {
    /** The checks of life, all of them: whether its threads go round. */
    List<Check> liveness();

    /** The checks of readiness, all of them. */
    List<Check> readiness();

    /** What may fail later: told to who asks for all, and no reason not to be ready. */
    List<Check> fitness();

    /**
     * One check.
     *
     * @param name a word
     * @param isGood whether it passes
     * @param detail what was found, for people
     */
    record Check(String name, boolean isGood, String detail) {}
}
