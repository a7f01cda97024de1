package dev.retier.agent.server;

import java.io.IOException;

/** The body of an answer is longer than an agent reads. */
final class LongAnswerException extends IOException {
    private static final long serialVersionUID = 1L;

    private final transient HttpFetch.Answer begun;

    /**
     * Of one answer.
     *
     * @param begun the answer without its body
     */
    LongAnswerException(HttpFetch.Answer begun, int mostBytes) {
        super("the body of the answer is longer than " + mostBytes + " bytes");
        this.begun = begun;
    }

    /** The answer without its body. */
    HttpFetch.Answer begun() {
        return begun;
    }
}
