package dev.retier.bench.state;

import dev.retier.bench.CarrierOption;
import dev.retier.link.LinkTls;
import dev.retier.link.NodeId;
import dev.retier.link.ReservedPorts;
import dev.retier.link.SecretSource;
import dev.retier.link.Transport;
import dev.retier.link.auth.ClusterSecret;
import dev.retier.link.auth.Handshake;
import dev.retier.link.auth.Secrets;
import dev.retier.state.LoadRecord;
import dev.retier.state.LockOutcome;
import dev.retier.state.MoveLease;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.SharedState;
import dev.retier.state.SiteId;
import dev.retier.state.SlotReading;
import dev.retier.state.Tier;
import dev.retier.state.verbs.SharedStateConfig;
import dev.retier.state.verbs.VerbsSharedState;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A cell of nodes in this process, over one provider at one address. Up to {@value #LARGEST_MESH} nodes all
 * see each other; of more, only the first sees all, and each other one sees itself and the first.
 */
final class BenchCell implements AutoCloseable {
    static final int LARGEST_MESH = 31;
    static final SiteId SITE = new SiteId(1);
    static final LoadRecord LOAD = new LoadRecord(1, LoadRecord.Health.UP, 0.5, 0.25, 0.5, 100, 3, 2000, 0);

    private static final ClusterSecret SECRET = ClusterSecret.of("the secret of the benchmark's cell");
    private static final Duration READ_DEADLINE = Duration.ofMillis(500);
    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final Duration NEVER_STALE = Duration.ofMinutes(10);
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final int WITNESSES = 3;

    private final Map<NodeId, InetSocketAddress> addresses = new TreeMap<>();
    private final List<SharedState> nodes = new ArrayList<>();
    private final ReservedPorts ports;
    private final Transport transport;

    private final Optional<LinkTls> tls;

    private BenchCell(int size, CarrierOption carrier, Optional<LinkTls> tls) {
        transport = carrier.transport();
        this.tls = tls;
        ports = new ReservedPorts(size);
        for (int i = 1; i <= size; i++) {
            addresses.put(new NodeId(i), carrier.address(ports, i - 1));
        }
    }

    /** A cell in which everybody who should is seen. */
    static BenchCell start(int size, CarrierOption carrier) {
        return start(size, carrier, Optional.empty());
    }

    /** The same; {@code tls} is every node's. */
    static BenchCell start(int size, CarrierOption carrier, Optional<LinkTls> tls) {
        BenchCell cell = new BenchCell(size, carrier, tls);
        for (NodeId node : cell.addresses.keySet()) {
            SharedState state = VerbsSharedState.open(cell.config(node));
            state.publish(LOAD);
            cell.nodes.add(state);
        }
        cell.awaitAll();
        return cell;
    }

    /** The node that sees all. */
    SharedState first() {
        return nodes.getFirst();
    }

    /** All nodes, the first one first. */
    List<SharedState> nodes() {
        return List.copyOf(nodes);
    }

    /** The move lock, at the latest when the lease of before the start has run out. */
    MoveLease lock() {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (System.nanoTime() - deadline < 0) {
            if (first().tryAcquireMoveLock(SITE) instanceof LockOutcome.Acquired(MoveLease lease)) {
                return lease;
            }
            LockSupport.parkNanos(RETRY_NANOS);
        }
        throw new IllegalStateException("no lock in " + TimeUnit.NANOSECONDS.toSeconds(PATIENCE_NANOS) + " s");
    }

    private SharedStateConfig config(NodeId self) {
        NodeId hub = new NodeId(1);
        Map<NodeId, InetSocketAddress> peers = new TreeMap<>(addresses);
        if (addresses.size() > LARGEST_MESH && !self.equals(hub)) {
            peers.keySet().retainAll(Set.of(self, hub));
        }
        List<NodeId> witnesses = peers.keySet().stream()
                .limit(peers.size() >= WITNESSES ? WITNESSES : 1)
                .toList();
        return new SharedStateConfig(
                self,
                address(self),
                peers,
                witnesses,
                SecretSource.of(Secrets.only(SECRET)),
                transport,
                NEVER_STALE,
                LEASE,
                READ_DEADLINE,
                RoleWord.active(1, 0, Role.serving(SITE, Tier.PROXY)),
                1,
                Set.of(SITE),
                ByteBuffer.allocate(Handshake.DIGEST_BYTES),
                true,
                tls);
    }

    private InetSocketAddress address(NodeId node) {
        InetSocketAddress address = addresses.get(node);
        if (address == null) {
            throw new IllegalArgumentException("no " + node);
        }
        return address;
    }

    private void awaitAll() {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        for (SharedState node : nodes) {
            while (!seesAll(node)) {
                if (System.nanoTime() - deadline > 0) {
                    throw new IllegalStateException(node.self() + " does not see its cell in time");
                }
                LockSupport.parkNanos(RETRY_NANOS);
            }
        }
    }

    private static boolean seesAll(SharedState node) {
        return node.look().values().stream().allMatch(SlotReading.Known.class::isInstance);
    }

    @Override
    public void close() {
        nodes.forEach(SharedState::close);
        ports.close();
    }
}
