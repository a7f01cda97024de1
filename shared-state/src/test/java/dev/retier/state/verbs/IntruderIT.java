package dev.retier.state.verbs;

import static dev.retier.testsupport.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.link.LinkMetric;
import dev.retier.link.Metric;
import dev.retier.link.NodeId;
import dev.retier.link.RawPeer;
import dev.retier.link.auth.BadMessage;
import dev.retier.link.auth.ClusterSecret;
import dev.retier.link.auth.Initiator;
import dev.retier.state.RoleWord;
import dev.retier.state.StateMetric;
import dev.retier.state.slot.SlotGrant;
import dev.retier.state.slot.SlotLayout;
import dev.retier.testsupport.Logged;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What strangers and members do that they may not: refused, counted each time, logged once. */
@Timeout(120)
class IntruderIT {
    private static final NodeId ONE = Cell.node(1);
    private static final NodeId THREE = Cell.node(3);
    private static final NodeId TWO = Cell.node(2);

    private final Cell cell = new Cell(3, 1);
    private final Logged logged = new Logged();

    @BeforeEach
    void open() {
        cell.open(1).publish(Cell.LOAD);
        cell.open(2).publish(Cell.LOAD);
        await().until(() -> cell.known(1) == 2 && cell.known(2) == 2);
    }

    @AfterEach
    void close() {
        cell.close();
        logged.close();
    }

    @Test
    void shouldRefuseAndCount_whenTheSecretIsWrong() {
        cell.open(3, ClusterSecret.of("not the secret of this cell")).publish(Cell.LOAD);
        await().until(() -> count(LinkMetric.HANDSHAKES_REFUSED) >= 3);

        assertThat(logged.warnings("node-1 refuses 127.0.0.1: node-3 does not prove the cluster secret"))
                .hasSize(1);
        assertThat(cell.known(1)).isEqualTo(2);
    }

    @Test
    void shouldRefuseAnOldProof_whenAHandshakeIsReplayed() throws IOException, BadMessage {
        Initiator initiator = RawPeer.initiator(Cell.SECRET, THREE, ONE);
        byte[] hello = initiator.hello(new byte[16]);
        byte[] proof;
        try (RawPeer peer = new RawPeer(cell.address(1))) {
            proof = initiator.challenged(Objects.requireNonNull(peer.greet(hello)));
            peer.send(ByteBuffer.wrap(proof));
            assertThat(peer.message()).isNotNull();
        }
        for (int replay = 1; replay <= 2; replay++) {
            try (RawPeer peer = new RawPeer(cell.address(1))) {
                assertThat(peer.greet(hello)).isNull();
            }
            long refused = replay;
            await().until(() -> count(LinkMetric.HANDSHAKES_REFUSED) == refused);
        }
        assertThat(logged.warnings("it repeats what was said before")).hasSize(1);
        try (RawPeer peer = new RawPeer(cell.address(1))) {
            byte[] fresh = RawPeer.initiator(Cell.SECRET, THREE, ONE)
                    .hello(new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16});
            assertThat(peer.greet(fresh)).isNotNull();
            peer.send(ByteBuffer.wrap(proof));
            assertThat(peer.message()).isNull();
        }
        assertThat(count(LinkMetric.HANDSHAKES_REFUSED)).isEqualTo(3);
        assertThat(logged.warnings("refuses 127.0.0.1")).as("one line an hour").hasSize(1);
    }

    @Test
    void shouldRefuseAndCount_whenAGreetingIsOversized() throws IOException {
        try (RawPeer peer = new RawPeer(cell.address(1))) {
            assertThat(peer.greet(new byte[200])).isNull();
        }
        await().until(() -> count(LinkMetric.HANDSHAKES_REFUSED) == 1);
        assertThat(logged.warnings("127.0.0.1: not a retier node: the magic word is missing"))
                .hasSize(1);
    }

    @Test
    void shouldChangeNothing_whenAMemberWritesWithAReadersKey() throws IOException {
        RoleWord before = cell.word(1);
        try (RawPeer member = new RawPeer(cell.address(1))) {
            SlotGrant grant = member.prove(Cell.SECRET, THREE, ONE);
            assertThat(member.write(grant.slotAddress() + SlotLayout.ROLE_OFFSET, grant.readKey()))
                    .isFalse();
        }
        try (RawPeer member = new RawPeer(cell.address(1))) {
            SlotGrant grant = member.prove(Cell.SECRET, THREE, ONE);
            assertThat(member.swap(role(grant), grant.readKey(), before.encode()))
                    .isFalse();
        }
        assertThat(cell.word(1)).isEqualTo(before);
        await().until(() -> cell.known(2) == 2);
        await().until(() -> count(LinkMetric.KEYS_REFUSED) == 2);
        assertThat(logged.warnings("refuses " + THREE + " at 127.0.0.1: it used a key"))
                .hasSize(1);
    }

    @Test
    void shouldChangeNothing_whenTheKeyIsThatOfAnothersConnection() throws IOException {
        cell.close(2); // or it would take its place again before they are done
        RoleWord before = cell.word(1);
        try (RawPeer member = new RawPeer(cell.address(1));
                RawPeer thief = new RawPeer(cell.address(1));
                RawPeer guesser = new RawPeer(cell.address(1))) {
            SlotGrant grant = member.prove(Cell.SECRET, THREE, ONE);
            thief.prove(Cell.SECRET, TWO, ONE);
            assertThat(thief.swap(role(grant), grant.atomicKey(), before.encode()))
                    .isFalse();
            guesser.prove(Cell.SECRET, TWO, ONE);
            assertThat(guesser.write(grant.slotAddress(), grant.readKey())).isFalse();
            assertThat(cell.word(1)).isEqualTo(before);
            assertThat(member.swap(role(grant), grant.atomicKey(), before.encode() + 1))
                    .as("the member's own connection still stands")
                    .isTrue();
        }
        assertThat(count(StateMetric.ANNOUNCEMENTS_HEARD)).isZero();
        await().until(() -> count(LinkMetric.KEYS_REFUSED) == 2);
    }

    @Test
    void shouldWarnOfNothing_whenANodeClosesInGoodOrder() {
        cell.close(2);
        await().until(() -> count(LinkMetric.CONNECTIONS_LEFT) == 1);

        assertThat(logged.warnings()).isEmpty();
        assertThat(count(LinkMetric.CONNECTIONS_LOST)).isZero();
    }

    private static long role(SlotGrant grant) {
        return grant.slotAddress() + SlotLayout.ROLE_OFFSET;
    }

    private long count(Metric metric) {
        return Objects.requireNonNull(cell.at(1).metrics().get(metric));
    }
}
