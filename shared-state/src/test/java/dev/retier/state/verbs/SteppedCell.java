package dev.retier.state.verbs;

import dev.retier.link.LinkConfig;
import dev.retier.link.LinkKeeper;
import dev.retier.link.Metric;
import dev.retier.link.NodeId;
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
import dev.retier.testsupport.verbs.VerbsWorld;
import dev.retier.verbs.Providers;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Whole nodes of one cell over verbs in memory: no socket, no thread, and one clock for all that is set by hand. */
final class SteppedCell {
    static final SiteId SITE = new SiteId(1);
    static final RoleWord ROLE = RoleWord.active(1, 0, Role.serving(SITE, Tier.PROXY));
    static final LoadRecord LOAD = new LoadRecord(1, LoadRecord.Health.UP, 0.5, 0.25, 0.5, 100, 3, 2000, 0);
    static final Duration DEADLINE = Duration.ofMillis(500);
    static final Duration LEASE = Duration.ofSeconds(6);
    static final Duration STALE = Duration.ofSeconds(60);

    private static final ClusterSecret SECRET = ClusterSecret.of("the secret of the cell in memory");
    private static final long TURN_NANOS = Duration.ofMillis(50).toNanos();
    private static final int STEPS_PER_TURN = 4;

    final VerbsWorld world = new VerbsWorld();
    private final Map<NodeId, InetSocketAddress> peers = new TreeMap<>();
    private final Map<NodeId, Node> nodes = new TreeMap<>();
    private final List<NodeId> witnesses;
    private long nowNanos;
    /** Each start of a node has a higher number. */
    private long boots;
    /** Of nodes that are opened from now on; of all others {@link #digest} 1. */
    final Map<NodeId, ByteBuffer> digests = new HashMap<>();

    private record Node(SharedState state, LinkKeeper<Session> keeper) {}

    SteppedCell(int size, int witnesses) {
        Providers.install(world.provider());
        for (int node = 1; node <= size; node++) {
            peers.put(node(node), new InetSocketAddress("127.0.0." + node, 1000 + node));
        }
        this.witnesses = peers.keySet().stream().limit(witnesses).toList();
    }

    /** A digest that begins with {@code first}. */
    static ByteBuffer digest(int first) {
        return ByteBuffer.allocate(Handshake.DIGEST_BYTES).put(0, (byte) first);
    }

    static NodeId node(int value) {
        return new NodeId(value);
    }

    /** All nodes, which see each other and have published once. */
    SteppedCell open() {
        peers.keySet().forEach(node -> open(node.value()));
        pass(Duration.ofSeconds(2));
        return this;
    }

    /** Starts a node, which publishes once. */
    SharedState open(int node) {
        world.sourceAddress("127.0.0." + node);
        Local local = new Local(config(node), LinkConfig.Pace.byHand(() -> nowNanos));
        LinkKeeper<Session> keeper =
                new LinkKeeper<>(local, Optional.of(local.config().listen()));
        SharedState state = new VerbsSharedState(local, keeper);
        state.publish(LOAD);
        nodes.put(node(node), new Node(state, keeper));
        return state;
    }

    private SharedStateConfig config(int node) {
        return new SharedStateConfig(
                node(node),
                Objects.requireNonNull(peers.get(node(node))),
                peers,
                witnesses,
                SecretSource.of(Secrets.only(SECRET)),
                Transport.IWARP,
                STALE,
                LEASE,
                DEADLINE,
                ROLE,
                1_000 * ++boots,
                Set.of(SITE, new SiteId(2)),
                digests.getOrDefault(node(node), digest(1)),
                true,
                Optional.empty());
    }

    /** Lets time go by, in which each node does what is due. */
    void pass(Duration time) {
        for (long end = nowNanos + time.toNanos(); nowNanos < end; nowNanos += TURN_NANOS) {
            for (int step = 0; step < STEPS_PER_TURN; step++) {
                step();
            }
        }
    }

    /** Each node does what is due now. */
    void step() {
        nodes.forEach((id, node) -> {
            world.sourceAddress("127.0.0." + id.value());
            node.keeper().step();
        });
    }

    /** The device on which it listens goes away. */
    void removeDevice(int node) {
        world.removeDevice(Objects.requireNonNull(peers.get(node(node))));
    }

    SharedState at(int node) {
        return Objects.requireNonNull(nodes.get(node(node))).state();
    }

    /** The connection of a node to the slot of another. */
    Session session(int from, int to) {
        LinkKeeper<Session> keeper =
                Objects.requireNonNull(nodes.get(node(from))).keeper();
        return Objects.requireNonNull(keeper.links().get(node(to))).session().orElseThrow();
    }

    /** A node leaves in good order, and the others take note. */
    void close(int node) {
        Objects.requireNonNull(nodes.remove(node(node))).state().close();
        step();
    }

    RoleWord word(int node) {
        return ((RoleWord.Valid) at(node).ownRoleWord()).word();
    }

    /** How many nodes the given one knows. */
    long known(int node) {
        return at(node).look().values().stream()
                .filter(SlotReading.Known.class::isInstance)
                .count();
    }

    /** The move lock, when the lease of whoever had it has run out. */
    MoveLease acquire(int node) {
        if (at(node).tryAcquireMoveLock(SITE) instanceof LockOutcome.Acquired(MoveLease lease)) {
            return lease;
        }
        pass(LEASE);
        return ((LockOutcome.Acquired) at(node).tryAcquireMoveLock(SITE)).lease();
    }

    long count(int node, Metric metric) {
        return Objects.requireNonNull(at(node).metrics().get(metric));
    }
}
