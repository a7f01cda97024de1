package dev.retier.state.verbs;

import static dev.retier.state.verbs.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.state.NodeId;
import dev.retier.state.RoleWord;
import dev.retier.state.StateMetric;
import dev.retier.state.auth.ClusterSecret;
import dev.retier.state.auth.Grant;
import dev.retier.state.auth.Handshake;
import dev.retier.state.auth.Identity;
import dev.retier.state.auth.Initiator;
import dev.retier.state.slot.SlotLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What strangers, viewers and members do that they may not: refused, counted each time, logged once. */
@Timeout(120)
class IntruderIT {
    private static final NodeId ONE = Cell.node(1);
    private static final NodeId THREE = Cell.node(3);
    private static final NodeId VIEWER = Cell.node(999);

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
        await().until(() -> count(StateMetric.HANDSHAKES_UNPROVEN) >= 3);

        assertThat(logged.warnings("node-1 sees connections end that have proven nothing"))
                .hasSize(1);
        assertThat(cell.known(1)).isEqualTo(2);
    }

    @Test
    void shouldRefuseAnOldProof_whenAHandshakeIsReplayed() throws IOException {
        Initiator initiator = new Initiator(Cell.SECRET, new Identity(THREE, 77), ONE);
        byte[] hello = initiator.hello(new byte[16]);
        byte[] proof;
        try (RawPeer peer = new RawPeer(cell.address(1))) {
            Handshake.Send send = (Handshake.Send) initiator.challenged(Objects.requireNonNull(peer.greet(hello)));
            proof = new byte[send.message().remaining()];
            send.message().get(proof);
            peer.send(ByteBuffer.wrap(proof));
            assertThat(peer.message()).isNotNull();
        }
        for (int replay = 1; replay <= 2; replay++) {
            try (RawPeer peer = new RawPeer(cell.address(1))) {
                assertThat(peer.greet(hello)).isNotNull();
                peer.send(ByteBuffer.wrap(proof));
                assertThat(peer.message()).isNull();
            }
            assertThat(count(StateMetric.HANDSHAKES_REFUSED)).isEqualTo(replay);
        }
        assertThat(logged.warnings("replays an old proof")).hasSize(1);
    }

    @Test
    void shouldRefuseAndCount_whenAGreetingIsOversized() throws IOException {
        try (RawPeer peer = new RawPeer(cell.address(1))) {
            assertThat(peer.greet(new byte[200])).isNull();
        }
        assertThat(count(StateMetric.HANDSHAKES_REFUSED)).isEqualTo(1);
        assertThat(logged.warnings("message of 200 bytes where 40 are due")).hasSize(1);
    }

    @Test
    void shouldChangeNothing_whenAViewerForgesAWrite() throws IOException {
        RoleWord before = cell.at(1).ownRoleWord();
        try (RawPeer viewer = new RawPeer(cell.address(1))) {
            Grant grant = viewer.prove(Cell.viewersSecret(), VIEWER, ONE);
            assertThat(viewer.write(grant.slotAddress() + SlotLayout.ROLE_OFFSET, grant.readKey()))
                    .isFalse();
        }
        try (RawPeer viewer = new RawPeer(cell.address(1))) {
            Grant grant = viewer.prove(Cell.viewersSecret(), VIEWER, ONE);
            assertThat(viewer.swap(role(grant), grant.readKey(), before.encode()))
                    .isFalse();
        }
        assertThat(cell.at(1).ownRoleWord()).isEqualTo(before);
        assertThat(cell.known(2)).isEqualTo(2);
        await().until(() -> count(StateMetric.KEYS_REFUSED) == 2);
        assertThat(logged.warnings(VIEWER + " used a key")).hasSize(1);
    }

    @Test
    void shouldChangeNothing_whenTheKeyIsThatOfAnothersConnection() throws IOException {
        RoleWord before = cell.at(1).ownRoleWord();
        try (RawPeer member = new RawPeer(cell.address(1));
                RawPeer thief = new RawPeer(cell.address(1));
                RawPeer guesser = new RawPeer(cell.address(1))) {
            Grant grant = member.prove(Cell.SECRET, THREE, ONE);
            thief.prove(Cell.viewersSecret(), VIEWER, ONE);
            guesser.prove(Cell.viewersSecret(), VIEWER, ONE);
            assertThat(thief.swap(role(grant), grant.atomicKey(), before.encode()))
                    .isFalse();
            assertThat(guesser.write(grant.announceAddress(), grant.announceKey()))
                    .isFalse();
            assertThat(cell.at(1).ownRoleWord()).isEqualTo(before);
            assertThat(member.swap(role(grant), grant.atomicKey(), before.encode() + 1))
                    .as("the member's own connection still stands")
                    .isTrue();
        }
        assertThat(count(StateMetric.ANNOUNCEMENTS_HEARD)).isZero();
        await().until(() -> count(StateMetric.KEYS_REFUSED) == 2);
    }

    @Test
    void shouldDropAndCount_whenAPeerNeverProves() throws IOException {
        try (RawPeer peer = new RawPeer(cell.address(1))) {
            assertThat(peer.greet(new Initiator(Cell.SECRET, new Identity(THREE, 77), ONE).hello(new byte[16])))
                    .isNotNull();
            assertThat(peer.message()).isNull();
        }
        assertThat(count(StateMetric.HANDSHAKES_UNPROVEN)).isEqualTo(1);
        assertThat(logged.warnings("have proven nothing")).hasSize(1);
    }

    @Test
    void shouldWarnOfNothing_whenANodeClosesInGoodOrder() {
        cell.close(2);
        await().until(() -> count(StateMetric.CONNECTIONS_LEFT) == 1);

        assertThat(logged.warnings()).isEmpty();
        assertThat(count(StateMetric.CONNECTIONS_LOST)).isZero();
    }

    private static long role(Grant grant) {
        return grant.slotAddress() + SlotLayout.ROLE_OFFSET;
    }

    private long count(StateMetric metric) {
        return Objects.requireNonNull(cell.at(1).metrics().get(metric));
    }
}
