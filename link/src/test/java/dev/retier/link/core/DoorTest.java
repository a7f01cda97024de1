package dev.retier.link.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.link.NodeId;
import dev.retier.link.auth.BadMessage;
import dev.retier.link.auth.ClusterSecret;
import dev.retier.link.auth.Handshake;
import dev.retier.link.auth.Identity;
import dev.retier.link.auth.Initiator;
import dev.retier.link.auth.Offer;
import dev.retier.link.auth.Right;
import dev.retier.link.auth.Secrets;
import dev.retier.link.auth.Versions;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DoorTest {
    private static final ClusterSecret SECRET = ClusterSecret.of("a secret of this cell");
    private static final ClusterSecret WRONG = ClusterSecret.of("a secret of that cell");
    private static final NodeId ONE = new NodeId(1);
    private static final NodeId TWO = new NodeId(2);
    private static final AtomicLong LAST_NONCE = new AtomicLong();
    private static final Offer HERE = offer(ONE, SECRET);

    private final Door<Integer> door = new Door<>(() -> new byte[16], false, (_, _) -> Optional.empty());
    private int lastId;
    private long now;
    /** Between two requests. */
    private long step = Door.TURN_NANOS;

    @BeforeEach
    void configure() {
        door.peers(Map.of(ONE, address("10.0.0.1"), TWO, address("10.0.0.2")));
    }

    @Test
    void shouldLetInWithAChallenge_whenAPeerProvesTheSecret() {
        Door.LetIn<Integer> in = request("10.0.0.2", hello(TWO, SECRET, 3));

        assertThat(in.challenge()).hasSize(104);
        assertThat(in.out()).isEmpty();
    }

    @Test
    void shouldRefuseAndKeepNothing_whenAStrangerKnowsNoSecret() {
        for (int i = 0; i < 1000; i++) {
            refuses("node-2 does not prove the cluster secret", "10.9.9.9", hello(TWO, WRONG, 3));
        }
        step = 0;
        assertThat(out(request("10.0.0.2", hello(TWO, SECRET, 3)))).isEmpty();
        assertThat(out(request("10.0.0.2", hello(TWO, SECRET, 3)))).isEmpty();
        refuses("too many of its connections prove nothing", "10.0.0.2", hello(TWO, SECRET, 3));
        door.left(lastId - 1);
        assertThat(out(request("10.0.0.2", hello(TWO, SECRET, 3)))).isEmpty();
    }

    /** It takes nobody's place either: who is in start-up under its own name is not put out for it. */
    @Test
    void shouldRefuseAnImpostor_whenItProvesTheSecretAndShowsAnothersCertificate() throws BadMessage {
        Door<Integer> named = new Door<>(
                () -> new byte[16],
                false,
                (connection, node) -> connection > 10 ? Optional.of("it claims to be " + node) : Optional.empty());
        named.peers(Map.of(ONE, address("10.0.0.1"), TWO, address("10.0.0.2")));
        named.requested(1, hello(TWO, SECRET, 3), address("10.0.0.2"), HERE, 0);
        named.requested(2, hello(TWO, SECRET, 3), address("10.0.0.2"), HERE, 0);

        for (int version : new int[] {2, 3}) {
            assertThatThrownBy(() -> named.requested(
                            11, hello(TWO, SECRET, version), address("10.0.0.2"), HERE, Door.TURN_NANOS))
                    .hasMessage("it claims to be node-2");
        }

        assertThat(named.requested(3, hello(TWO, SECRET, 3), address("10.0.0.2"), HERE, Door.TURN_NANOS)
                        .out())
                .as("the oldest is still there to be put out")
                .containsExactly(1);
    }

    @Test
    void shouldRefuseBeforeAnythingIsMade_whenAMemberOfNoCellProves() {
        refuses("node-9 is not among this cell's peers", "10.0.0.2", hello(new NodeId(9), SECRET, 3));
    }

    @Test
    void shouldLetInAGuestThatProvesTheSecret_whereGuestsAreAdmitted() {
        NodeId guest = new NodeId(9999);
        Door<Integer> open =
                new Door<>(() -> new byte[16], true, (_, _) -> Optional.of("guests are asked for no name"));
        assertThatCode(() -> open.requested(1, hello(guest, SECRET, 3), address("10.9.9.9"), HERE, 0))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> open.requested(2, hello(guest, WRONG, 3), address("10.9.9.9"), HERE, 0))
                .hasMessageContaining("does not prove the cluster secret");
        assertThatThrownBy(() -> open.requested(3, hello(guest, SECRET, 2), address("10.9.9.9"), HERE, 0))
                .hasMessageContaining("its first message proves nothing");
    }

    @Test
    void shouldTellGuestsApartByTheirLives_whenTheyHaveOneId() {
        NodeId same = new NodeId(9999);
        Door<Integer> open =
                new Door<>(() -> new byte[16], true, (_, _) -> Optional.of("guests are asked for no name"));
        open.peers(Map.of(ONE, address("10.0.0.1")));
        Identity first = new Identity(same, 1);
        Identity second = new Identity(same, 2);

        assertThat(open.name(first)).isNotEqualTo(open.name(second));
        assertThat(open.name(new Identity(ONE, 1)))
                .as("a peer's new life takes the place of the one before")
                .isEqualTo(open.name(new Identity(ONE, 2)));
        assertThat(door.name(first)).as("no guests here").isEqualTo(door.name(second));
    }

    @Test
    void shouldRefuseTheFormerHandshake_whenTheAddressIsNoPeers() {
        refuses("its first message proves nothing", "10.9.9.9", hello(TWO, SECRET, 2));
        assertThat(out(request("10.0.0.2", hello(TWO, SECRET, 2)))).isEmpty();
    }

    @Test
    void shouldRefuse_whenAPeersAddressSaysNothing() {
        refuses("not a retier node: the magic word is missing", "10.0.0.2", new byte[0]);
    }

    @Test
    void shouldPutOutTheOldestOfTwo_whenMoreSpeakTheFormerHandshake() {
        request("10.0.0.2", hello(TWO, SECRET, 2));
        int oldest = lastId;
        request("10.0.0.2", hello(TWO, SECRET, 3));
        request("10.0.0.1", hello(ONE, SECRET, 2));

        assertThat(out(request("10.0.0.2", hello(TWO, SECRET, 2)))).containsExactly(oldest);
    }

    /** All nodes of a cell on one machine, which start or reconnect at once and try again before they have proven. */
    @Test
    void shouldPutOutNobodyElse_whenPeersThatShareAnAddressConnectAtOnce() {
        Map<NodeId, InetAddress> cell = new HashMap<>();
        for (int node = 1; node <= 7; node++) {
            cell.put(new NodeId(node), address("127.0.0.1"));
        }
        door.peers(cell);
        Map<Integer, NodeId> asking = new HashMap<>();
        for (int retry = 0; retry < 5; retry++) {
            for (NodeId node : cell.keySet()) {
                List<Integer> out = out(request("127.0.0.1", hello(node, SECRET, 3)));
                asking.put(lastId, node);
                assertThat(out).allSatisfy(id -> assertThat(asking).containsEntry(id, node));
                assertThat(out).doesNotContain(lastId - 1).hasSizeLessThanOrEqualTo(1);
                assertThat(out(request("127.0.0.1", hello(node, SECRET, 2))))
                        .as("the former handshake takes nobody's place but its own")
                        .doesNotContainAnyElementsOf(asking.keySet());
            }
        }
    }

    @Test
    void shouldBelieveAMessageOnce_whenItIsReplayedFromAnywhere() {
        byte[] recorded = hello(TWO, SECRET, 3);
        request("10.0.0.2", recorded);
        door.left(lastId);
        for (int i = 0; i < 1000; i++) {
            refuses("it repeats what was said before", "10.9.9." + i % 200, recorded);
            if (i < 900) {
                request("10.0.0.1", hello(ONE, SECRET, 3));
            }
        }

        assertThat(out(request("10.0.0.2", hello(TWO, SECRET, 3))))
                .as("a peer's place is never taken")
                .isEmpty();
    }

    @Test
    void shouldForgetTheOldestMessage_whenManyWereHeard() {
        byte[] first = hello(TWO, SECRET, 3);
        request("10.0.0.2", first);
        byte[] second = hello(TWO, SECRET, 3);
        request("10.0.0.2", second);
        for (int i = 0; i < 1023; i++) {
            request("10.0.0.1", hello(ONE, SECRET, 3));
        }
        refuses("it repeats what was said before", "10.0.0.2", second);
        request("10.0.0.2", first);
    }

    @Test
    void shouldLetEachHaveItsTurn_whenMoreComeSooner() {
        step = Door.TURN_NANOS / 2 - 1;
        for (int version : List.of(2, 3)) {
            request("10.0.0.2", hello(TWO, SECRET, version));
            int oldest = lastId;
            request("10.0.0.2", hello(TWO, SECRET, version));
            refuses("too many of its connections prove nothing", "10.0.0.2", hello(TWO, SECRET, version));
            assertThat(out(request("10.0.0.2", hello(TWO, SECRET, version)))).containsExactly(oldest);
        }
        assertThat(out(request("10.0.0.1", hello(ONE, SECRET, 3))))
                .as("another's")
                .isEmpty();
    }

    @Test
    void shouldBoundEachPeer_whenItProvesTheSecretAgainAndAgain() {
        for (int i = 0; i < 100; i++) {
            assertThat(out(request("10.9.9.9", hello(TWO, SECRET, 3))))
                    .isEqualTo(i < 2 ? List.of() : List.of(lastId - 2));
        }
    }

    @Test
    void shouldKeepPeersIn_whenMoreOfThemThanStrangersMayStandAtTheDoor() {
        Map<NodeId, InetAddress> cell = new HashMap<>();
        for (int node = 1; node <= 40; node++) {
            cell.put(new NodeId(node), address("10.0.0." + node));
        }
        door.peers(cell);
        cell.keySet().forEach(node -> request("10.0.0." + node.value(), hello(node, SECRET, 3)));

        assertThat(out(request("10.9.9.9", hello(TWO, SECRET, 3)))).isEmpty();
    }

    @Test
    void shouldRefuseTheYounger_whenTwoAgentsRunAsOneNode() {
        Identity elder = new Identity(TWO, 6);
        Identity younger = new Identity(TWO, 7);
        for (Identity who : List.of(elder, younger, elder)) {
            door.rivals().stands(who, "10.0.0.2");
        }
        refuses("node-2 runs twice, and the elder of both stands", "10.0.0.2", hello(TWO, SECRET, 3));

        door.rivals().gone(elder);
        assertThat(out(request("10.0.0.2", hello(TWO, SECRET, 3)))).isEmpty();
    }

    private Door.LetIn<Integer> request(String from, byte[] hello) {
        try {
            return door.requested(++lastId, hello, address(from), HERE, now += step);
        } catch (BadMessage refusal) {
            throw new AssertionError(refusal.reason(), refusal);
        }
    }

    private void refuses(String why, String from, byte[] hello) {
        assertThatThrownBy(() -> door.requested(++lastId, hello, address(from), HERE, now += step))
                .isInstanceOf(BadMessage.class)
                .hasMessage(why);
    }

    private static List<Integer> out(Door.LetIn<Integer> in) {
        return in.out();
    }

    private static byte[] nonce() {
        return ByteBuffer.allocate(16).putLong(LAST_NONCE.incrementAndGet()).array();
    }

    private static byte[] hello(NodeId from, ClusterSecret secret, int version) {
        return new Initiator(offer(from, secret), new Initiator.Try(version, secret), ONE).hello(nonce());
    }

    private static Offer offer(NodeId self, ClusterSecret secret) {
        return new Offer(
                new Identity(self, 7),
                Secrets.only(secret),
                Versions.spoken(true),
                List.of(new Right(2, "")),
                ByteBuffer.allocate(Handshake.DIGEST_BYTES));
    }

    private static InetAddress address(String digits) {
        try {
            return InetAddress.getByName(digits);
        } catch (UnknownHostException impossible) {
            throw new AssertionError(impossible);
        }
    }
}
