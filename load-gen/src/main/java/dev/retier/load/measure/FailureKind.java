package dev.retier.load.measure;

import dev.retier.traces.RequestMethod;

/** Why a request counts as failed. */
public enum FailureKind {
    /** Nothing listens at the target. */
    CONNECT_REFUSED("nothing listens there: check the address, and that the server runs"),
    /** The connection could not be made for another reason: no route, unknown host. */
    CONNECT_FAILED("check the address, the route to it, and how many files this process may open"),
    /** The connection ended after the request was sent and before the answer began. */
    RESET("the server, or something before it, ends connections: look at its log and its limits"),
    /** The connection ended in the middle of the answer. */
    TRUNCATED_BODY("the server ends connections in the middle of an answer: look at its log"),
    /** No complete answer within the request time-out. */
    TIMEOUT("the server is too slow for this load; --timeout says how long to wait"),
    /** A complete answer with a status of 400 to 499. */
    STATUS_4XX("the server refuses these requests: check their paths, and --host"),
    /** A complete answer with another status that does not count as good. */
    STATUS_OTHER("these statuses are not among those of --good"),
    /** A complete answer with a status of 500 to 599. */
    STATUS_5XX("the server failed: look at its log"),
    /** An answer that is no HTTP/1.x. */
    BAD_RESPONSE("what listens there speaks no HTTP/1.1: check the port, and whether it wants https://"),
    /** No TLS with the target: a certificate, the server's or ours, that is not trusted; no common version. */
    TLS_FAILED("trust its certificate with --cacert FILE, name it with --tls-name, or accept any with --insecure;"
            + " if it asks for a client's, give --cert FILE and --key FILE"),
    /** An answer that does not agree to a WebSocket: not 101, or not the fields that go with the key. */
    NOT_UPGRADED("what is asked for there is no WebSocket: check the path, and what the server wants in -H Origin or"
            + " Sec-WebSocket-Protocol"),
    /** A WebSocket's frame that breaks RFC 6455, or a message that is too long. */
    BAD_FRAME("the server sends no WebSocket frames, or messages beyond 16 MiB: look at its log"),
    /** A stream that was opened well and then ended, by the server or the network, before its time. */
    STREAM_ENDED("streams were ended before their time (--hold): look at the server's limits, and at the time-outs of"
            + " proxies before it"),
    /** The generator made a mistake while it had this request in hand; its log says which. */
    GENERATOR("please report this, with the log");

    private final String remedy;

    FailureKind(String remedy) {
        this.remedy = remedy;
    }

    /** What to do about it, in a few words. */
    public String remedy() {
        return remedy;
    }

    /** Whether a whole answer has come, which was no good one. */
    public boolean isComplete() {
        return this == STATUS_4XX || this == STATUS_5XX || this == STATUS_OTHER;
    }

    /**
     * Whether the request may be sent again without harm: no answer has begun, and it has not been sent, or sending it
     * twice does no more than sending it once.
     */
    public boolean isRetriable(RequestMethod method) {
        return switch (this) {
            case CONNECT_REFUSED, CONNECT_FAILED -> true;
            case RESET -> method.isIdempotent();
            case TRUNCATED_BODY,
                    TIMEOUT,
                    STATUS_4XX,
                    STATUS_5XX,
                    STATUS_OTHER,
                    BAD_RESPONSE,
                    TLS_FAILED,
                    GENERATOR,
                    NOT_UPGRADED,
                    BAD_FRAME,
                    STREAM_ENDED -> false;
        };
    }
}
