package dev.retier.fabric;

import dev.retier.link.LinkTls;
import dev.retier.link.NodeId;
import dev.retier.link.SecretSource;
import dev.retier.link.Transport;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everything that {@link Fabric} has to know.
 *
 * @param self this node
 * @param listen the address on which this node takes connections
 * @param peers where each node of the fabric listens, as seen from here; this node included
 * @param secrets where the cluster secret is
 * @param transport which provider of the verbs API to use
 * @param limits how much of everything; the same on every node
 * @param formerHandshake whether nodes of the version before are connected to and let in
 * @param tls under all connections; none to have none, on a trusted network only
 */
public record FabricConfig(
        NodeId self,
        InetSocketAddress listen,
        Map<NodeId, InetSocketAddress> peers,
        SecretSource secrets,
        Transport transport,
        FabricLimits limits,
        boolean formerHandshake,
        Optional<LinkTls> tls) {
    /** The most nodes of one fabric. */
    public static final int MAX_NODES = 256;

    /** Refuses a configuration with problems by {@link IllegalArgumentException}, whose message lists all of them. */
    public FabricConfig {
        peers = Map.copyOf(peers);
        List<String> problems = new ArrayList<>();
        if (!peers.containsKey(self)) {
            problems.add("peers must include this node, " + self);
        }
        if (peers.size() > MAX_NODES) {
            problems.add("peers: " + peers.size() + " nodes are more than " + MAX_NODES);
        }
        peers.forEach((node, address) -> {
            if (address.isUnresolved() || address.getPort() == 0) {
                problems.add("peers: " + node + " needs a host that resolves, and a port");
            }
        });
        if (listen.isUnresolved()) {
            problems.add("listen: host " + listen.getHostString() + " does not resolve");
        }
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException("fabric: " + String.join("; ", problems));
        }
    }
}
