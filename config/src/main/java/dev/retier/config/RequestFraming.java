package dev.retier.config;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Where an HTTP/1 request ends (RFC 9112 section 6): what two recipients may understand in two ways is refused, so that
 * no part of one request is taken for another one. Such a request is the last of its connection. Stateless.
 */
public final class RequestFraming {
    private static final int BAD_REQUEST = 400;
    private static final int NOT_IMPLEMENTED = 501;
    private static final String CHUNKED = "chunked";
    /** A long holds every number of so many digits. */
    private static final int MAX_DIGITS = 18;

    private RequestFraming() {}

    /**
     * Why a request is refused.
     *
     * @param status of the answer, after which the connection is to be closed
     * @param reason for people, without what the client wrote
     */
    public record Refusal(int status, String reason) {}

    /**
     * What is wrong with a request; empty if nothing is.
     *
     * @param isOld whether it is of HTTP/1.0 or before, which knows no transfer codings
     * @param codings its Transfer-Encoding fields
     * @param lengths its Content-Length fields
     */
    public static Optional<Refusal> refusal(boolean isOld, List<String> codings, List<String> lengths) {
        if (!codings.isEmpty()) {
            return coded(isOld, codings, lengths);
        }
        if (lengths.isEmpty()) {
            return Optional.empty();
        }
        return lengths.size() == 1 && isLength(lengths.getFirst().strip())
                ? Optional.empty()
                : refused(BAD_REQUEST, "Content-Length is no number of bytes, of " + MAX_DIGITS + " digits at most");
    }

    private static Optional<Refusal> coded(boolean isOld, List<String> codings, List<String> lengths) {
        if (isOld) {
            return refused(BAD_REQUEST, "HTTP/1.0 has no Transfer-Encoding");
        }
        if (!lengths.isEmpty()) {
            return refused(BAD_REQUEST, "Transfer-Encoding and Content-Length exclude each other");
        }
        String all = String.join(",", codings).strip().toLowerCase(Locale.ROOT);
        return all.equals(CHUNKED)
                ? Optional.empty()
                : refused(NOT_IMPLEMENTED, "the only Transfer-Encoding here is chunked");
    }

    private static boolean isLength(String text) {
        return !text.isEmpty() && text.length() <= MAX_DIGITS && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    private static Optional<Refusal> refused(int status, String reason) {
        return Optional.of(new Refusal(status, reason));
    }
}
