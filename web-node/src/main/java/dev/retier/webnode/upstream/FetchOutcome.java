package dev.retier.webnode.upstream;

import dev.retier.webnode.core.Answer;

/** How a forwarded request ended. */
public sealed interface FetchOutcome {
    /**
     * An app answered.
     *
     * @param answer what it said
     * @param node which one
     */
    record Answered(Answer answer, String node) implements FetchOutcome {}

    /**
     * No app answered.
     *
     * @param reason one line for people
     */
    record Unanswered(String reason) implements FetchOutcome {}
}
