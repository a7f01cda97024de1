package dev.retier.link;

import static org.assertj.core.api.Assertions.assertThat;

import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvSendWR;
import dev.retier.link.auth.ClusterSecret;
import dev.retier.link.auth.Handshake;
import dev.retier.link.auth.Right;
import dev.retier.link.auth.Secrets;
import dev.retier.testsupport.Logged;
import dev.retier.testsupport.verbs.Kind;
import dev.retier.testsupport.verbs.VerbsWorld;
import dev.retier.verbs.Providers;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
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
import org.junit.jupiter.api.Test;

/** The keeper, its links, queue pairs and completions over verbs in memory, stepped by hand. */
class LinkKeeperTest {
    private static final ClusterSecret SECRET = ClusterSecret.of("a secret of this cell");
    private static final NodeId ONE = new NodeId(1);
    private static final NodeId TWO = new NodeId(2);

    private final VerbsWorld world = new VerbsWorld();
    private final Logged logged = new Logged();
    private final Map<NodeId, InetSocketAddress> peers = new HashMap<>();
    private final List<Node> nodes = new ArrayList<>();
    private long nowNanos;

    /** One node that registers a word for each that sees it. */
    private final class Node extends LinkHost<Use> implements AutoCloseable {
        final LinkKeeper<Use> keeper;
        final List<Use> served = new ArrayList<>();
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
            super(
                    new LinkConfig(
                            self,
                            known,
                            secrets,
                            Duration.ofSeconds(2),
                            former,
                            ByteBuffer.allocate(Handshake.DIGEST_BYTES),
                            LinkConfig.Pace.byHand(() -> nowNanos)),
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
            return Objects.requireNonNull(keeper.links().get(node)).session().isPresent();
        }

        Use use(NodeId node) {
            return Objects.requireNonNull(keeper.links().get(node)).session().orElseThrow();
        }

        long count(LinkMetric metric) {
            return counters().counted().getOrDefault(metric, -1L);
        }
    }

    @BeforeEach
    void install() {
        Providers.install(world.provider());
        peers.put(ONE, new InetSocketAddress(InetAddress.getLoopbackAddress(), 1001));
        peers.put(TWO, new InetSocketAddress("127.0.0.2", 1002));
    }

    @AfterEach
    void close() {
        logged.close();
    }

    private Node open(NodeId self) {
        world.sourceAddress("127.0.0." + self.value());
        return new Node(self, peers, Secrets.only(SECRET), true);
    }

    private void steps(int count) {
        for (int i = 0; i < count; i++) {
            nodes.forEach(node -> {
                world.sourceAddress("127.0.0." + node.identity().node().value());
                node.keeper.step();
            });
        }
    }

    private void pass(long millis) {
        for (long i = 0; i < millis; i += 50) {
            nowNanos += TimeUnit.MILLISECONDS.toNanos(50);
            steps(4);
        }
    }

    @Test
    void shouldSeeEachOther_whenBothAreUp() {
        Node one = open(ONE);
        Node two = open(TWO);
        pass(2000);

        assertThat(one.sees(TWO) && two.sees(ONE) && one.sees(ONE)).isTrue();
        assertThat(one.use(TWO).ready.terms().version()).isEqualTo(3);
        assertThat(logged.warnings()).isEmpty();
    }

    @Test
    void shouldSeeEachOther_whenTheProviderHidesPrivateData() {
        world.hidePrivateData(true);
        Node one = open(ONE);
        Node two = open(TWO);
        pass(2000);

        assertThat(one.sees(TWO) && two.sees(ONE)).isTrue();
    }

    @Test
    void shouldMakeNoQueuePair_whenAStrangerKnowsNoSecret() {
        peers.remove(TWO);
        Node one = open(ONE);
        pass(500);
        int before = world.openPairs();
        world.sourceAddress("127.0.0.9");
        peers.put(TWO, new InetSocketAddress("127.0.0.2", 1002));
        Node stranger = new Node(TWO, peers, Secrets.only(ClusterSecret.of("a secret of that cell")), true);
        for (int i = 0; i < 40; i++) {
            nowNanos += TimeUnit.MILLISECONDS.toNanos(100);
            stranger.keeper.step();
            stranger.keeper.step();
            one.keeper.step();
            stranger.keeper.step();
        }

        assertThat(one.served).as("its own only").hasSize(1);
        assertThat(world.openPairs()).as("the stranger's own ends at most").isLessThanOrEqualTo(before + 3);
        assertThat(one.count(LinkMetric.HANDSHAKES_REFUSED)).isPositive();
        assertThat(logged.warnings("127.0.0.9")).hasSize(1);
    }

