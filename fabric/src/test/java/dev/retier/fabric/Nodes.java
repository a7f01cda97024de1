package dev.retier.fabric;

import dev.retier.fabric.calls.RingLimits;
import dev.retier.link.NodeId;
import dev.retier.link.ReservedPorts;
import dev.retier.link.SecretSource;
import dev.retier.link.Transport;
import dev.retier.link.auth.ClusterSecret;
import dev.retier.link.auth.Secrets;
import dev.retier.testsupport.Patience;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/** A fabric of nodes on the loopback interface, over real soft-iwarp. */
public final class Nodes implements AutoCloseable {
    public static final ClusterSecret SECRET = ClusterSecret.of("the secret of the loopback fabric");
    public static final Duration PATIENCE = Patience.PATIENCE;
    public static final FabricLimits LIMITS =
            new FabricLimits(new RingLimits(8192, 16, 1500), 64, 4, 16, 4, Duration.ofSeconds(5));

    private final FabricLimits limits;
    private final ReservedPorts ports;
    private final Map<NodeId, InetSocketAddress> addresses = new TreeMap<>();
    private final Map<NodeId, Fabric> fabrics = new TreeMap<>();

    public Nodes(int size, FabricLimits limits) {
        this.limits = limits;
        this.ports = new ReservedPorts(size);
        for (int i = 1; i <= size; i++) {
            addresses.put(node(i), ports.address(i - 1));
        }
    }

    public static NodeId node(int value) {
        return new NodeId(value);
    }

    public Fabric open(int node) {
        return open(node, SECRET, Map.of());
    }

    /** Opens a node for which some others are somewhere else than they are. */
    Fabric open(int node, ClusterSecret secret, Map<NodeId, InetSocketAddress> detours) {
        Map<NodeId, InetSocketAddress> peers = new HashMap<>(addresses);
        peers.putAll(detours);
        Fabric opened = Fabric.open(new FabricConfig(
                node(node),
                address(node),
                peers,
                SecretSource.of(Secrets.only(secret)),
                Transport.IWARP,
                limits,
                true,
                Optional.empty()));
        fabrics.put(node(node), opened);
        return opened;
    }

    InetSocketAddress address(int node) {
        return Objects.requireNonNull(addresses.get(node(node)));
    }

    public Fabric at(int node) {
        return Objects.requireNonNull(fabrics.get(node(node)));
    }

    public void close(int node) {
        Objects.requireNonNull(fabrics.remove(node(node))).close();
    }

    public boolean allConnected() {
        return fabrics.values().stream()
                .allMatch(fabric -> fabrics.keySet().stream()
                        .filter(node -> !node.equals(fabric.self()))
                        .allMatch(node -> fabric.link(node).isPresent()));
    }

    @Override
    public void close() {
        fabrics.values().forEach(Fabric::close);
        ports.close();
    }
}
