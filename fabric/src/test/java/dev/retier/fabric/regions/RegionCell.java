package dev.retier.fabric.regions;

import dev.retier.fabric.Fabric;
import dev.retier.fabric.FabricConfig;
import dev.retier.fabric.FabricLimits;
import dev.retier.link.Metric;
import dev.retier.link.NodeId;
import dev.retier.link.ReservedPorts;
import dev.retier.link.SecretSource;
import dev.retier.link.Transport;
import dev.retier.link.auth.ClusterSecret;
import dev.retier.link.auth.Secrets;
import dev.retier.testsupport.Detour;
import dev.retier.testsupport.Patience;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/** Nodes with regions on the loopback interface, over real soft-iwarp. */
final class RegionCell implements AutoCloseable {
    static final Duration PATIENCE = Patience.PATIENCE;
    /** As by default, but a busy machine may keep a peer silent for longer. */
    static final FabricLimits LIMITS = limits(Duration.ofSeconds(5));

    private static final ClusterSecret SECRET = ClusterSecret.of("the secret of the loopback regions");

    private final ReservedPorts ports;
    private final Map<NodeId, InetSocketAddress> addresses = new TreeMap<>();
    private final Map<NodeId, Fabric> fabrics = new TreeMap<>();
    private final Map<NodeId, Regions> regions = new TreeMap<>();
    private final Path backing;
    private final Detour detour;

    RegionCell(int size, Path backing) {
        this(size, size, backing);
    }

    /** A cell of which only the first nodes are opened. */
    RegionCell(int size, int opened, Path backing) {
        this.backing = backing;
        this.ports = new ReservedPorts(size);
        for (int i = 1; i <= size; i++) {
            addresses.put(node(i), ports.address(i - 1));
        }
        this.detour = new Detour(ports.address(1));
        for (int node = 1; node <= opened; node++) {
            open(node);
        }
        awaitConnected();
    }

    static NodeId node(int value) {
        return new NodeId(value);
    }

    Regions open(int node) {
        Fabric fabric = Fabric.open(config(node));
        Regions opened = Regions.open(fabric, backed(backing));
        fabrics.put(node(node), fabric);
        regions.put(node(node), opened);
        return opened;
    }

    private static RegionsConfig backed(Path folder) {
        RegionsConfig plain = RegionsConfig.defaults();
        return new RegionsConfig(
                Optional.of(folder),
                plain.drainBound(),
                plain.gatherBound(),
                plain.absenceBound(),
                plain.chunkBytes(),
                plain.chunks());
    }

    FabricConfig config(int node) {
        Map<NodeId, InetSocketAddress> peers = new TreeMap<>(addresses);
        if (node == 1) {
            peers.put(node(2), detour.address());
        }
        InetSocketAddress listen = Objects.requireNonNull(addresses.get(node(node)));
        return new FabricConfig(
                node(node),
                listen,
                peers,
                SecretSource.of(Secrets.only(SECRET)),
                Transport.IWARP,
                LIMITS,
                true,
                Optional.empty());
    }

    Regions at(int node) {
        return Objects.requireNonNull(regions.get(node(node)));
    }

    /** Node 1's way to node 2. */
    Detour detour() {
        return detour;
    }

    long metric(int node, Metric metric) {
        return Objects.requireNonNull(at(node).metrics().get(metric));
    }

    private static FabricLimits limits(Duration stallBound) {
        FabricLimits usual = FabricLimits.defaults();
        return new FabricLimits(
                usual.rings(), usual.waitingCalls(), usual.handlers(), usual.oneSided(), usual.elements(), stallBound);
    }

    Fabric fabric(int node) {
        return Objects.requireNonNull(fabrics.get(node(node)));
    }

    void awaitConnected() {
        Patience.await()
                .until(() -> fabrics.values().stream()
                        .allMatch(fabric -> fabrics.keySet().stream()
                                .filter(node -> !node.equals(fabric.self()))
                                .allMatch(node -> fabric.link(node).isPresent())));
    }

    @Override
    public void close() throws IOException {
        regions.values().forEach(Regions::close);
        fabrics.values().forEach(Fabric::close);
        detour.close();
        ports.close();
    }
}
