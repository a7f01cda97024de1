package dev.retier.traces;

/** Which requests of a trace are sent again; readers count the others. */
public enum ReplayedMethods {
    /** GET and HEAD: they change nothing at the server. The default. */
    SAFE,
    /** All but CONNECT, which is for proxies alone, and unknown words. For a server that may be changed. */
    ALL;

    /** Whether requests of {@code method} are sent. */
    public boolean include(RequestMethod method) {
        return switch (method) {
            case GET, HEAD -> true;
            case POST, PUT, PATCH, DELETE, TRACE, OPTIONS -> this == ALL;
            case CONNECT, OTHER -> false;
        };
    }
}
