package dev.retier.cli.cert;

import java.net.InetAddress;
import java.util.List;

/**
 * Whom a certificate is for.
 *
 * @param name as people and lists of names call it, 1 to 64 characters (RFC 5280, appendix A.1)
 * @param dnsNames by which it is reached; empty for one that is not
 * @param addresses by which it is reached
 * @param isServer whether it may serve by it
 * @param isClient whether it may ask by it
 */
public record Subject(
        String name, List<String> dnsNames, List<InetAddress> addresses, boolean isServer, boolean isClient) {
    private static final int MAX_LENGTH = 64;

    /** Keeps its own copies. */
    public Subject {
        if (name.isEmpty() || name.length() > MAX_LENGTH) {
            throw new IllegalArgumentException("a name has 1 to " + MAX_LENGTH + " characters, not " + name.length());
        }
        dnsNames = List.copyOf(dnsNames);
        addresses = List.copyOf(addresses);
    }

    /** A node, or what else asks and is asked. */
    public static Subject member(String name, List<String> dnsNames, List<InetAddress> addresses) {
        return new Subject(name, dnsNames, addresses, true, true);
    }

    /** A person, or what else only asks. */
    public static Subject client(String name) {
        return new Subject(name, List.of(), List.of(), false, true);
    }
}
