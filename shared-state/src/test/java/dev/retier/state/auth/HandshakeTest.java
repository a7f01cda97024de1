package dev.retier.state.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.state.NodeId;
import dev.retier.testsupport.Seeded;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class HandshakeTest {
    private static final ClusterSecret SECRET = ClusterSecret.of("a secret of this cell");
    private static final ClusterSecret OTHER_SECRET = ClusterSecret.of("a secret of that cell");
    private static final Identity ONE = new Identity(new NodeId(1), 0x1111);
    private static final Identity TWO = new Identity(new NodeId(2), 0x2222);
    private static final byte[] NONCE_ONE = nonce(1);
    private static final byte[] NONCE_TWO = nonce(2);
    private static final Grant GRANT = new Grant(0x1000, 7, 8, 0x2000, 9, 77);

    private final Initiator initiator = new Initiator(SECRET, ONE, TWO.node());
    private final Responder responder = new Responder(SECRET, TWO);

    @Test
    void shouldWriteTheHelloAsDrawn_whenItBegins() {
        assertThat(HexFormat.of().formatHex(initiator.hello(NONCE_ONE)))
                .isEqualTo("52544853" + "0002" + "01" + "02" + "00000001" + "00000002" + "0000000000001111"
                        + "01010101010101010101010101010101");
    }

    @Test
    void shouldRevealTheGrant_whenBothProveTheSecret() {
        byte[] proof = message(initiator.challenged(challenge(initiator, responder)));

        assertThat(responder.proven(proof)).isEqualTo(new Handshake.Proven(ONE, Rights.MEMBER));
        assertThat(initiator.welcomed(responder.welcome(GRANT.encode())))
                .isInstanceOfSatisfying(Handshake.Welcomed.class, welcomed -> {
                    assertThat(welcomed.peer()).isEqualTo(TWO);
                    assertThat(Grant.decode(welcomed.grant())).isEqualTo(GRANT);
                });
    }

    @Test
    void shouldProveFabricRights_whenTheInitiatorAsksForThem() {
        Initiator asking = new Initiator(SECRET.forFabric(), ONE, TWO.node());
        byte[] proof = message(asking.challenged(challenge(asking, responder)));

        assertThat(responder.proven(proof)).isEqualTo(new Handshake.Proven(ONE, Rights.FABRIC));
    }

    @Test
    void shouldRefuse_whenAFabricsProofIsUsedForAMembersConnection() {
        Initiator asking = new Initiator(SECRET.forFabric(), ONE, TWO.node());
        byte[] hello = asking.hello(NONCE_ONE);
        byte[] forged = hello.clone();
        forged[7] = 2;

        assertThat(asking.challenged(message(responder.greeted(forged, NONCE_TWO))))
                .isInstanceOf(Handshake.Refused.class);
    }

    @Test
    void shouldRefuseTheResponder_whenItHasAnotherSecret() {
        byte[] challenge = challenge(initiator, new Responder(OTHER_SECRET, TWO));

        assertThat(initiator.challenged(challenge))
                .isInstanceOfSatisfying(
                        Handshake.Refused.class,
                        refused -> assertThat(refused.reason()).contains("cluster secret"));
    }

    @Test
    void shouldRefuseTheInitiator_whenItCannotProveTheSecret() {
        challenge(initiator, responder);
        Initiator liar = new Initiator(OTHER_SECRET, ONE, TWO.node());
        byte[] proof = message(liar.challenged(challenge(liar, new Responder(OTHER_SECRET, TWO))));

        assertThat(responder.proven(proof)).isInstanceOf(Handshake.Refused.class);
    }

    @Test
    void shouldRefuseAReplay_whenTheSameMessagesComeAgain() {
        byte[] hello = initiator.hello(NONCE_ONE);
        byte[] proof = message(initiator.challenged(message(responder.greeted(hello, NONCE_TWO))));
        Responder later = new Responder(SECRET, TWO);
        later.greeted(hello, nonce(3));

        assertThat(responder.proven(proof)).isInstanceOf(Handshake.Proven.class);
        assertThat(later.proven(proof)).isInstanceOf(Handshake.Refused.class);
    }

    @Test
    void shouldRefuse_whenTheWrongNodeIsCalledOrAnswers() {
        Responder three = new Responder(SECRET, new Identity(new NodeId(3), 1));

        assertThat(three.greeted(initiator.hello(NONCE_ONE), NONCE_TWO))
                .isEqualTo(new Handshake.Refused("node-1 calls node-2 here: check its peer list"));
    }

    @Test
    void shouldGiveAViewerItsRights_whenItHasTheViewersSecretOnly() {
        Initiator viewer = new Initiator(viewerSecret(), ONE, TWO.node());
        byte[] proof = message(viewer.challenged(challenge(viewer, responder)));

        assertThat(responder.proven(proof)).isEqualTo(new Handshake.Proven(ONE, Rights.VIEWER));
    }

    @Test
    void shouldRefuse_whenAViewerClaimsMemberRights() {
        Initiator viewer = new Initiator(viewerSecret(), ONE, TWO.node());
        byte[] forged = viewer.hello(NONCE_ONE);
        forged[7] = Rights.MEMBER.code();

        assertThat(viewer.challenged(message(responder.greeted(forged, NONCE_TWO))))
                .isInstanceOf(Handshake.Refused.class);
    }

    @Test
    void shouldNotLeadBackToTheMembersSecret_whenAViewersIsGiven() {
        assertThat(viewerSecret().rights()).isEqualTo(Rights.VIEWER);
        assertThatThrownBy(() -> viewerSecret().keyFor(Rights.MEMBER)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> ClusterSecret.of("viewer:0123456789"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("0123456789");
    }

    @Seeded(tries = 100)
    void shouldRefuseWithAReason_whenAMessageIsTruncatedOrChanged(SplittableRandom random) {
        byte[] challenge = challenge(initiator, responder);
        byte[] bad = random.nextBoolean()
                ? Arrays.copyOf(challenge, random.nextInt(challenge.length))
                : flip(challenge, random);

        assertThat(initiator.challenged(bad)).isInstanceOf(Handshake.Refused.class);
    }

    @Seeded(tries = 100)
    void shouldNeverThrow_whenAStrangerSendsAnything(SplittableRandom random) {
        byte[] noise = new byte[random.nextInt(Handshake.MAX_MESSAGE_BYTES)];
        random.nextBytes(noise);

        assertThat(responder.greeted(noise, NONCE_TWO)).isInstanceOf(Handshake.Refused.class);
        assertThat(initiator.welcomed(noise)).isInstanceOf(Handshake.Refused.class);
    }

    @Test
    void shouldNotShowItself_whenASecretIsPrintedOrRefused() {
        assertThat(SECRET.toString()).doesNotContain("cell");
        assertThatThrownBy(() -> ClusterSecret.of("  too short  "))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("9 characters")
                .hasMessageNotContaining("too short");
    }

    private static ClusterSecret viewerSecret() {
        return ClusterSecret.of(SECRET.forViewers());
    }

    private static byte[] challenge(Initiator initiator, Responder responder) {
        return message(responder.greeted(initiator.hello(NONCE_ONE), NONCE_TWO));
    }

    private static byte[] message(Handshake step) {
        ByteBuffer message = ((Handshake.Send) step).message();
        byte[] bytes = new byte[message.remaining()];
        message.get(message.position(), bytes);
        return bytes;
    }

    private static byte[] flip(byte[] message, SplittableRandom random) {
        byte[] changed = message.clone();
        changed[random.nextInt(changed.length)] ^= (byte) (1 << random.nextInt(8));
        return changed;
    }

    private static byte[] nonce(int value) {
        byte[] nonce = new byte[Messages.NONCE_LENGTH_BYTES];
        Arrays.fill(nonce, (byte) value);
        return nonce;
    }
}
