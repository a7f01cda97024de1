package dev.retier.state.verbs;

import dev.retier.link.NodeId;
import dev.retier.link.ReservedPorts;
import dev.retier.link.SecretSource;
import dev.retier.link.Transport;
import dev.retier.link.auth.ClusterSecret;
import dev.retier.link.auth.Handshake;
import dev.retier.link.auth.Secrets;
import dev.retier.state.LoadRecord;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.SharedState;
import dev.retier.state.SiteId;
import dev.retier.state.SlotReading;
import dev.retier.state.Tier;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** A cell of nodes on the loopback interface, over real soft-iwarp. */
final class Cell implements AutoCloseable {
    static final SiteId SITE = new SiteId(1);
    static final RoleWord ROLE = RoleWord.active(1, 0, Role.serving(SITE, Tier.PROXY));
    static final LoadRecord LOAD = new LoadRecord(1, LoadRecord.Health.UP, 0.5, 0.25, 0.5, 100, 3, 2000, 0);
    static final Duration STALE = Duration.ofSeconds(30);
    static final Duration LEASE = Duration.ofSeconds(3);
    static final Duration DEADLINE = Duration.ofMillis(500);

    static final ClusterSecret SECRET = ClusterSecret.of("the secret of the loopback cell");

    private final ReservedPorts ports;
    private final Map<NodeId, InetSocketAddress> addresses = new TreeMap<>();
    private final Map<NodeId, SharedState> nodes = new TreeMap<>();
    private final Map<NodeId, InetSocketAddress> detours = new TreeMap<>();
    private final List<NodeId> witnesses;
    /** Each start of a node has a higher number. */
    private long boots;

    private final Duration lease;
    private final Duration deadline;

    Cell(int size, int witnesses) {
        this(size, witnesses, DEADLINE);
    }

    /** A cell whose reads may take so long; its lease is in proportion. */
    Cell(int size, int witnesses, Duration deadline) {
        this.deadline = deadline;
        this.lease = deadline.multipliedBy(LEASE.dividedBy(DEADLINE));
        this.ports = new ReservedPorts(size);
        for (int i = 1; i <= size; i++) {
            addresses.put(node(i), ports.address(i - 1));
        }
        this.witnesses = addresses.keySet().stream().limit(witnesses).toList();
    }

    static NodeId node(int value) {
        return new NodeId(value);
    }

    SharedState open(int node) {
        return open(node, SECRET);
    }

    SharedState open(int node, ClusterSecret secret) {
        return open(node, SecretSource.of(Secrets.only(secret)));
    }

    SharedState open(int node, SecretSource secrets) {
        SharedState opened = VerbsSharedState.open(config(node, secrets));
        nodes.put(node(node), opened);
        return opened;
    }

    InetSocketAddress address(int node) {
        return Objects.requireNonNull(addresses.get(node(node)));
    }

    /** Nodes opened from now on reach {@code node} at {@code via}. */
    void detour(int node, InetSocketAddress via) {
        detours.put(node(node), via);
    }

    void openAll() {
        addresses.keySet().forEach(node -> open(node.value()).publish(LOAD));
    }

    SharedState at(int node) {
        return Objects.requireNonNull(nodes.get(node(node)));
    }

    /** The role word in the slot of {@code node}. */
    RoleWord word(int node) {
        return word(at(node));
    }

    static RoleWord word(SharedState state) {
        return switch (state.ownRoleWord()) {
            case RoleWord.Valid(RoleWord word) -> word;
            case RoleWord.Malformed malformed -> throw new IllegalStateException(malformed.reason());
        };
    }

    void close(int node) {
        Objects.requireNonNull(nodes.remove(node(node))).close();
    }

    SharedStateConfig config(int node, ClusterSecret secret) {
        return config(node, SecretSource.of(Secrets.only(secret)));
    }

    private SharedStateConfig config(int node, SecretSource secrets) {
        Map<NodeId, InetSocketAddress> peers = new TreeMap<>(addresses);
        peers.putAll(detours);
        return new SharedStateConfig(
                node(node),
                address(node),
                peers,
                witnesses,
                secrets,
                Transport.IWARP,
                STALE,
                lease,
                deadline,
                ROLE,
                1_000 * ++boots,
                Set.of(SITE, new SiteId(2)),
                ByteBuffer.allocate(Handshake.DIGEST_BYTES),
                true,
                Optional.empty());
    }

    /** How many nodes the given one knows. */
    long known(int node) {
        return at(node).look().values().stream()
                .filter(SlotReading.Known.class::isInstance)
                .count();
    }

    boolean allKnowAll() {
        return nodes.keySet().stream().allMatch(node -> known(node.value()) == addresses.size());
    }

    @Override
    public void close() {
        nodes.values().forEach(SharedState::close);
        ports.close();
    }
}
