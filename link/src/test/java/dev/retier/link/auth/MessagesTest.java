package dev.retier.link.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.link.NodeId;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The edges of what a message may say, and what each side does at them. */
class MessagesTest {
    private static final String TEXT = "a secret of this cell";
    private static final Right MEMBER = new Right(2, "");
    private static final NodeId TWO = new NodeId(2);
    private static final Versions PRESENT = Versions.only(3);

    @ParameterizedTest
    @ValueSource(strings = {"", "525448", "52544853000301", "5254485400030100", "0000000000000000"})
    void shouldRefuse_whenTheMagicWordOrTheHeaderIsMissing(String message) {
        assertThatThrownBy(() -> Messages.version(bytes(message)))
                .isInstanceOf(BadMessage.class)
                .hasMessageContaining("the magic word is missing");
    }

    @Test
    void shouldReadTheVersion_whenThereIsNoMoreThanAHeader() throws BadMessage {
        assertThat(Messages.version(bytes("5254485300030100"))).isEqualTo(3);
        assertThat(Messages.version(bytes("52544853ffff0100"))).isEqualTo(65_535);
    }

    /** As RoCE hands over what was 104 bytes of an accept, the last of which may well be zero. */
    @Test
    void shouldTakeOffPadding_butNothingOfAMessage() {
        byte[] challenge = new byte[104];
        ByteBuffer.wrap(challenge).put(bytes("5254485300030200"));
        challenge[102] = 1;

        assertThat(Messages.unpadded(Arrays.copyOf(challenge, 196))).isEqualTo(challenge);
        assertThat(Messages.unpadded(challenge)).isEqualTo(challenge);
        byte[] longer = Arrays.copyOf(challenge, 196);
        longer[195] = 1;
        assertThat(Messages.unpadded(longer)).as("no padding").isEqualTo(longer);
        byte[] former = Arrays.copyOf(bytes("5254485300020100"), 56);
        assertThat(Messages.unpadded(former)).as("of version 2").hasSize(40);
        assertThat(Messages.unpadded(new byte[196]))
                .as("an accept without data")
                .isEmpty();
        assertThat(Messages.unpadded(new byte[197]))
                .as("more than a network pads")
                .hasSize(197);
        assertThat(Messages.unpadded(bytes("0100"))).isEqualTo(bytes("0100"));
        assertThat(Messages.unpadded(bytes("5254485300030900")))
                .as("of no known type")
                .hasSize(8);
    }

    @Test
    void shouldRefuse_whenAWelcomeIsShorterThanItsGrant() {
        byte[] welcome = new byte[48];
        ByteBuffer.wrap(welcome).put(bytes("525448530003040203030000")).putInt(5);

        assertThatThrownBy(() -> Messages.open(ByteBuffer.wrap(welcome), Messages.WELCOME, PRESENT))
                .isInstanceOf(BadMessage.class)
                .hasMessageContaining("48 bytes where 53 are due");
    }

    @Test
    void shouldRefuse_whenAMessageOfTheSameLengthIsOfAnotherType() {
        byte[] challenge = new byte[72];
        ByteBuffer.wrap(challenge).put(bytes("5254485300020200"));

        assertThatThrownBy(() -> Messages.open(ByteBuffer.wrap(challenge), Messages.WELCOME, Versions.only(2)))
                .isInstanceOf(BadMessage.class);
    }

    @Test
    void shouldReadARange_whenItIsOne() throws BadMessage {
        assertThat(Messages.range(ByteBuffer.wrap(bytes("0101")))).isEqualTo(new Versions(1, 1));
        assertThat(Messages.range(ByteBuffer.wrap(bytes("02ff")))).isEqualTo(new Versions(2, 255));
        assertThat(Messages.range(ByteBuffer.wrap(bytes("0000"))))
                .as("a node of version 2 alone says nothing")
                .isEqualTo(new Versions(2, 2));
        for (String none : List.of("0003", "0403")) {
            assertThatThrownBy(() -> Messages.range(ByteBuffer.wrap(bytes(none))))
                    .isInstanceOf(BadMessage.class)
                    .hasMessageContaining("a range of versions from");
        }
    }

    @Test
    void shouldReadANode_whenItsNumberIsOne() throws BadMessage {
        assertThat(Messages.node(1)).isEqualTo(new NodeId(1));
        assertThat(Messages.node(65_535)).isEqualTo(new NodeId(65_535));
        for (int none : new int[] {0, -1, 65_536}) {
            assertThatThrownBy(() -> Messages.node(none))
                    .isInstanceOf(BadMessage.class)
                    .hasMessage("node id " + none + " is out of range");
        }
    }

    @Test
    void shouldBeARangeOfVersions_whenBothFitAByteInOrder() {
        assertThat(new Versions(1, 255).has(255)).isTrue();
        assertThat(new Versions(7, 7).has(7)).isTrue();
        assertThat(new Versions(7, 8).has(6) || new Versions(7, 8).has(9)).isFalse();
        assertThatThrownBy(() -> new Versions(0, 3)).hasMessage("0 to 3 is no range of versions");
        assertThatThrownBy(() -> new Versions(3, 2)).hasMessage("3 to 2 is no range of versions");
        assertThatThrownBy(() -> new Versions(2, 256)).hasMessage("2 to 256 is no range of versions");
    }

