package dev.retier.undertow;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The machines that are believed when they say that they have forwarded a request: those of the role file's
 * {@code nodes}, or all if it names none. Any client can write that mark. Immutable.
 */
final class KnownNodes {
    /** All are believed. */
    static final KnownNodes ALL = new KnownNodes(List.of(), Set.of());

    private static final Logger LOG = Logger.getLogger(KnownNodes.class);

    private final List<String> hosts;
    private final Set<InetAddress> addresses;

    private KnownNodes(List<String> hosts, Set<InetAddress> addresses) {
        this.hosts = hosts;
        this.addresses = addresses;
    }

    /** Those of a newer file; names are looked up once, and one that does not resolve is nobody's. */
    KnownNodes successor(List<String> newer) {
        if (newer.equals(hosts)) {
            return this;
        }
        Set<InetAddress> found = new HashSet<>();
        for (String host : newer) {
            try {
                found.addAll(List.of(InetAddress.getAllByName(host)));
            } catch (UnknownHostException unknown) {
                LOG.warnf("%s of the role file's nodes does not resolve: what it forwards counts as a client's", host);
            }
        }
        return new KnownNodes(List.copyOf(newer), Set.copyOf(found));
    }

    /** Whether the other end of a connection is one of them. */
    boolean has(@Nullable SocketAddress peer) {
        if (hosts.isEmpty()) {
            return true;
        }
        return peer instanceof InetSocketAddress from
                && from.getAddress() != null
                && addresses.contains(from.getAddress());
    }
}
