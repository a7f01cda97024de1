package dev.retier.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.link.auth.ClusterSecret;
import dev.retier.link.auth.Identity;
import dev.retier.link.auth.Secrets;
import dev.retier.link.core.Door;
import dev.retier.testsupport.verbs.Kind;
import dev.retier.verbs.NoDeviceException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What the keeper does when something fails, or when somebody asks too much. */
class LinkKeeperFaultsTest extends CellFixture {
    private Node alone() {
        world.sourceAddress("127.0.0.1");
        return new Node(ONE, Map.of(ONE, address(ONE)), Secrets.only(SECRET), true);
    }

    private InetSocketAddress address(NodeId node) {
        return Objects.requireNonNull(peers.get(node));
    }

    /** Somebody at {@code source} says to be {@code from} and connects to node 1; answers nothing. */
    private void knock(String source, NodeId from, ClusterSecret secret) throws IOException {
        stranger(source, new Identity(from, 99), 3, secret).greet(false);
    }

    /** The same, without a word. */
    private void knock(String source) throws IOException {
        stranger(source, new Identity(TWO, 99), 3, SECRET).greet(true);
    }

    private Stranger stranger(String source, Identity self, int version, ClusterSecret secret) throws IOException {
        world.sourceAddress(source);
        return new Stranger(self, version, secret, ONE, address(ONE));
    }

    @Test
    void shouldSayWhatToDo_whenTheAddressIsTaken() {
        open(ONE);

        assertThatThrownBy(this::alone)
                .isInstanceOf(StateException.class)
                .hasMessageContaining("cannot listen on localhost:1001: stop what uses it")
                .hasMessageContaining("address already in use");
    }

    @Test
    void shouldSaySo_whenThereIsNoDevice() {
        world.fail("createEventChannel", 1);

        assertThatThrownBy(this::alone)
                .isInstanceOf(StateException.class)
                .hasMessageContaining("no RDMA device: createEventChannel failed");
    }

    @Test
    void shouldDestroyTheEventChannel_whenItCannotListen() {
        world.fail("createId", 1);

        assertThatThrownBy(this::alone)
                .isInstanceOf(StateException.class)
                .hasMessageContaining("no RDMA device: createId failed");
        assertThat(world.live()).isEmpty();
    }

    @Test
    void shouldSayThatTheTransportIsNotHere_whenADeviceOrARightIsLacking() {
        NoDeviceException lacking = new NoDeviceException("no RDMA device has this address");
        world.fail("createEventChannel", 1, new NoDeviceException("/dev/infiniband/rdma_cm must be there"));

        assertThatThrownBy(this::alone)
                .isInstanceOf(TransportException.class)
                .hasMessage("no RDMA device: /dev/infiniband/rdma_cm must be there");
        world.fail("bindAddr", 1, lacking);
        assertThatThrownBy(this::alone)
                .isInstanceOf(TransportException.class)
                .hasMessage("cannot listen on localhost:1001: no RDMA device has this address");
        assertThat(alone().keeper.abilities()).isEqualTo(new Abilities("memory", Optional.empty(), true, true));
    }

    @Test
    void shouldSayWhatTheDeviceLacks_whenItHasNoAtomics() {
        world.atomics(false, false);
        Node one = alone();
        pass(1000);

        assertThat(one.keeper.abilities().whyNoAtomics().orElseThrow()).startsWith("memory has no atomics");
        assertThat(one.use(ONE).ready.pair().abilities()).isEqualTo(one.keeper.abilities());
    }

    @Test
    void shouldSaySo_whenTheConnectionManagerFails() {
        Node one = alone();
        world.fail("getCmEvent", 1);

        assertThatThrownBy(one.keeper::step)
                .isInstanceOf(StateException.class)
                .hasMessage("the connection manager failed");
        pass(1000);
        assertThat(one.sees(ONE)).isTrue();
    }

    @Test
    void shouldRefusePeers_whenAHostDoesNotResolve() {
        Node one = alone();
        Map<NodeId, InetSocketAddress> unknown = Map.of(TWO, InetSocketAddress.createUnresolved("nowhere", 1002));

        assertThatThrownBy(() -> one.keeper.peers(unknown))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("node-2: host nowhere does not resolve");
        pass(1000);
        assertThat(one.keeper.links()).containsOnlyKeys(ONE);
    }

    @Test
    void shouldConnectAnew_whenAPeerHasAnotherAddress() {
        Node one = open(ONE);
        Node two = open(TWO);
        pass(2000);
        Use before = two.use(ONE);
        two.keeper.peers(Map.of(ONE, new InetSocketAddress("127.0.0.5", 1001), TWO, address(TWO)));
        pass(1000);

        assertThat(before.over && before.freed).isTrue();
        assertThat(before.reason).isEqualTo("this node closed the connection");
        assertThat(two.sees(ONE)).as("nobody is there").isFalse();
        assertThat(one.sees(TWO)).as("the other way stands").isTrue();
        assertThat(two.servedTo(ONE).over).isFalse();
    }

