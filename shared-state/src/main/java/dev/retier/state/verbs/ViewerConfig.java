package dev.retier.state.verbs;

import dev.retier.state.NodeId;
import dev.retier.state.auth.ClusterSecret;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What it takes to see a cell.
 *
 * @param self by which number the viewer is known in the logs of the nodes; need not be a node of the cell
 * @param peers where each node of the cell listens, as seen from here
 * @param secret the viewers' secret, or the cluster's
 * @param transport which provider of the verbs API to use
 * @param stalenessBound a slot whose heartbeat has stood still for longer is unknown
 * @param readDeadline how long one remote operation may take
 */
public record ViewerConfig(
        NodeId self,
        Map<NodeId, InetSocketAddress> peers,
        ClusterSecret secret,
        Transport transport,
        Duration stalenessBound,
        Duration readDeadline) {
    /** Refuses a configuration with problems by {@link IllegalArgumentException}, whose message lists all of them. */
    public ViewerConfig {
        peers = Map.copyOf(peers);
        List<String> problems = new ArrayList<>();
        ConfigChecks.peers(peers, problems);
        ConfigChecks.times(stalenessBound, readDeadline, problems);
        ConfigChecks.refuse("viewer", problems);
    }
}
