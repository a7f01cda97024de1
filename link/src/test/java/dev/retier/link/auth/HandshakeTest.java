package dev.retier.link.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.link.NodeId;
import dev.retier.testsupport.Seeded;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HandshakeTest {
    private static final ClusterSecret SECRET = ClusterSecret.of("a secret of this cell");
    private static final ClusterSecret OTHER_SECRET = ClusterSecret.of("a secret of that cell");
    private static final Right MEMBER = new Right(2, "");
    private static final Right FABRIC = new Right(3, "retier shared-state fabric");
    private static final Identity ONE = new Identity(new NodeId(1), 0x1111);
    private static final Identity TWO = new Identity(new NodeId(2), 0x2222);
    private static final byte[] GRANT = "where the memory is, in 32 bytes".getBytes(StandardCharsets.US_ASCII);
    private static final Versions BOTH = Versions.spoken(true);
    private static final Versions ONLY_FORMER = new Versions(2, 2);

    /** Of commit c429564, as its own classes wrote them: HELLO, CHALLENGE, PROOF, WELCOME of a member. */
    private static final List<String> FORMER = List.of(
            "52544853000201020000000100000002000000000000111101010101010101010101010101010101",
            "525448530002020000000002000000000000000000002222020202020202020202020202020202028ceb24772636a262622f1b2f"
                    + "9416412ff9c72992eb8476b88ff3e3461005ea29",
            "5254485300020300179d8cda78bf816788d919521ff58b4dffc20469468754c67879119b7ede5994",
            "5254485300020402776865726520746865206d656d6f72792069732c20696e203332206279746573a0cfdb25f9ef6204cf2daaed"
                    + "5976c6c18adba55997b0d3962180f8406f56d5c6");

    /** Of the same commit: a PROOF and a WELCOME for the fabric's right. */
    private static final List<String> FORMER_FABRIC = List.of(
            "52544853000201030000000100000002000000000000111101010101010101010101010101010101",
            "52544853000202000000000200000000000000000000222202020202020202020202020202020202ae2da95c1c4b1c19d19e0059"
                    + "a4b375ed50a75f357b019b99c9af19aea570d621",
            "5254485300020300e864dad55d6ccc6b16e59b2d21aa3334725f98dc7bb35b3def2beb212109ae2b",
            "5254485300020403776865726520746865206d656d6f72792069732c20696e2033322062797465739292e5898d69c16877c570ac"
                    + "968aad1192ee0f94a53930fe4b672a03d5b5f092");

    /** Of the version that this program prefers. */
    private static final List<String> PRESENT = List.of(
            "52544853000301020203d07800010002000000000000111101010101010101010101010101010101ae106c4ebb2f4ee66406a6a7"
                    + "3a38451e",
            "52544853000302000203d078000200000000000000002222020202020202020202020202020202022020202020202020202020"
                    + "2020202020202020202020202020202020202020200e26bb8f8340f3672ebb3b2824465882618db43fb244b902483a2a"
                    + "0a03b905d5",
            "52544853000303000203d078000000001010101010101010101010101010101010101010101010101010101010101010"
                    + "16b6a8c250db7b760ea0747fd0ab3c30257515f9a40babf615cefb4f0e2412ce",
            "52544853000304020203d07800000020776865726520746865206d656d6f72792069732c20696e203332206279746573a4dc746c"
                    + "d0b823472f333b3eee64424a0ece84aea29f2e17d1d56b525199aad8");

    private final Initiator initiator = initiator(offer(ONE, SECRET), 3, SECRET);
    private final Responder responder = new Responder(offer(TWO, SECRET));

    @Test
    void shouldWriteAndTakeEveryMessageAsBefore_whenOnlyTheFormerVersionIsSpoken() throws BadMessage {
        assertThat(messages(ONLY_FORMER, 2, MEMBER)).isEqualTo(FORMER);
        assertThat(messages(ONLY_FORMER, 2, FABRIC)).isEqualTo(FORMER_FABRIC);
    }

    @Test
    void shouldWriteAndTakeEveryMessageAsDrawn_whenThePresentVersionIsSpoken() throws BadMessage {
        assertThat(messages(BOTH, 3, MEMBER)).isEqualTo(PRESENT);
    }

    /** The range stands where a node of the former version alone reads nothing; all else is as before. */
    @Test
    void shouldDifferInTheRangeAlone_whenANewNodeAnswersAFormerOne() throws BadMessage {
        Responder newer = new Responder(offer(TWO, SECRET, BOTH, MEMBER));
        byte[] challenge = newer.greeted(HexFormat.of().parseHex(FORMER.getFirst()), nonce(2));

        assertThat(Arrays.copyOf(challenge, 40))
                .isEqualTo(HexFormat.of()
                        .parseHex(FORMER.get(1).substring(0, 24)
                                + "0203"
                                + FORMER.get(1).substring(28, 80)));
        Initiator former = initiator(offer(ONE, SECRET, ONLY_FORMER, MEMBER), 2, SECRET);
        former.hello(nonce(1));
        assertThat(newer.proven(former.challenged(challenge)).peer()).isEqualTo(ONE);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void shouldRevealTheGrantAndTheDigest_whenBothProveTheSecret(int version) throws BadMessage {
        Initiator asking = initiator(offer(ONE, SECRET, new Versions(2, version), MEMBER), version, SECRET);
        Responder asked = new Responder(offer(TWO, SECRET, new Versions(2, version), MEMBER));
        byte[] proof = asking.challenged(challenge(asking, asked));
        ByteBuffer none = ByteBuffer.allocate(32);

        assertThat(asked.proven(proof))
                .isEqualTo(new Terms(ONE, version, MEMBER, version == 2 ? none : digest(ONE), false));
        assertThat(asking.welcomed(asked.welcome(GRANT)))
                .isEqualTo(new Initiator.Welcomed(
                        new Terms(TWO, version, MEMBER, version == 2 ? none : digest(TWO), false),
                        ByteBuffer.wrap(GRANT)));
    }

    @Test
    void shouldGrantMore_whenThePresentVersionIsSpoken() throws BadMessage {
        responder.proven(initiator.challenged(challenge(initiator, responder)));

        assertThat(initiator.welcomed(responder.welcome(new byte[128])).grant().remaining())
                .isEqualTo(128);
        assertThatThrownBy(() -> responder.welcome(new byte[129])).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldSayNothingToGuessAgainst_whenAStrangerGreets() throws BadMessage {
        Initiator stranger = initiator(offer(ONE, OTHER_SECRET), 3, OTHER_SECRET);

        refuses("node-1 does not prove the cluster secret", () -> challenge(stranger, responder));
    }

    @Test
    void shouldRefuse_whenEitherSpeaksLowerThanBothCould() throws BadMessage {
        Initiator downgraded = initiator(offer(ONE, SECRET), 2, SECRET);
        byte[] challenge = challenge(downgraded, responder);
        refuses("version 2 is used where both speak 3", () -> downgraded.challenged(challenge));

        Initiator future = initiator(offer(ONE, SECRET, new Versions(2, 4), MEMBER), 3, SECRET);
        Responder asked = new Responder(offer(TWO, SECRET, new Versions(2, 4), MEMBER));
        refuses("version 3 is used where both speak 4", () -> challenge(future, asked));
    }

    @Test
    void shouldRefuse_whenTheFormerVersionIsSwitchedOff() throws BadMessage {
        Responder strict = new Responder(offer(TWO, SECRET, Versions.spoken(false), MEMBER));

        byte[] hello = HexFormat.of().parseHex(FORMER.getFirst());
        refuses("protocol version 2, ours are 3 to 3", () -> strict.greeted(hello, nonce(2)));
    }

    @Test
    void shouldTakeEitherSecretAndTellWhich_whenOneIsRotated() throws BadMessage {
        Secrets rotating = new Secrets(OTHER_SECRET, SECRET);
        Offer two = new Offer(TWO, rotating, BOTH, List.of(MEMBER), digest(TWO));
        for (ClusterSecret used : rotating.all()) {
            Initiator asking = initiator(offer(ONE, used), 3, used);
            Responder asked = new Responder(two);
            byte[] proof = asking.challenged(challenge(asking, asked));

            assertThat(asked.proven(proof).bySecondSecret()).isEqualTo(used.equals(SECRET));
        }
    }

    @Test
    void shouldServeARightThatLinkDoesNotKnow_whenAnUpperLayerDefinesIt() throws BadMessage {
        Right volume = new Right(4, "retier volume");
        Initiator asking = initiator(offer(ONE, SECRET, BOTH, volume), 3, SECRET);

        assertThat(challenge(asking, new Responder(offer(TWO, SECRET, BOTH, volume))))
                .isNotEmpty();
        refuses("right 4 is asked for, which is not served here", () -> challenge(asking, responder));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void shouldRefuse_whenAFabricsProofIsUsedForAMembersConnection(int version) throws BadMessage {
        Versions spoken = new Versions(2, version);
        Initiator asking = initiator(offer(ONE, SECRET, spoken, FABRIC), version, SECRET);
        byte[] forged = asking.hello(nonce(1));
        forged[7] = 2;
        Responder asked = new Responder(offer(TWO, SECRET, spoken, MEMBER));

        refuses("", () -> asking.challenged(asked.greeted(forged, nonce(2))));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void shouldRefuseAReplay_whenTheSameMessagesComeAgain(int version) throws BadMessage {
        Versions spoken = new Versions(2, version);
        Initiator asking = initiator(offer(ONE, SECRET, spoken, MEMBER), version, SECRET);
        Responder asked = new Responder(offer(TWO, SECRET, spoken, MEMBER));
        byte[] hello = asking.hello(nonce(1));
        byte[] proof = asking.challenged(asked.greeted(hello, nonce(2)));
        Responder later = new Responder(offer(TWO, SECRET, spoken, MEMBER));
        later.greeted(hello, nonce(3));

        assertThat(asked.proven(proof).peer()).isEqualTo(ONE);
        refuses("replays an old proof", () -> later.proven(proof));
    }

    @Test
    void shouldRefuse_whenTheWrongNodeIsCalled() throws BadMessage {
        Responder three = new Responder(offer(new Identity(new NodeId(3), 1), SECRET));

        refuses("node-1 calls node-2 here: check its peer list", () -> challenge(initiator, three));
    }

    @Test
    void shouldRefuseEveryMessage_whenAnyOneBitOfItIsChanged() throws BadMessage {
        byte[] hello = initiator.hello(nonce(1));
        byte[] challenge = responder.greeted(hello, nonce(2));
        for (int bit = 0; bit < hello.length * 8; bit++) {
            byte[] changed = flipped(hello, bit);
            refuses("", () -> new Responder(offer(TWO, SECRET)).greeted(changed, nonce(2)));
        }
        for (int bit = 0; bit < challenge.length * 8; bit++) {
            Initiator asking = initiator(offer(ONE, SECRET), 3, SECRET);
            asking.hello(nonce(1));
            byte[] changed = flipped(challenge, bit);
            refuses("", () -> asking.challenged(changed));
        }
    }

    @Seeded(tries = 100)
    void shouldRefuse_whenAStrangerSendsAnything(SplittableRandom random) throws BadMessage {
        byte[] noise = new byte[random.nextInt(Handshake.MAX_MESSAGE_BYTES)];
        random.nextBytes(noise);

        refuses("", () -> responder.greeted(noise, nonce(2)));
        refuses("", () -> initiator.challenged(noise));
        refuses("", () -> initiator.welcomed(noise));
    }

    @Seeded(tries = 100)
    void shouldRefuse_whenAMessageIsTruncated(SplittableRandom random) throws BadMessage {
        byte[] challenge = challenge(initiator, responder);

        byte[] part = Arrays.copyOf(challenge, random.nextInt(challenge.length));
        refuses("", () -> initiator.challenged(part));
    }

    @Test
    void shouldNotShowItself_whenASecretIsPrintedOrRefused() throws BadMessage {
        assertThat(SECRET.toString()).doesNotContain("cell");
        assertThatThrownBy(() -> ClusterSecret.of("  too short  "))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("9 characters")
                .hasMessageNotContaining("too short");
    }

    private static List<String> messages(Versions spoken, int version, Right right) throws BadMessage {
        Initiator asking = initiator(offer(ONE, SECRET, spoken, right), version, SECRET);
        Responder asked = new Responder(offer(TWO, SECRET, spoken, right));
        byte[] hello = asking.hello(nonce(1));
        byte[] challenge = asked.greeted(hello, nonce(2));
        byte[] proof = asking.challenged(challenge);
        assertThat(asked.proven(proof).peer()).isEqualTo(ONE);
        byte[] welcome = asked.welcome(GRANT);
        assertThat(asking.welcomed(welcome).grant()).isEqualTo(ByteBuffer.wrap(GRANT));
        return IntStream.range(0, 4)
                .mapToObj(index -> HexFormat.of()
                        .formatHex(List.of(hello, challenge, proof, welcome).get(index)))
                .toList();
    }

    private static Offer offer(Identity self, ClusterSecret secret) {
        return offer(self, secret, BOTH, MEMBER);
    }

    private static Offer offer(Identity self, ClusterSecret secret, Versions spoken, Right right) {
        return new Offer(self, Secrets.only(secret), spoken, List.of(right), digest(self));
    }

    private static ByteBuffer digest(Identity self) {
        byte[] digest = new byte[Handshake.DIGEST_BYTES];
        Arrays.fill(digest, (byte) (0x10 * self.node().value()));
        return ByteBuffer.wrap(digest);
    }

    private static Initiator initiator(Offer offer, int version, ClusterSecret secret) {
        return new Initiator(offer, new Initiator.Try(version, secret), TWO.node());
    }

    private static byte[] challenge(Initiator initiator, Responder responder) throws BadMessage {
        return responder.greeted(initiator.hello(nonce(1)), nonce(2));
    }

    private static void refuses(String why, ThrowingCallable step) {
        assertThatThrownBy(step).isInstanceOf(BadMessage.class).hasMessageContaining(why);
    }

    private static byte[] flipped(byte[] message, int bit) {
        byte[] changed = message.clone();
        changed[bit / 8] ^= (byte) (1 << bit % 8);
        return changed;
    }

    private static byte[] nonce(int value) {
        byte[] nonce = new byte[Messages.NONCE_LENGTH_BYTES];
        Arrays.fill(nonce, (byte) value);
        return nonce;
    }
}