    @Test
    void shouldFallBackToTheFormerSecret_whenThePeerHasNotTheNewOneYet() {
        ClusterSecret next = ClusterSecret.of("the next secret of the cell");
        world.sourceAddress("127.0.0.1");
        Node one = new Node(ONE, peers, new Secrets(next, SECRET), true);
        Node two = open(TWO);
        pass(2000);

        assertThat(one.sees(TWO) && two.sees(ONE)).isTrue();
        assertThat(one.use(TWO).ready.terms().byFormerSecret()).isTrue();
    }

    @Test
    void shouldLetNobodyIn_whenAProvenNodeIsNotAmongThePeers() {
        world.hidePrivateData(true); // so that the proof comes before the door can know who it is
        Node two = open(TWO);
        Node one = new Node(
                ONE,
                Map.of(ONE, new InetSocketAddress(InetAddress.getLoopbackAddress(), 1001)),
                Secrets.only(SECRET),
                true);
        one.keeper.peers(Map.of(ONE, new InetSocketAddress("127.0.0.2", 1001)));
        pass(2000);

        assertThat(two.sees(ONE)).isFalse();
        assertThat(one.served.stream().map(use -> use.ready.peer().node())).doesNotContain(TWO);
    }

    @Test
    void shouldCloseTheOlder_whenAPeerConnectsAnew() {
        Node one = open(ONE);
        Node two = open(TWO);
        pass(1000);
        Use older = one.served.stream()
                .filter(use -> use.ready.peer().node().equals(TWO))
                .findFirst()
                .orElseThrow();
        world.cut(two.use(ONE).pair());
        two.use(ONE).oldestNanos = nowNanos - TimeUnit.SECONDS.toNanos(3);
        pass(3000);

        assertThat(two.sees(ONE)).isTrue();
        assertThat(older.over && older.freed).isTrue();
        assertThat(two.count(LinkMetric.CONNECTIONS_STALLED)).isEqualTo(1);
    }

    @Test
    void shouldWarnOfNothing_whenItBeginsToListenBetweenAPeersTries() {
        world.sourceAddress("127.0.0.2");
        world.hold(Kind.CONNECT);
        Node two = new Node(TWO, Map.of(ONE, Objects.requireNonNull(peers.get(ONE))), Secrets.only(SECRET), true);
        steps(4);
        world.release(0);
        steps(4);
        Node one = open(ONE);
        world.release();
        pass(3000);

        assertThat(two.use(ONE).ready.terms().version()).isEqualTo(3);
        assertThat(one.count(LinkMetric.HANDSHAKES_UNPROVEN)).isEqualTo(1);
        assertThat(logged.warnings()).isEmpty();
    }

    @Test
    void shouldWaitForLastWords_whenAPeerLeaves() {
        Node one = open(ONE);
        Node two = open(TWO);
        pass(3000);
        nodes.remove(two);
        two.keeper.close();
        pass(2000);

        assertThat(one.sees(TWO)).isFalse();
        assertThat(one.count(LinkMetric.CONNECTIONS_LEFT)).isEqualTo(1);
        assertThat(one.count(LinkMetric.CONNECTIONS_LOST)).isZero();
    }

    @Test
    void shouldTellBothAndKeepTheElder_whenTwoAgentsRunAsOneNode() {
        Node one = open(ONE);
        Node elder = open(TWO);
        pass(2000);
        Node copy = new Node(TWO, peers, Secrets.only(SECRET), true, Optional.empty());
        pass(20_000);

        assertThat(elder.sees(ONE)).isTrue();
        assertThat(copy.sees(ONE)).isFalse();
        assertThat(logged.warnings("two agents run as node-2"))
                .as("one at node 1, one at the elder itself")
                .hasSize(2);
        assertThat(one.served.getLast().ready.peer()).isEqualTo(elder.identity());
    }

