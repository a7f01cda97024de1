package dev.retier.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvSendWR;
import dev.retier.link.auth.ClusterSecret;
import dev.retier.link.auth.Handshake;
import dev.retier.link.auth.Secrets;
import dev.retier.testsupport.verbs.Kind;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The keeper, its links, queue pairs and completions over verbs in memory, stepped by hand. */
class LinkKeeperTest extends CellFixture {
    @Test
    void shouldSeeEachOther_whenBothAreUp() {
        Node one = open(ONE);
        Node two = open(TWO);
        pass(2000);

        assertThat(one.sees(TWO) && two.sees(ONE) && one.sees(ONE)).isTrue();
        assertThat(one.use(TWO).ready.terms().version()).isEqualTo(3);
        assertThat(world.sourcesAskedFor())
                .as("the address of which a node is, and with it the device")
                .containsExactlyInAnyOrder(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        new InetSocketAddress("127.0.0.2", 0));
        assertThat(logged.warnings()).isEmpty();
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
    void shouldFallBackToTheSecondSecret_whenThePeerHasNotTheFirst() {
        ClusterSecret next = ClusterSecret.of("the next secret of the cell");
        world.sourceAddress("127.0.0.1");
        Node one = new Node(ONE, peers, new Secrets(next, SECRET), true);
        Node two = open(TWO);
        pass(2000);

        assertThat(one.sees(TWO) && two.sees(ONE)).isTrue();
        assertThat(one.use(TWO).ready.terms().bySecondSecret()).isTrue();
    }

    @Test
    void shouldLetNobodyIn_whenAProvenNodeIsNotAmongThePeers() {
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
    void shouldHearTheNewDigestAndKeepItsConnection_whenAPeerChangesIt() {
        Node one = open(ONE);
        Node two = open(TWO);
        pass(2000);
        Use kept = one.use(TWO);
        ByteBuffer changed = ByteBuffer.allocate(Handshake.DIGEST_BYTES).put(0, (byte) 7);
        assertThat(one.keeper.digests()).containsEntry(TWO, ByteBuffer.allocate(Handshake.DIGEST_BYTES));

        two.keeper.digest(changed);
        pass(2000);

        assertThat(one.keeper.digests()).containsEntry(TWO, changed);
        assertThat(one.use(TWO)).isSameAs(kept);
        assertThat(two.sees(ONE)).isTrue();
        assertThat(two.keeper.digests()).containsEntry(ONE, ByteBuffer.allocate(Handshake.DIGEST_BYTES));
        assertThat(logged.warnings()).isEmpty();
    }

    @Test
    void shouldForgetTheDigest_whenThePeerIsGone() {
        Node one = open(ONE);
        Node two = open(TWO);
        pass(2000);
        nodes.remove(two);
        two.keeper.close();
        pass(2000);

        assertThat(one.keeper.digests()).containsOnlyKeys(ONE);
    }

    @Test
    void shouldRefuseADigest_whenItHasAnotherLength() {
        Node one = open(ONE);

        assertThatThrownBy(() -> one.keeper.digest(ByteBuffer.allocate(31)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("31 bytes");
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
        assertThat(logged.warnings("cannot be handled"))
                .as("of each peer, itself too: %s", logged)
                .hasSize(2);
        assertThat(logged.warnings("lost")).as("it was never of use").isEmpty();
        assertThat(one.count(LinkMetric.CONNECTIONS_LOST)).isZero();
        one.understandsGrants = true;
        pass(4000);
        assertThat(one.sees(TWO)).isTrue();
    }

    @Test
    void shouldFreeWhatWasMade_whenThereIsNoMemoryForTheRestOfIt() {
        for (String call : List.of("createQP", "regMr", "accept")) {
            Node one = open(ONE);
            pass(500);
            Map<String, Integer> before = world.live();
            open(TWO);
            world.fail(call, 1, new OutOfMemoryError("none left"));
            pass(2000);
            assertThat(one.sees(TWO)).as(call).isTrue();
            nodes.forEach(node -> node.keeper.close());
            nodes.forEach(Node::close);
            assertThat(world.live()).as(call).isEmpty();
            nodes.clear();
            assertThat(before).isNotEmpty();
        }
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
