package dev.retier.state.verbs;

import dev.retier.link.NodeId;
import dev.retier.link.Transport;
import dev.retier.link.auth.ClusterSecret;
import dev.retier.state.RoleWord;
import dev.retier.state.SiteId;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Everything that {@link VerbsSharedState} has to know.
 *
 * @param self the node whose slot is local
 * @param listen the address on which this node takes connections
 * @param peers where each node of the cell listens, as seen from here; this node included
 * @param witnesses the 1, 3 or 5 nodes whose slots hold the move lock's replicas; the same on every node
 * @param secret the cluster secret
 * @param transport which provider of the verbs API to use
 * @param stalenessBound a slot whose heartbeat has stood still for longer is unknown
 * @param lease how long a move lock lasts without renewal; at least six read deadlines
 * @param readDeadline how long one remote operation may take
 * @param initialRole this node's role word at start: from its journal, or a fresh one
 * @param sites the sites whose move locks may be asked for
 * @param formerHandshake whether peers that speak only version 2 of the handshake are connected to and let in
 */
public record SharedStateConfig(
        NodeId self,
        InetSocketAddress listen,
        Map<NodeId, InetSocketAddress> peers,
        List<NodeId> witnesses,
        ClusterSecret secret,
        Transport transport,
        Duration stalenessBound,
        Duration lease,
        Duration readDeadline,
        RoleWord initialRole,
        Set<SiteId> sites,
        boolean formerHandshake) {
    /** The most nodes in one cell. */
    public static final int MAX_NODES = 256;

    private static final int DEADLINES_PER_LEASE = 6;

    /** Refuses a configuration with problems by {@link IllegalArgumentException}, whose message lists all of them. */
    public SharedStateConfig {
        peers = Map.copyOf(peers);
        witnesses = List.copyOf(witnesses);
        sites = Set.copyOf(sites);
        List<String> problems = new ArrayList<>();
        checkNodes(self, listen, peers, problems);
        checkWitnesses(witnesses, peers, problems);
        checkTimes(stalenessBound, lease, readDeadline, problems);
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException("shared state: " + String.join("; ", problems));
        }
    }

    private static void checkNodes(
            NodeId self, InetSocketAddress listen, Map<NodeId, InetSocketAddress> peers, List<String> problems) {
        if (!peers.containsKey(self)) {
            problems.add("peers must include this node, " + self);
        }
        if (listen.isUnresolved()) {
            problems.add("listen: host " + listen.getHostString() + " does not resolve");
        }
        if (peers.size() > MAX_NODES) {
            problems.add("peers: " + peers.size() + " nodes are more than the " + MAX_NODES + " of a cell");
        }
        peers.forEach((node, address) -> {
            if (address.isUnresolved()) {
                problems.add("peers: host " + address.getHostString() + " of " + node + " does not resolve");
            }
            if (address.getPort() == 0) {
                problems.add("peers: " + node + " needs a port");
            }
        });
        if (new HashSet<>(peers.values()).size() < peers.size()) {
            problems.add("peers: two nodes have the same address");
        }
    }

    private static void checkWitnesses(
            List<NodeId> witnesses, Map<NodeId, InetSocketAddress> peers, List<String> problems) {
        if (witnesses.size() != 1 && witnesses.size() != 3 && witnesses.size() != 5) {
            problems.add("witnesses: " + witnesses.size() + " given, must be 1, 3 or 5");
        }
        if (new HashSet<>(witnesses).size() < witnesses.size()) {
            problems.add("witnesses: a node is named twice");
        }
        witnesses.stream()
                .filter(witness -> !peers.containsKey(witness))
                .forEach(stranger -> problems.add("witnesses: " + stranger + " is not among the peers"));
    }

    private static void checkTimes(
            Duration stalenessBound, Duration lease, Duration readDeadline, List<String> problems) {
        if (!readDeadline.isPositive()) {
            problems.add("read deadline must be positive, not " + readDeadline.toMillis() + " ms");
        }
        if (!stalenessBound.isPositive()) {
            problems.add("staleness bound must be positive, not " + stalenessBound.toMillis() + " ms");
        }
        if (lease.compareTo(readDeadline.multipliedBy(DEADLINES_PER_LEASE)) < 0) {
            problems.add("lease of " + lease.toMillis() + " ms must be at least " + DEADLINES_PER_LEASE
                    + " read deadlines of " + readDeadline.toMillis() + " ms, so that it can be renewed in time");
        }
    }
}
