package dev.retier.undertow.status;

/** Things a node counts regardless of the class of request. */
public enum Tally {
    /** Answers with status 500 or above, rejections included. */
    ERRORS,
    /** Requests answered 503 because too many were in flight. */
    REJECTED,
    /** Requests that this proxy sent on to an app node; each once, however many tries it took. */
    FORWARDED,
    /** Tries beyond the first of a forwarded request. */
    RETRIES,
    /** Tries that an app node did not answer. */
    UPSTREAM_FAILURES,
    /** Kept connections that were closed after an answer so that their clients spread over the tier. */
    LET_GO,
    /** Role files applied. */
    ROLE_FILES_APPLIED,
    /** Role files refused. */
    ROLE_FILES_REFUSED
}
