package dev.retier.load.http;

import java.nio.charset.StandardCharsets;

/**
 * The part of a response head that frames the message (RFC 9112 sections 4, 6, 9.3).
 *
 * @param status three digits
 * @param contentLength from 0, or {@link #NO_LENGTH}
 * @param coding whether a transfer coding says where the body ends, and how
 * @param keepAlive whether the connection stays open
 */
record ResponseHead(int status, long contentLength, Coding coding, boolean keepAlive) {
    static final long NO_LENGTH = -1;

    /** What {@link #parse} returns for bytes that are no response head. */
    static final ResponseHead NONE = new ResponseHead(0, NO_LENGTH, Coding.NONE, false);

    private static final String CONTENT_LENGTH = "content-length";
    private static final String TRANSFER_ENCODING = "transfer-encoding";
    private static final String CONNECTION_KEEP_ALIVE = "connection: keep-alive\r";
    private static final long BAD_LENGTH = -2;
    private static final int VERSION_LENGTH = "HTTP/1.1".length();
    private static final int STATUS_START = VERSION_LENGTH + 1;
    private static final int STATUS_END = STATUS_START + 3;
    private static final int MAX_LENGTH_DIGITS = 18;
    private static final int NO_CONTENT = 204;
    private static final int NOT_MODIFIED = 304;

    /** Transfer codings, as far as they frame the message (RFC 9112 section 6.3). */
    enum Coding {
        /** None: the length counts. */
        NONE,
        /** Chunked is the last: the chunks say where the body ends. */
        CHUNKED,
        /** Another is the last: the body ends with the connection, whatever length is stated. */
        OTHER
    }

    static ResponseHead parse(byte[] bytes, int length) {
        int lineEnd = lineEnd(bytes, 0, length);
        if (lineEnd < STATUS_END || !startsWith(bytes, 0, "http/1.") || bytes[VERSION_LENGTH] != ' ') {
            return NONE;
        }
        int status = status(bytes);
        if (status < 100) {
            return NONE;
        }
        boolean oldVersion = bytes[VERSION_LENGTH - 1] == '0';
        return withFields(new ResponseHead(status, NO_LENGTH, Coding.NONE, !oldVersion), bytes, lineEnd + 1, length);
    }

    ResponseHead withLength(long newLength) {
        return new ResponseHead(status, newLength, Coding.NONE, keepAlive);
    }

    /** RFC 9110 sections 15.3.5 and 15.4.5. */
    boolean hasNoBody() {
        return status == NO_CONTENT || status == NOT_MODIFIED;
    }

    private static ResponseHead withFields(ResponseHead start, byte[] bytes, int from, int length) {
        long contentLength = NO_LENGTH;
        Coding coding = Coding.NONE;
        boolean keepAlive = start.keepAlive;
        boolean framing = false;
        int at = from;
        while (at < length) {
            int end = lineEnd(bytes, at, length);
            if (!canMatter(bytes[at])) {
                framing = false;
                at = end + 1;
                continue;
            }
            if (isSpace(bytes[at]) ? framing : hasSpaceAfterFramingName(bytes, at)) {
                return NONE;
            }
            framing = startsWith(bytes, at, CONTENT_LENGTH) || startsWith(bytes, at, TRANSFER_ENCODING);
            if (startsWith(bytes, at, CONTENT_LENGTH + ":")) {
                long stated = length(bytes, at + CONTENT_LENGTH.length() + 1, end);
                if (stated == BAD_LENGTH || (contentLength != NO_LENGTH && contentLength != stated)) {
                    return NONE;
                }
                contentLength = stated;
            } else if (startsWith(bytes, at, TRANSFER_ENCODING + ":")) {
                coding = endsWithToken(value(bytes, at, end), "chunked") ? Coding.CHUNKED : Coding.OTHER;
            } else if (startsWith(bytes, at, "connection:")) {
                keepAlive = keepAlive(bytes, at, end, keepAlive);
            }
            at = end + 1;
        }
        return new ResponseHead(start.status, contentLength, coding, keepAlive);
    }

    /** Whether a line that starts with {@code b} can be a field that is looked at, or go on with one. */
    private static boolean canMatter(byte b) {
        int lower = b | 0x20;
        return lower == 'c' || lower == 't' || isSpace(b);
    }

    private static boolean isSpace(byte b) {
        return b == ' ' || b == '\t';
    }

    /** As in {@code Content-Length : 5}, which some take for a length and others do not. */
    private static boolean hasSpaceAfterFramingName(byte[] bytes, int at) {
        return (startsWith(bytes, at, CONTENT_LENGTH) && isSpace(bytes[at + CONTENT_LENGTH.length()]))
                || (startsWith(bytes, at, TRANSFER_ENCODING) && isSpace(bytes[at + TRANSFER_ENCODING.length()]));
    }

    private static int status(byte[] bytes) {
        int status = 0;
        for (int i = STATUS_START; i < STATUS_END; i++) {
            if (bytes[i] < '0' || bytes[i] > '9') {
                return 0;
            }
            status = status * 10 + bytes[i] - '0';
        }
        return status;
    }

    private static int lineEnd(byte[] bytes, int from, int length) {
        int at = from;
        while (at < length && bytes[at] != '\n') {
            at++;
        }
        return at;
    }

    private static boolean startsWith(byte[] bytes, int from, String lowerCase) {
        if (from + lowerCase.length() > bytes.length) {
            return false;
        }
        for (int i = 0; i < lowerCase.length(); i++) {
            int c = bytes[from + i];
            int lower = c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
            if (lower != lowerCase.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private static String value(byte[] bytes, int from, int end) {
        String line = new String(bytes, from, end - from, StandardCharsets.ISO_8859_1);
        return line.substring(line.indexOf(':') + 1).strip();
    }

    private static long length(byte[] bytes, int from, int end) {
        int at = from;
        int last = end;
        while (at < last && isSpace(bytes[at])) {
            at++;
        }
        while (last > at && (isSpace(bytes[last - 1]) || bytes[last - 1] == '\r')) {
            last--;
        }
        if (at == last || last - at > MAX_LENGTH_DIGITS) {
            return BAD_LENGTH;
        }
        long length = 0;
        for (; at < last; at++) {
            if (bytes[at] < '0' || bytes[at] > '9') {
                return BAD_LENGTH;
            }
            length = length * 10 + bytes[at] - '0';
        }
        return length;
    }

    private static boolean endsWithToken(String list, String token) {
        String last = list.substring(list.lastIndexOf(',') + 1).strip();
        return last.equalsIgnoreCase(token);
    }

    /** Most servers say {@code Connection: keep-alive} with every answer: that makes no text. */
    private static boolean keepAlive(byte[] bytes, int at, int end, boolean otherwise) {
        if (end - at == CONNECTION_KEEP_ALIVE.length() && startsWith(bytes, at, CONNECTION_KEEP_ALIVE)) {
            return true;
        }
        boolean result = otherwise;
        for (String token : value(bytes, at, end).split(",", -1)) {
            if (token.strip().equalsIgnoreCase("close")) {
                return false;
            }
            result |= token.strip().equalsIgnoreCase("keep-alive");
        }
        return result;
    }
}
