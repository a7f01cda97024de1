package dev.retier.state.verbs;

import dev.retier.state.NodeId;
import dev.retier.state.auth.ClusterSecret;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;

/**
 * What the links of one node have to know.
 *
 * @param self this node
 * @param peers where each node listens, as seen from here
 * @param secret what this node knows; for a node that is connected to, the cluster's
 * @param stallBound an operation that has not ended for so long ends its connection
 */
public record LinkConfig(NodeId self, Map<NodeId, InetSocketAddress> peers, ClusterSecret secret, Duration stallBound) {
    /** Copies the map. */
    public LinkConfig {
        peers = Map.copyOf(peers);
    }
}