    @Test
    void shouldDropWhoIsNoPeerAnyMore_whenThePeersChange() {
        Node one = open(ONE);
        open(TWO);
        pass(2000);
        Use served = one.servedTo(TWO);
        Use own = one.servedTo(ONE);
        one.keeper.peers(Map.of(ONE, address(ONE)));
        one.keeper.step();

        assertThat(served.over && served.freed).isTrue();
        assertThat(own.over).isFalse();
        assertThat(one.keeper.links()).containsOnlyKeys(ONE);
    }

    @Test
    void shouldFreeEverything_whenItCloses() {
        Node one = open(ONE);
        Node two = open(TWO);
        pass(2000);
        nodes.clear();
        Use served = one.servedTo(TWO);
        Use used = one.use(TWO);
        for (Node node : List.of(one, two)) {
            node.keeper.close();
            node.close();
        }

        assertThat(world.live()).isEmpty();
        assertThat(served.over && served.freed).isTrue();
        assertThat(used.over && used.freed).isTrue();
    }

    @Test
    void shouldCloseTheRest_whenAGoodbyeOrTheChannelFails() {
        Node one = open(ONE);
        Node two = open(TWO);
        pass(2000);
        nodes.clear();
        world.fail("postSend", 1);
        world.fail("destroyEventChannel", 1);
        one.keeper.close();
        assertThat(one.served).hasSize(2).allMatch(use -> use.freed);
        two.keeper.close();

        assertThat(world.live()).doesNotContainKeys("createQP", "allocPd", "regMr", "createId");
    }

    @Test
    void shouldTurnAwayAndFree_whenAConnectionCannotBeTaken() {
        Node one = alone();
        world.fail("accept", 1);
        pass(100);

        assertThat(one.count(LinkMetric.CONNECTIONS_TURNED_AWAY)).isEqualTo(1);
        assertThat(logged.warnings("node-1 refuses 127.0.0.1: its connection could not be taken"))
                .hasSize(1);
        pass(2000);
        assertThat(one.sees(ONE)).isTrue();
        assertThat(world.live())
                .as("the listener and both ends of one connection")
                .containsEntry("createId", 3)
                .containsEntry("createQP", 2)
                .containsEntry("allocPd", 2);
    }

    @Test
    void shouldForgetTheOneAtTheDoor_whenItsConnectionCouldNotBeTaken() throws IOException {
        Node one = alone();
        pass(1000);
        world.fail("accept", 8);
        for (int i = 0; i < 8; i++) {
            knock("127.0.0.9", ONE, SECRET);
            steps(1);
        }
        assertThat(one.count(LinkMetric.CONNECTIONS_TURNED_AWAY)).isEqualTo(8);
        for (int i = 0; i < 2; i++) {
            knock("127.0.0.9", ONE, SECRET);
        }
        steps(1);

        assertThat(one.count(LinkMetric.CONNECTIONS_TURNED_AWAY) + one.count(LinkMetric.HANDSHAKES_REFUSED))
                .as("two may stand there")
                .isEqualTo(8);
    }

    @Test
    void shouldPutOutTheOldest_whenTooManyOfAnAddressProveNothing() throws IOException {
        Node one = alone();
        pass(1000);
        int before = world.openPairs();
        for (int i = 0; i < 6; i++) {
            knock("127.0.0.9", ONE, SECRET);
            steps(1);
            nowNanos += Door.TURN_NANOS;
        }

        assertThat(one.count(LinkMetric.CONNECTIONS_TURNED_AWAY)).isEqualTo(4);
        assertThat(logged.warnings("node-1 refuses 127.0.0.9: too many of its connections prove nothing"))
                .hasSize(1);
        assertThat(world.openPairs()).as("six that ask, two that are served").isEqualTo(before + 6 + 2);
        pass(3100);
        assertThat(world.openPairs()).as("none of them proves anything").isEqualTo(before + 6);
        assertThat(one.count(LinkMetric.HANDSHAKES_UNPROVEN)).isEqualTo(6);
    }

    @Test
    void shouldMakeNothing_whenAPeersAddressAsksAgainAndAgain() throws IOException {
        Node one = alone();
        pass(1000);
        int before = world.openPairs();
        for (int i = 0; i < 20; i++) {
            knock("127.0.0.1", ONE, SECRET);
            knock("127.0.0.1");
            stranger("127.0.0.1", new Identity(ONE, 99), 2, SECRET).greet(false);
            steps(1);
        }

        assertThat(world.openPairs())
                .as("sixty that ask, two of each kind that are served")
                .isEqualTo(before + 60 + 4);
        assertThat(one.count(LinkMetric.CONNECTIONS_TURNED_AWAY)).isZero();
        assertThat(logged.warnings("node-1 refuses 127.0.0.1")).hasSize(1);
    }

    @Test
    void shouldRefuseByAnAddressOfNobody_whenTheProviderDoesNotTellIt() throws IOException {
        alone();
        pass(1000);
        world.fail("getDstAddr", 1);
        knock("127.0.0.9");
        steps(1);

        assertThat(logged.warnings("node-1 refuses 0.0.0.0: not a retier node: the magic word is missing"))
                .hasSize(1);
    }