    @Test
    void shouldLeaveNothingBehind_whenAThousandConnectionsHaveEnded() {
        Node one = open(ONE);
        Node two = open(TWO);
        pass(2000);
        Map<String, Integer> before = world.live();
        int expected = one.served.getFirst().ready.completions().expected();
        for (int i = 0; i < 1000; i++) {
            Use use = two.use(ONE);
            world.lose(use.pair(), i % 3 == 0 ? 0x0100 : 0);
            pass(200);
        }
        pass(3000);

        assertThat(two.sees(ONE)).isTrue();
        assertThat(world.live()).isEqualTo(before);
        assertThat(one.served.getFirst().ready.completions().expected()).isEqualTo(expected);
        assertThat(one.count(LinkMetric.KEYS_REFUSED)).isPositive();
    }

    @Test
    void shouldEndThatLinkOnly_whenOneOfThemFailsUnchecked() {
        Node one = open(ONE);
        Node two = open(TWO);
        world.fail("resolveAddr", 3, new IllegalStateException("a fault"));
        pass(4000);

        assertThat(one.sees(TWO) && two.sees(ONE) && one.sees(ONE)).isTrue();
        assertThat(logged.warnings("cannot be handled")).isNotEmpty();
    }

    @Test
    void shouldTryAgain_whenWhatAPeerGrantedCouldNotBeUsed() {
        Node one = open(ONE);
        one.understandsGrants = false;
        open(TWO);
        pass(4000);
        assertThat(one.sees(TWO)).isFalse();
        one.understandsGrants = true;
        pass(4000);
        assertThat(one.sees(TWO)).isTrue();
    }

    @Test
    void shouldFreeWhatWasMade_whenAQueuePairFailsHalfWay() {
        for (String call : List.of("createQP", "regMr", "postRecv")) {
            world.fail(call, 2);
            Node one = open(ONE);
            nowNanos += TimeUnit.SECONDS.toNanos(5);
            steps(6);
            world.fail(call, 1_000_000);
            pass(1000);
            assertThat(world.live()).as(call).doesNotContainKeys("allocPd", "createQP", "regMr");
            world.fail(call, 1);
            nodes.clear();
            one.keeper.close();
            one.close();
        }
    }

    @Test
    void shouldUseASmallerQueueOrSeveral_whenTheDeviceHasNoLargerOne() {
        world.limitCompletionQueue(40);
        Node one = open(ONE);
        Node two = open(TWO);
        pass(3000);

        assertThat(one.sees(TWO) && two.sees(ONE) && one.sees(ONE) && two.sees(TWO))
                .isTrue();
        assertThat(world.live().get("createCQ")).isGreaterThan(2);
    }

    @Test
    void shouldFollowThePeers_whenOneIsAddedAndRemoved() {
        Node two = open(TWO);
        Node one = new Node(ONE, Map.of(ONE, Objects.requireNonNull(peers.get(ONE))), Secrets.only(SECRET), true);
        pass(1000);
        assertThat(one.keeper.links()).doesNotContainKey(TWO);

        one.keeper.peers(peers);
        pass(3000);
        assertThat(one.sees(TWO) && two.sees(ONE)).isTrue();

        one.keeper.peers(Map.of(ONE, Objects.requireNonNull(peers.get(ONE))));
        pass(1000);
        assertThat(one.keeper.links()).doesNotContainKey(TWO);
        assertThat(two.sees(ONE)).isFalse();
    }

    @Test
    void shouldTellTheRest_whenOneCompletionCannotBeHandled() throws IOException {
        Node one = open(ONE);
        pass(1000);
        Use use = one.use(ONE);
        Completions queue = use.ready.completions();
        MemorySegment memory = Arena.ofAuto().allocate(8);
        IbvMr region = use.ready.pair().register(memory, IbvMr.IBV_ACCESS_LOCAL_WRITE | IbvMr.IBV_ACCESS_REMOTE_READ);
        IbvMr theirs = one.served.getFirst().ready.pair().register(memory, IbvMr.IBV_ACCESS_REMOTE_READ);
        List<Long> told = new ArrayList<>();
        world.hold(Kind.READ);
        for (int i = 0; i < 4; i++) {
            IbvSendWR read = QueuePair.request(IbvSendWR.IBV_WR_RDMA_READ, memory, region);
            read.getRdma().setRemote_addr(memory.address());
            read.getRdma().setRkey(theirs.getRkey());
            long id = queue.nextId();
            read.setWr_id(id);
            boolean fails = i == 0;
            queue.expect(id, (_, work) -> {
                if (fails) {
                    throw new IllegalStateException("one handler fails");
                }
                told.add(work.getWr_id());
            });
            use.ready.pair().post(List.of(read));
        }
        world.release();
        queue.drain();

        assertThat(told).hasSize(3);
    }
}
