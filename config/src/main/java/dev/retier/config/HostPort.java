package dev.retier.config;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Where something listens.
 *
 * @param host a name or an address; an IPv6 address without its brackets
 * @param port 0 to 65535; 0 lets the system choose and is for listeners only
 */
public record HostPort(String host, int port) {
    /**
     * Names and addresses of machines, without brackets. They go into header fields, command lines and generated files,
     * where any other character may begin something else.
     */
    public static final Pattern HOST = Pattern.compile(
            "[\\p{L}\\p{N}_][\\p{L}\\p{N}._~-]{0,252}|(?=[^:]*:[^:]*:)[0-9A-Fa-f:.]{2,45}(%[A-Za-z0-9._-]{1,32})?");

    private static final int MAX_PORT = 65_535;

    /** Refuses an empty host or a port out of range with {@link IllegalArgumentException}. */
    public HostPort {
        if (host.isEmpty() || port < 0 || port > MAX_PORT) {
            throw new IllegalArgumentException("\"" + host + "\" port " + port + " is no address");
        }
    }

    /** The address in {@code host:port} (or {@code [v6]:port}), or empty if the text is none. */
    public static Optional<HostPort> parse(String text) {
        int colon = text.lastIndexOf(':');
        if (colon <= 0 || !text.substring(colon + 1).matches("\\d{1,5}")) {
            return Optional.empty();
        }
        String host = text.substring(0, colon);
        int port = Integer.parseInt(text.substring(colon + 1));
        boolean isBracketed = host.startsWith("[") && host.endsWith("]");
        String bare = isBracketed ? host.substring(1, host.length() - 1) : host;
        return HOST.matcher(bare).matches() && (isBracketed || !bare.contains(":")) && port <= MAX_PORT
                ? Optional.of(new HostPort(bare, port))
                : Optional.empty();
    }

    /** The form that {@link #parse} reads. */
    @Override
    public String toString() {
        return host.contains(":") ? "[" + host + "]:" + port : host + ":" + port;
    }
}
