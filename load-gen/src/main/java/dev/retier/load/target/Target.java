package dev.retier.load.target;

/**
 * One server to send requests to.
 *
 * @param host name or address; an IPv6 address without brackets
 * @param port 1..65535
 */
public record Target(String host, int port) {
    private static final int MAX_PORT = 65_535;
    private static final int MAX_HOST_LENGTH = 255;

    /** Checks the ranges. */
    public Target {
        if (host.isEmpty() || host.length() > MAX_HOST_LENGTH || !host.chars().allMatch(Target::isHostCharacter)) {
            throw new IllegalArgumentException("target has no usable host; write host:port");
        }
        if (port < 1 || port > MAX_PORT) {
            throw new IllegalArgumentException("target " + host + ": port " + port + " is not within 1.." + MAX_PORT);
        }
    }

    /**
     * Reads {@code host:port} or {@code [ipv6]:port}.
     *
     * @throws IllegalArgumentException that says what is wrong, in one line
     */
    public static Target parse(String text) {
        int colon = text.lastIndexOf(':');
        if (colon < 1) {
            throw new IllegalArgumentException("target '" + text + "' has no port; write host:port");
        }
        return new Target(host(text.substring(0, colon)), port(text, text.substring(colon + 1)));
    }

    /** As {@link #parse} reads it. */
    @Override
    public String toString() {
        return host.indexOf(':') >= 0 ? "[" + host + "]:" + port : host + ":" + port;
    }

    private static String host(String text) {
        return text.startsWith("[") && text.endsWith("]") ? text.substring(1, text.length() - 1) : text;
    }

    private static int port(String whole, String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("target '" + whole + "': '" + text + "' is no port number", e);
        }
    }

    private static boolean isHostCharacter(int c) {
        return c > ' ' && c < 0x7F && c != '/' && c != '[' && c != ']' && c != '@';
    }
}
