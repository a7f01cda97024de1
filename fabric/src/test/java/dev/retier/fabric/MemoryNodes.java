package dev.retier.fabric;

import dev.retier.fabric.calls.RingLimits;
import dev.retier.link.NodeId;
import dev.retier.link.SecretSource;
import dev.retier.link.Transport;
import dev.retier.link.auth.ClusterSecret;
import dev.retier.link.auth.Secrets;
import dev.retier.testsupport.verbs.Kind;
import dev.retier.testsupport.verbs.VerbsWorld;
import dev.retier.verbs.Providers;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;

/** A fabric of nodes with their own threads, in memory: what is on its way is held and lost by hand. */
public final class MemoryNodes implements AutoCloseable {
    /** Far longer than anything here takes. */
    public static final Duration PATIENCE = Duration.ofSeconds(10);

    public static final FabricLimits LIMITS = limits(Duration.ofSeconds(5));

    private static final ClusterSecret SECRET = ClusterSecret.of("the secret of the fabric in memory");
    private static final int FIRST_PORT = 7000;

    private final VerbsWorld world = new VerbsWorld();
    private final FabricLimits limits;
    private final Map<NodeId, InetSocketAddress> addresses = new TreeMap<>();
    private final Map<NodeId, Fabric> fabrics = new TreeMap<>();

    /** Nodes 1 to {@code size}, none of which is open. */
    public MemoryNodes(int size, FabricLimits limits) {
        this.limits = limits;
        for (int i = 1; i <= size; i++) {
            addresses.put(node(i), new InetSocketAddress(InetAddress.getLoopbackAddress(), FIRST_PORT + i));
        }
        world.letWait(true);
        Providers.install(world.provider());
    }

    /** Small ones, so that they are reached. */
    public static FabricLimits limits(Duration stallBound) {
        return new FabricLimits(new RingLimits(8192, 16, 1500), 64, 4, 16, 4, stallBound);
    }

    public static NodeId node(int value) {
        return new NodeId(value);
    }

    public VerbsWorld world() {
        return world;
    }

    /** Opens all, and waits until each is connected to each. */
    public MemoryNodes openAll() {
        world.hold(Kind.CONNECT);
        addresses.keySet().forEach(node -> open(node.value()));
        world.release();
        awaitConnected();
        return this;
    }

    public Fabric open(int node) {
        return open(config(node));
    }

    Fabric open(FabricConfig config) {
        Fabric opened = new Fabric(config);
        fabrics.put(config.self(), opened);
        return opened;
    }

    FabricConfig config(int node) {
        return new FabricConfig(
                node(node),
                address(node),
                addresses,
                SecretSource.of(Secrets.only(SECRET)),
                Transport.IWARP,
                limits,
                true,
                Optional.empty());
    }

    InetSocketAddress address(int node) {
        return Objects.requireNonNull(addresses.get(node(node)));
    }

    public Fabric at(int node) {
        return Objects.requireNonNull(fabrics.get(node(node)));
    }

    public PeerLink link(int from, int to) {
        return at(from).link(node(to)).orElseThrow();
    }

    /** Ends the connection that {@code from} has made to {@code to}: both are told. */
    public void lose(int from, int to) {
        world.lose(world.pair(address(from), address(to)));
    }

    /** Nothing comes through any more on the connection that {@code from} has made to {@code to}. */
    public void cut(int from, int to) {
        world.cut(world.pair(address(from), address(to)));
    }

    /** The node is gone at once. */
    public void close(int node) {
        Objects.requireNonNull(fabrics.remove(node(node))).close();
    }

    public void awaitConnected() {
        until(() -> fabrics.values().stream()
                .allMatch(fabric -> fabrics.keySet().stream()
                        .allMatch(node -> fabric.link(node).isPresent())));
    }

    /** Waits for what is sure to come. */
    public static void until(BooleanSupplier there) {
        Awaitility.await()
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(1))
                .pollInSameThread()
                .until(there::getAsBoolean);
    }

    @Override
    public void close() {
        world.release();
        fabrics.values().forEach(Fabric::close);
    }
}
