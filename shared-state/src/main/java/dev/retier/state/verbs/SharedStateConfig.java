package dev.retier.state.verbs;

import dev.retier.link.LinkTls;
import dev.retier.link.NodeId;
import dev.retier.link.SecretSource;
import dev.retier.link.Transport;
import dev.retier.link.auth.Handshake;
import dev.retier.state.RoleWord;
import dev.retier.state.SiteId;
import dev.retier.state.lock.LockWord;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Everything that {@link VerbsSharedState} has to know.
 *
 * @param self the node whose slot is local
 * @param listen the address on which this node takes connections
 * @param peers where each node of the cell listens, as seen from here; this node included
 * @param witnesses the 1, 3 or 5 nodes whose slots hold the move lock's replicas; the same on every node
 * @param secrets where the cluster secret is
 * @param transport which provider of the verbs API to use
 * @param stalenessBound a slot whose heartbeat has stood still for longer is unknown
 * @param lease how long a move lock lasts without renewal; at least six read deadlines
 * @param readDeadline how long one remote operation may take
 * @param initialRole this node's role word at start: from its journal, or a fresh one
 * @param boot the number of this start, 0 to {@link LockWord#HIGHEST_TERM}: above all that the terms of locks and the
 *     fences of the role word have reached in earlier ones, whatever the wall clock says
 * @param sites the sites whose move locks may be asked for
 * @param digest of what must be the same on every node, 32 bytes, told to each peer; zeroes for none
 * @param formerHandshake whether peers that speak only version 2 of the handshake are connected to and let in
 * @param tls under all connections; none to have none, on a trusted network only
 */
public record SharedStateConfig(
        NodeId self,
        InetSocketAddress listen,
        Map<NodeId, InetSocketAddress> peers,
        List<NodeId> witnesses,
        SecretSource secrets,
        Transport transport,
        Duration stalenessBound,
        Duration lease,
        Duration readDeadline,
        RoleWord initialRole,
        long boot,
        Set<SiteId> sites,
        ByteBuffer digest,
        boolean formerHandshake,
        Optional<LinkTls> tls) {
    /** The most nodes in one cell. */
    public static final int MAX_NODES = 256;

    private static final int DEADLINES_PER_LEASE = 6;

    /** Refuses a configuration with problems by {@link IllegalArgumentException}, whose message lists all of them. */
    public SharedStateConfig {
        peers = Map.copyOf(peers);
        witnesses = List.copyOf(witnesses);
        sites = Set.copyOf(sites);
        List<String> problems = new ArrayList<>();
        refuse(problems, !peers.containsKey(self), "peers must include this node, " + self);
        refuse(problems, listen.isUnresolved(), "listen: host " + listen.getHostString() + " does not resolve");
        int nodes = peers.size();
        refuse(problems, nodes > MAX_NODES, "peers: " + nodes + " nodes are more than the " + MAX_NODES + " of a cell");
        peers.forEach((node, address) -> {
            String host = address.getHostString();
            refuse(problems, address.isUnresolved(), "peers: host " + host + " of " + node + " does not resolve");
            refuse(problems, address.getPort() == 0, "peers: " + node + " needs a port");
        });
        refuse(problems, Set.copyOf(peers.values()).size() < nodes, "peers: two nodes have the same address");
        int count = witnesses.size();
        refuse(problems, count != 1 && count != 3 && count != 5, "witnesses: " + count + " given, must be 1, 3 or 5");
        refuse(problems, Set.copyOf(witnesses).size() < count, "witnesses: a node is named twice");
        for (NodeId witness : witnesses) {
            refuse(problems, !peers.containsKey(witness), "witnesses: " + witness + " is not among the peers");
        }
        refuse(problems, boot < 0 || boot > LockWord.HIGHEST_TERM, "boot: " + boot + " is no number of a start");
        String deadline = readDeadline.toMillis() + " ms";
        refuse(problems, !readDeadline.isPositive(), "read deadline must be positive, not " + deadline);
        int told = digest.remaining();
        refuse(
                problems,
                told != Handshake.DIGEST_BYTES,
                "a digest of " + told + " bytes, not " + Handshake.DIGEST_BYTES);
        String stale = stalenessBound.toMillis() + " ms";
        refuse(problems, !stalenessBound.isPositive(), "staleness bound must be positive, not " + stale);
        refuse(
                problems,
                lease.compareTo(readDeadline.multipliedBy(DEADLINES_PER_LEASE)) < 0,
                "lease of " + lease.toMillis() + " ms must be at least " + DEADLINES_PER_LEASE + " read deadlines of "
                        + deadline + ", so that it can be renewed in time");
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException("shared state: " + String.join("; ", problems));
        }
    }

    private static void refuse(List<String> problems, boolean isWrong, String problem) {
        if (isWrong) {
            problems.add(problem);
        }
    }
}
