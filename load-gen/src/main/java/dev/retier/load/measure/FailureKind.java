package dev.retier.load.measure;

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
    BAD_RESPONSE
}
