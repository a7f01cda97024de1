package dev.retier.agent.config;

import java.net.InetAddress;
import java.util.Optional;

/** Hosts that are written as addresses; no name is ever asked for. Stateless. */
final class Literals {
    private Literals() {}

    /** Whether it stands for all addresses of a machine. */
    static boolean isAny(String host) {
        return address(host).filter(InetAddress::isAnyLocalAddress).isPresent();
    }

    /** Whether on each machine it means that machine. */
    static boolean isLocal(String host) {
        return host.equals("localhost")
                || address(host)
                        .filter(address -> address.isAnyLocalAddress() || address.isLoopbackAddress())
                        .isPresent();
    }

    private static Optional<InetAddress> address(String host) {
        try {
            return Optional.of(InetAddress.ofLiteral(host));
        } catch (IllegalArgumentException e) {
            // It is a name.
            return Optional.empty();
        }
    }
}
