package dev.retier.load.trace;

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
    /** A word that is none of the above. */
    OTHER;

    /** Whether a replay sends it by default: GET and HEAD change nothing at the server and need no body. */
    public boolean isReplayed() {
        return this == GET || this == HEAD;
    }
}
