package dev.retier.webnode.config;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A TCP address as written in a file. No name is looked up.
 *
 * @param host a name, an IPv4 address, or an IPv6 address without brackets
 * @param port 0..65535; 0 lets the system choose when listening
 */
public record HostPort(String host, int port) {
    private static final Pattern FORM = Pattern.compile("(?:\\[([0-9A-Fa-f:.%]+)]|([A-Za-z0-9._-]+)):([0-9]{1,5})");
    private static final int MAX_HOST_LENGTH = 253;
    private static final int MAX_PORT = 65_535;

    /**
     * Checks the range of the port.
     *
     * @throws IllegalArgumentException when it lies outside 0..65535
     */
    public HostPort {
        if (port < 0 || port > MAX_PORT) {
            throw new IllegalArgumentException("port " + port + " is not in 0.." + MAX_PORT);
        }
    }

    /** Reads {@code host:port} or {@code [ipv6]:port}; empty when {@code text} has another form. */
    public static Optional<HostPort> parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (text.length() > MAX_HOST_LENGTH || !matcher.matches()) {
            return Optional.empty();
        }
        int port = Integer.parseInt(matcher.group(3));
        String host = matcher.group(1) != null ? matcher.group(1) : matcher.group(2);
        return port <= MAX_PORT ? Optional.of(new HostPort(host, port)) : Optional.empty();
    }

    /** The form that {@link #parse} reads. */
    @Override
    public String toString() {
        return host.indexOf(':') >= 0 ? "[" + host + "]:" + port : host + ":" + port;
    }
}
