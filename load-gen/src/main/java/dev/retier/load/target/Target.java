package dev.retier.load.target;

import dev.retier.config.HostPort;

/**
 * One server to send requests to.
 *
 * @param host name or address; an IPv6 address without brackets
 * @param port 1..65535
 * @param secure whether it is spoken to over TLS
 */
public record Target(String host, int port, boolean secure) {
    private static final int MAX_PORT = 65_535;
    private static final int MAX_HOST_LENGTH = 255;
    private static final String HTTP = "http://";
    private static final String HTTPS = "https://";
    private static final int HTTP_PORT = 80;
    private static final int HTTPS_PORT = 443;

    /** Checks the ranges. */
    public Target {
        if (host.isEmpty() || host.length() > MAX_HOST_LENGTH || !host.chars().allMatch(Target::isHostCharacter)) {
            throw new IllegalArgumentException("target has no usable host; write host:port");
        }
        if (port < 1 || port > MAX_PORT) {
            throw new IllegalArgumentException("target " + host + ": port " + port + " is not within 1.." + MAX_PORT);
        }
    }

    /** One that speaks HTTP without TLS. */
    public Target(String host, int port) {
        this(host, port, false);
    }

    /**
     * Reads {@code host:port} or {@code [ipv6]:port}, with {@code https://} before it for TLS. After {@code http://} or
     * {@code https://} the port may be missing: 80 or 443.
     *
     * @throws IllegalArgumentException that says what is wrong, in one line
     */
    public static Target parse(String text) {
        boolean secure = text.startsWith(HTTPS);
        boolean scheme = secure || text.startsWith(HTTP);
        String authority = secure ? text.substring(HTTPS.length()) : scheme ? text.substring(HTTP.length()) : text;
        boolean hasPort = authority.lastIndexOf(':') > authority.lastIndexOf(']');
        String whole = scheme && !hasPort ? authority + ":" + (secure ? HTTPS_PORT : HTTP_PORT) : authority;
        HostPort address = HostPort.parse(whole)
                .orElseThrow(
                        () -> new IllegalArgumentException("target '" + text + "' is no address; write host:port"));
        return new Target(address.host(), address.port(), secure);
    }

    /** Host and port, as they stand in a Host field. */
    public String authority() {
        return host.indexOf(':') >= 0 ? "[" + host + "]:" + port : host + ":" + port;
    }

    /** As {@link #parse} reads it. */
    @Override
    public String toString() {
        return secure ? HTTPS + authority() : authority();
    }

    private static boolean isHostCharacter(int c) {
        return c > ' ' && c < 0x7F && c != '/' && c != '[' && c != ']' && c != '@';
    }
}
