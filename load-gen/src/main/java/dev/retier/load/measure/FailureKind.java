package dev.retier.load.measure;

import dev.retier.load.trace.RequestMethod;

/** Why a request counts as failed. */
public enum FailureKind {
    /** Nothing listens at the target. */
    CONNECT_REFUSED,
    /** The connection could not be made for another reason: no route, unknown host. */
    CONNECT_FAILED,
    /** The connection ended after the request was sent and before the answer began. */
    RESET,
    /** The connection ended in the middle of the answer. */
    TRUNCATED_BODY,
    /** No complete answer within the request time-out. */
    TIMEOUT,
    /** A complete answer with a status of 400 to 499. */
    STATUS_4XX,
    /** A complete answer with a status of 500 to 599. */
    STATUS_5XX,
    /** An answer that is no HTTP/1.x. */
    BAD_RESPONSE,
    /** No TLS with the target: a certificate that is not trusted or names another server, no common version. */
    TLS_FAILED,
    /** The generator made a mistake while it had this request in hand; its log says which. */
    GENERATOR;

    /**
     * Whether the request may be sent again without harm: no answer has begun, and it has not been sent, or sending it
     * twice does no more than sending it once.
     */
    public boolean isRetriable(RequestMethod method) {
        return switch (this) {
            case CONNECT_REFUSED, CONNECT_FAILED -> true;
            case RESET -> method.isIdempotent();
            case TRUNCATED_BODY, TIMEOUT, STATUS_4XX, STATUS_5XX, BAD_RESPONSE, TLS_FAILED, GENERATOR -> false;
        };
    }
}