    @Test
    void shouldTakeSixtyFourEventsInATurn_whenThereAreMore() throws IOException {
        Node one = alone();
        pass(1000);
        world.hold(Kind.CONNECT);
        for (int i = 0; i < 70; i++) {
            knock("127.0.0.9");
        }
        world.release();
        long before = one.count(LinkMetric.HANDSHAKES_REFUSED);
        one.keeper.step();
        assertThat(one.count(LinkMetric.HANDSHAKES_REFUSED) - before).isEqualTo(64);
        one.keeper.step();
        assertThat(one.count(LinkMetric.HANDSHAKES_REFUSED) - before).isEqualTo(70);
    }

    @Test
    void shouldEndTheOthersAllTheSame_whenOneCannotEndInGoodOrder() {
        Node one = open(ONE);
        open(TWO);
        pass(2000);
        Use served = one.servedTo(TWO);
        served.fault = new IllegalStateException("its user fails");
        served.ready.onBroken().accept("it broke the rules");
        pass(100);

        assertThat(logged.warnings("cannot end a connection in good order")).hasSize(1);
        pass(2000);
        assertThat(one.servedTo(TWO)).as("a new one").isNotSameAs(served);
    }

    @Test
    void shouldFreeEverything_whenWhatUsesAConnectionFailsAtTheEnd() {
        Node one = open(ONE);
        Node two = open(TWO);
        pass(2000);
        nodes.clear();
        one.servedTo(TWO).fault = new IllegalStateException("its user fails");
        one.use(TWO).fault = new IllegalStateException("its user fails, too");
        for (Node node : List.of(one, two)) {
            node.keeper.close();
            node.close();
        }

        assertThat(world.live()).isEmpty();
    }

    @Test
    void shouldEndThatConnectionAlone_whenItsUserFailsToTellItsOldestOperation() {
        Node one = open(ONE);
        Node two = open(TWO);
        pass(2000);
        Use served = one.servedTo(TWO);
        Use used = one.use(TWO);
        served.asked = new IllegalStateException("it cannot tell");
        used.asked = new IllegalStateException("it cannot tell either");
        pass(100);

        assertThat(served.over && served.freed).isTrue();
        assertThat(used.over).isTrue();
        assertThat(one.sees(ONE) && two.sees(TWO)).isTrue();
        pass(3000);
        assertThat(one.sees(TWO) && two.sees(ONE)).isTrue();
    }

    @Test
    void shouldWarnOnceOfEach_whenAPeerIsOfYesterday() {
        peers.put(TWO, new InetSocketAddress("127.0.0.2", 1002));
        ClusterSecret next = ClusterSecret.of("the next secret of the cell");
        world.sourceAddress("127.0.0.1");
        new Node(ONE, peers, new Secrets(next, SECRET), true);
        open(TWO);
        pass(4000);

        assertThat(logged.warnings("node-1 is seen by node-2 at 127.0.0.2 under the second of this node's two secrets"))
                .hasSize(1);
        assertThat(logged.warnings("through the former handshake")).isEmpty();
    }

    @Test
    void shouldTellAgainAfterAnHour_whenAStrangerGoesOn() throws IOException {
        Node one = alone();
        pass(1000);
        for (int hour = 0; hour < 2; hour++) {
            for (int i = 0; i < 3; i++) {
                knock("127.0.0.9", TWO, ClusterSecret.of("a secret of that cell"));
                steps(1);
            }
            nowNanos += TimeUnit.HOURS.toNanos(1);
        }

        assertThat(one.count(LinkMetric.HANDSHAKES_REFUSED)).isEqualTo(6);
        assertThat(logged.warnings("node-1 refuses 127.0.0.9: node-2 does not prove the cluster secret"))
                .hasSize(2);
    }

    @Test
    void shouldTellOfAStrangersSilenceAndNotOfAPeers_whenConnectionsEndThatHaveProvenNothing() throws IOException {
        world.sourceAddress("127.0.0.1");
        Node one = new Node(ONE, peers, Secrets.only(SECRET), true, Optional.of(address(ONE)));
        pass(1000);
        knock("127.0.0.9", TWO, SECRET);
        pass(3100);
        assertThat(one.count(LinkMetric.HANDSHAKES_UNPROVEN)).isEqualTo(1);
        assertThat(logged.warnings("node-1 refuses 127.0.0.9: its connections end and have proven nothing"))
                .hasSize(1);

        knock("127.0.0.2", TWO, SECRET);
        steps(1);
        assertThat(one.count(LinkMetric.HANDSHAKES_UNPROVEN)).isEqualTo(1);
        pass(3100);
        assertThat(one.count(LinkMetric.HANDSHAKES_UNPROVEN)).isEqualTo(2);
        assertThat(logged.warnings("node-1 refuses 127.0.0.2"))
                .as("it took too long")
                .hasSize(1);
    }
}
