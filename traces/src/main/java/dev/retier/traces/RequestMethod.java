package dev.retier.traces;

/** Request methods of HTTP. */
public enum RequestMethod {
    /** RFC 9110 section 9.3.1. */
    GET,
    /** RFC 9110 section 9.3.2: the answer has no body. */
    HEAD,
    /** RFC 9110 section 9.3.3. */
    POST,
    /** RFC 9110 section 9.3.4. */
    PUT,
    /** RFC 9110 section 9.3.5. */
    DELETE,
    /** RFC 9110 section 9.3.8. */
    TRACE,
    /** RFC 9110 section 9.3.7. */
    OPTIONS,
    /** RFC 9110 section 9.3.6. */
    CONNECT,
    /** RFC 5789. */
    PATCH,
    /** A word that is none of the above. */
    OTHER;

    /** Whether sending a request twice does no more than sending it once (RFC 9110 section 9.2.2). */
    public boolean isIdempotent() {
        return switch (this) {
            case GET, HEAD, PUT, DELETE, TRACE, OPTIONS -> true;
            case POST, PATCH, CONNECT, OTHER -> false;
        };
    }

    /** Whether a request without a body says so by a length of 0 (RFC 9110 section 8.6). */
    public boolean expectsBody() {
        return this == POST || this == PUT || this == PATCH;
    }
}
