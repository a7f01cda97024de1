package dev.retier.traces;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Set;

/**
 * Turns what a log has for a URL into a request target that cannot harm: origin form, every byte that RFC 3986 does not
 * allow percent-encoded, so that no control byte, space or quote of a log ever reaches the wire.
 */
public final class RequestTargets {
    /** A longer target is refused: servers answer it with 414 at best. */
    public static final int MAX_LENGTH = 8 * 1024;

    private static final String ALLOWED_PUNCTUATION = "-._~!$&'()*+,;=:@/?";
    private static final Set<String> COMPUTED = Set.of("cgi", "pl", "php", "asp", "aspx", "jsp", "do", "py");
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private RequestTargets() {}

    /**
     * A target that {@link TraceEvent} accepts.
     *
     * @param raw the logged URL, one character per byte (ISO 8859-1): path, absolute URL, or garbage
     * @throws IllegalArgumentException when the result would be longer than {@link #MAX_LENGTH}
     */
    public static String safe(String raw) {
        String path = withoutAuthority(raw);
        StringBuilder safe = new StringBuilder(path.length() + 8);
        if (!path.startsWith("/")) {
            safe.append('/');
        }
        for (int i = 0; i < path.length() && safe.length() <= MAX_LENGTH; i++) {
            append(safe, path, i);
        }
        if (safe.length() > MAX_LENGTH) {
            throw new IllegalArgumentException("URL is longer than " + MAX_LENGTH + " bytes");
        }
        return safe.toString();
    }

    /** Whether a URL looks computed: it has a query, lies under /cgi-bin/, or ends like a script. */
    public static boolean looksDynamic(String target) {
        int dot = target.lastIndexOf('.');
        return target.indexOf('?') >= 0
                || target.startsWith("/cgi-bin/")
                || (dot >= 0 && COMPUTED.contains(target.substring(dot + 1).toLowerCase(Locale.ROOT)));
    }

    /** A number that depends on the text alone: FNV-1a over its bytes, not negative. */
    public static long hash(String text) {
        long hash = 0xCBF29CE484222325L;
        for (byte b : text.getBytes(StandardCharsets.ISO_8859_1)) {
            hash = (hash ^ (b & 0xFF)) * 0x100000001B3L;
        }
        return hash & Long.MAX_VALUE;
    }

    private static String withoutAuthority(String raw) {
        int scheme = raw.indexOf("://");
        boolean absolute = scheme > 0 && raw.substring(0, scheme).matches("(?i)https?");
        if (!absolute) {
            return raw;
        }
        int path = raw.indexOf('/', scheme + 3);
        return path < 0 ? "/" : raw.substring(path);
    }

    private static void append(StringBuilder safe, String path, int i) {
        char c = path.charAt(i);
        if (isAllowed(c) || (c == '%' && isEscape(path, i))) {
            safe.append(c);
        } else {
            for (byte b : bytes(c)) {
                safe.append('%').append(HEX.toHexDigits(b));
            }
        }
    }

    private static byte[] bytes(char c) {
        return String.valueOf(c).getBytes(c <= 0xFF ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8);
    }

    private static boolean isAllowed(char c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || ALLOWED_PUNCTUATION.indexOf(c) >= 0;
    }

    private static boolean isEscape(String path, int i) {
        return i + 2 < path.length() && isHex(path.charAt(i + 1)) && isHex(path.charAt(i + 2));
    }

    private static boolean isHex(char c) {
        return c < 0x80 && Character.digit(c, 16) >= 0;
    }
}