    @Test
    void shouldRefuseAnOffer_whenItsDigestHasAnotherLength() {
        assertThatThrownBy(() -> offer(new NodeId(1), Secrets.only(ClusterSecret.of(TEXT)), new byte[31]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a digest of 31 bytes");
    }

    @Test
    void shouldRefuse_whenAnotherNodeAnswersThanWasCalled() throws BadMessage {
        ClusterSecret secret = ClusterSecret.of(TEXT);
        Initiator asking = initiator(secret, 3);
        asking.hello(new byte[16]);
        Initiator other = new Initiator(offer(1, secret), new Initiator.Try(3, secret), new NodeId(3));
        byte[] challenge = new Responder(offer(3, secret)).greeted(other.hello(new byte[16]), new byte[16]);

        assertThatThrownBy(() -> asking.challenged(challenge))
                .isInstanceOf(BadMessage.class)
                .hasMessage("node-3 answers where node-2 should: check the peer list");
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void shouldRefuse_whenAnyByteOfTheWelcomeOrTheProofIsChanged(int version) throws BadMessage {
        ClusterSecret secret = ClusterSecret.of(TEXT);
        Initiator asking = initiator(secret, version);
        Responder asked = new Responder(offer(2, secret, version));
        byte[] proof = asking.challenged(asked.greeted(asking.hello(new byte[16]), new byte[16]));
        for (int i = 0; i < proof.length; i++) {
            byte[] changed = changed(proof, i);
            assertThatThrownBy(() -> asked.proven(changed)).isInstanceOf(BadMessage.class);
        }
        assertThat(asked.proven(proof).version()).isEqualTo(version);

        byte[] welcome = asked.welcome(new byte[32]);
        for (int i = 0; i < welcome.length; i++) {
            byte[] changed = changed(welcome, i);
            assertThatThrownBy(() -> asking.welcomed(changed)).isInstanceOf(BadMessage.class);
        }
        assertThat(asking.welcomed(welcome).grant().remaining()).isEqualTo(32);
    }

    @Test
    void shouldTellThatItWasTheFormerSecret_whenTheInitiatorHadToTryIt() throws BadMessage {
        ClusterSecret next = ClusterSecret.of("the next secret of this cell");
        ClusterSecret former = ClusterSecret.of(TEXT);
        for (ClusterSecret used : List.of(next, former)) {
            Offer rotating = offer(new NodeId(1), new Secrets(next, former), new byte[32]);
            Initiator asking = new Initiator(rotating, new Initiator.Try(3, used), TWO);
            Responder asked = new Responder(offer(2, used));
            byte[] challenge = asked.greeted(asking.hello(new byte[16]), new byte[16]);
            asked.proven(asking.challenged(challenge));

            assertThat(asking.welcomed(asked.welcome(new byte[32])).terms().bySecondSecret())
                    .isEqualTo(used.equals(former));
        }
    }

    @Test
    void shouldGrantThirtyTwoBytesExactly_whenTheFormerVersionIsSpoken() throws BadMessage {
        ClusterSecret secret = ClusterSecret.of(TEXT);
        Initiator asking = initiator(secret, 2);
        Responder asked = new Responder(offer(2, secret, 2));
        asked.proven(asking.challenged(asked.greeted(asking.hello(new byte[16]), new byte[16])));

        for (int length : new int[] {31, 33}) {
            assertThatThrownBy(() -> asked.welcome(new byte[length]))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("a grant of " + length + " bytes");
        }
        assertThat(asked.welcome(new byte[32])).hasSize(72);
    }

    @Test
    void shouldSayThatTheProgramIsWrong_whenAProofIsJudgedBeforeAGreeting() {
        Responder asked = new Responder(offer(2, ClusterSecret.of(TEXT)));

        assertThatThrownBy(() -> asked.proven(new byte[80]))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("before a greeting");
    }

    private static Initiator initiator(ClusterSecret secret, int version) {
        return new Initiator(offer(1, secret, version), new Initiator.Try(version, secret), TWO);
    }

    private static Offer offer(int node, ClusterSecret secret) {
        return offer(node, secret, 3);
    }

    private static Offer offer(int node, ClusterSecret secret, int highest) {
        ByteBuffer digest = ByteBuffer.allocate(Handshake.DIGEST_BYTES);
        Identity self = new Identity(new NodeId(node), 7);
        return new Offer(self, Secrets.only(secret), new Versions(2, highest), List.of(MEMBER), digest);
    }

    private static Offer offer(NodeId node, Secrets secrets, byte[] digest) {
        Identity self = new Identity(node, 7);
        return new Offer(self, secrets, Versions.spoken(true), List.of(MEMBER), ByteBuffer.wrap(digest));
    }

    private static byte[] changed(byte[] message, int at) {
        byte[] changed = Arrays.copyOf(message, message.length);
        changed[at] ^= 1;
        return changed;
    }

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex);
    }
}
