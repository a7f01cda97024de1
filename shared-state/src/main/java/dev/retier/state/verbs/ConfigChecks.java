package dev.retier.state.verbs;

import dev.retier.link.NodeId;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/** The checks of a configuration. Stateless. */
final class ConfigChecks {
    private ConfigChecks() {}

    static void peers(Map<NodeId, InetSocketAddress> peers, List<String> problems) {
        if (peers.size() > SharedStateConfig.MAX_NODES) {
            problems.add("peers: " + peers.size() + " nodes are more than the " + SharedStateConfig.MAX_NODES
                    + " of a cell");
        }
        peers.forEach((node, address) -> peer(node, address, problems));
        if (new HashSet<>(peers.values()).size() < peers.size()) {
            problems.add("peers: two nodes have the same address");
        }
    }

    static void times(Duration stalenessBound, Duration readDeadline, List<String> problems) {
        if (!readDeadline.isPositive()) {
            problems.add("read deadline must be positive, not " + readDeadline.toMillis() + " ms");
        }
        if (!stalenessBound.isPositive()) {
            problems.add("staleness bound must be positive, not " + stalenessBound.toMillis() + " ms");
        }
    }

    static void refuse(String what, List<String> problems) {
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(what + ": " + String.join("; ", problems));
        }
    }

    private static void peer(NodeId node, InetSocketAddress address, List<String> problems) {
        if (address.isUnresolved()) {
            problems.add("peers: host " + address.getHostString() + " of " + node + " does not resolve");
        }
        if (address.getPort() == 0) {
            problems.add("peers: " + node + " needs a port");
        }
    }
}
