package dev.retier.state.verbs.region;

import dev.retier.state.NodeId;
import dev.retier.state.auth.ClusterSecret;
import dev.retier.state.verbs.Transport;
import dev.retier.state.verbs.rpc.Fabric;
import dev.retier.state.verbs.rpc.FabricConfig;
import dev.retier.state.verbs.rpc.FabricLimits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.awaitility.Awaitility;

/** Nodes with regions on the loopback interface, over real soft-iwarp. */
final class RegionCell implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final ClusterSecret SECRET = ClusterSecret.of("the secret of the loopback regions");

    private final Map<NodeId, InetSocketAddress> addresses = new TreeMap<>();
    private final Map<NodeId, Fabric> fabrics = new TreeMap<>();
    private final Map<NodeId, VerbsRegions> regions = new TreeMap<>();
    private final Path backing;

    RegionCell(int size, Path backing) {
        this.backing = backing;
        List<ServerSocket> ports = new ArrayList<>();
        try {
            for (int i = 1; i <= size; i++) {
                ServerSocket port = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ports.add(port);
                addresses.put(node(i), new InetSocketAddress(InetAddress.getLoopbackAddress(), port.getLocalPort()));
            }
            for (ServerSocket port : ports) {
                port.close();
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        addresses.keySet().forEach(node -> open(node.value()));
        awaitConnected();
    }

    static NodeId node(int value) {
        return new NodeId(value);
    }

    VerbsRegions open(int node) {
        Fabric fabric = Fabric.open(new FabricConfig(
                node(node),
                Objects.requireNonNull(addresses.get(node(node))),
                addresses,
                SECRET,
                Transport.IWARP,
                FabricLimits.defaults()));
        VerbsRegions opened = VerbsRegions.open(
                fabric, RegionsConfig.defaults(Transport.IWARP).backedBy(backing));
        fabrics.put(node(node), fabric);
        regions.put(node(node), opened);
        return opened;
    }

    VerbsRegions at(int node) {
        return Objects.requireNonNull(regions.get(node(node)));
    }

    Fabric fabric(int node) {
        return Objects.requireNonNull(fabrics.get(node(node)));
    }

    void awaitConnected() {
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> fabrics.values().stream()
                        .allMatch(fabric -> fabrics.keySet().stream()
                                .filter(node -> !node.equals(fabric.self()))
                                .allMatch(node -> fabric.link(node).isPresent())));
    }

    /** The node is gone at once, as if its process had died. */
    void kill(int node) {
        Objects.requireNonNull(fabrics.remove(node(node))).close();
        Objects.requireNonNull(regions.remove(node(node))).close();
    }

    @Override
    public void close() {
        regions.values().forEach(VerbsRegions::close);
        fabrics.values().forEach(Fabric::close);
    }
}
