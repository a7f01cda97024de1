package dev.retier.link;

import com.ibm.disni.verbs.IbvMr;
import dev.retier.link.auth.ClusterSecret;
import dev.retier.link.auth.Handshake;
import dev.retier.link.auth.Right;
import dev.retier.link.auth.Secrets;
import dev.retier.testsupport.Logged;
import dev.retier.testsupport.verbs.VerbsWorld;
import dev.retier.verbs.Providers;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** The nodes of one cell over verbs in memory, stepped by hand. */
abstract class CellFixture {
    static final ClusterSecret SECRET = ClusterSecret.of("a secret of this cell");
    static final NodeId ONE = new NodeId(1);
    static final NodeId TWO = new NodeId(2);

    final VerbsWorld world = new VerbsWorld();
    final Logged logged = new Logged();
    final Map<NodeId, InetSocketAddress> peers = new HashMap<>();
    final List<Node> nodes = new ArrayList<>();
    long nowNanos;
    /** Of the nodes that are made from now on. */
    LinkConfig.Pace pace = LinkConfig.Pace.byHand(() -> nowNanos);
    /** Whether those that use connections of the nodes that are made from now on also take the answers. */
    boolean waitThemselves;

    /** One node that registers a word for each that sees it. */
    final class Node extends LinkHost<Use> implements AutoCloseable {
        final LinkKeeper<Use> keeper;
        final List<Use> served = new ArrayList<>();
        private final boolean waits = waitThemselves;
        boolean understandsGrants = true;

        Node(NodeId self, Map<NodeId, InetSocketAddress> known, Secrets secrets, boolean former) {
            this(self, known, secrets, former, Optional.ofNullable(peers.get(self)));
        }

        Node(
                NodeId self,
                Map<NodeId, InetSocketAddress> known,
                Secrets secrets,
                boolean former,
                Optional<InetSocketAddress> listen) {
            this(self, known, SecretSource.of(secrets), former, listen);
        }

        Node(NodeId self, SecretSource secrets) {
            this(self, peers, secrets, false, Optional.ofNullable(peers.get(self)));
        }

        private Node(
                NodeId self,
                Map<NodeId, InetSocketAddress> known,
                SecretSource secrets,
                boolean former,
                Optional<InetSocketAddress> listen) {
            super(
                    new LinkConfig(
                            self,
                            known,
                            secrets,
                            Duration.ofSeconds(2),
                            former,
                            ByteBuffer.allocate(Handshake.DIGEST_BYTES),
                            Optional.empty(),
                            pace),
                    new QueuePair.Sizes(8, 2, 1),
                    List.of());
            nodes.add(this);
            keeper = new LinkKeeper<>(this, listen);
        }

        @Override
        protected List<Right> rights() {
            return List.of(new Right(2, ""));
        }

        @Override
        protected boolean waitsItself() {
            return waits;
        }

        @Override
        protected Use connected(Ready ready, ByteBuffer grant) {
            if (!understandsGrants) {
                throw new IllegalArgumentException("it grants nothing that can be used");
            }
            return new Use(ready);
        }

        @Override
        protected Admission admit(Ready ready) throws IOException {
            ready.pair().register(Arena.ofAuto().allocate(64), IbvMr.IBV_ACCESS_REMOTE_READ);
            Use use = new Use(ready);
            served.add(use);
            return new Admission(new byte[Handshake.GRANT_BYTES], use);
        }

        boolean sees(NodeId node) {
            return link(node).session().isPresent();
        }

        OutgoingLink<Use> link(NodeId node) {
            return Objects.requireNonNull(keeper.links().get(node));
        }

        Use use(NodeId node) {
            return link(node).session().orElseThrow();
        }

        /** What {@code node} does here, as long as it was let in once. */
        Use servedTo(NodeId node) {
            return served.stream()
                    .filter(use -> use.ready.peer().node().equals(node))
                    .reduce((_, newest) -> newest)
                    .orElseThrow();
        }

        long count(LinkMetric metric) {
            return counters().counted().getOrDefault(metric, -1L);
        }
    }

    @BeforeEach
    final void install() {
        Providers.install(world.provider());
        peers.put(ONE, new InetSocketAddress(InetAddress.getLoopbackAddress(), 1001));
        peers.put(TWO, new InetSocketAddress("127.0.0.2", 1002));
    }

    @AfterEach
    final void close() {
        logged.close();
    }

    final Node open(NodeId self) {
        world.sourceAddress("127.0.0." + self.value());
        return new Node(self, peers, Secrets.only(SECRET), true);
    }

    final void steps(int count) {
        for (int i = 0; i < count; i++) {
            nodes.forEach(node -> {
                world.sourceAddress("127.0.0." + node.identity().node().value());
                node.keeper.step();
            });
        }
    }

    final void pass(long millis) {
        for (long i = 0; i < millis; i += 50) {
            nowNanos += TimeUnit.MILLISECONDS.toNanos(50);
            steps(4);
        }
    }
}
