package dev.retier.iwarp.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.retier.iwarp.testbed.Certified;
import dev.retier.testsupport.TestAuthority.Subject;
import dev.retier.verbs.TlsKeys;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.SplittableRandom;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;

/** RFC 8446 by the JDK's engine: what this project adds to it. */
class TlsStreamTest {
    private static final Certified CELL = new Certified("cell");
    private static final Certified STRANGERS = new Certified("strangers");
    private static final TlsKeys ONE = CELL.keys(Subject.of("web-1"));
    private static final TlsKeys TWO = CELL.keys(Subject.of("web-2"));
    private static final int MUCH = 3_000_000;

    private static TlsPair established(long seed) throws SSLException {
        TlsPair pair = new TlsPair(ONE, TWO, seed);
        pair.establish();
        return pair;
    }

    private static byte[] random(int bytes) {
        byte[] made = new byte[bytes];
        new SplittableRandom(bytes).nextBytes(made);
        return made;
    }

    private static SSLException failure(TlsPair pair) {
        return catchThrowableOfType(SSLException.class, pair::establish);
    }

    @Test
    void shouldCarryAllBytesBothWays_whateverPiecesTheyComeIn() throws SSLException {
        for (long seed = 1; seed <= 20; seed++) {
            TlsPair pair = established(seed);
            byte[] little = random((int) (100 * seed));
            byte[] much = random(seed == 1 ? MUCH : 70_000);

            assertThat(pair.send(pair.initiator, pair.responder, little)).isEqualTo(little);
            assertThat(pair.send(pair.responder, pair.initiator, much)).isEqualTo(much);
            assertThat(pair.send(pair.initiator, pair.responder, much)).isEqualTo(much);
        }
    }

    @Test
    void shouldKnowWhoThePeerIs_whenBothAreBelieved() throws SSLException {
        TlsPair pair = established(1);

        assertThat(pair.initiator.peer.shown())
                .extracting(shown -> shown.getSubjectX500Principal().getName())
                .containsExactly("CN=web-2");
        assertThat(pair.responder.peer.shown())
                .extracting(X509Certificate::getSerialNumber)
                .hasSize(1);
        assertThat(pair.initiator.tasks).as("what takes long is left to others").isPositive();
    }

    @Test
    void shouldHoldAFewRecords_whateverIsToBeSent() throws SSLException {
        TlsPair pair = established(1);
        int little = pair.initiator.stream.heldBytes();
        ByteBuffer[] much = {ByteBuffer.wrap(random(MUCH))};

        pair.initiator.stream.send(much, 0, 1);

        assertThat(much[0].position()).isBetween(1, TlsStream.RECORDS << 14);
        assertThat(pair.initiator.stream.outgoing().remaining()).isLessThan((TlsStream.RECORDS << 14) + 1000);
        assertThat(pair.initiator.stream.heldBytes()).isBetween(little, (TlsStream.RECORDS + 1) << 15);
    }

    @Test
    void shouldTellAnEndFromACut_whenTcpHasNoMore() throws SSLException {
        TlsPair pair = established(1);
        ByteBuffer[] space = {ByteBuffer.allocate(100)};

        assertThatThrownBy(pair.responder.stream::inputEnded).hasMessageContaining("without TLS's close_notify");

        pair.initiator.stream.endOutput();
        while (pair.carry(pair.initiator, pair.responder)) {}
        assertThat(pair.initiator.stream.isOutputEnded()).isTrue();
        assertThat(pair.responder.stream.receive(space, 1)).isEqualTo(-1);
        pair.responder.stream.inputEnded();
        assertThatThrownBy(() -> pair.initiator.stream.send(new ByteBuffer[] {ByteBuffer.allocate(1)}, 0, 1))
                .isInstanceOf(SSLException.class);
    }

    @Test
    void shouldEnd_whenOneBitOfARecordIsFlipped() throws SSLException {
        for (int at : new int[] {5, 20, 900}) {
            TlsPair pair = established(at);
            pair.initiator.stream.send(new ByteBuffer[] {ByteBuffer.wrap(random(1000))}, 0, 1);
            ByteBuffer out = pair.initiator.stream.outgoing();
            out.put(out.position() + at, (byte) (out.get(out.position() + at) ^ 4));
            while (pair.carry(pair.initiator, pair.responder)) {}
            ByteBuffer space = ByteBuffer.allocate(2000);

            SSLException failure = catchThrowableOfType(
                    SSLException.class, () -> pair.responder.stream.receive(new ByteBuffer[] {space}, 1));

            assertThat(failure).isNotNull();
            assertThat(space.position()).as("bytes that were handed over").isZero();
            pair.responder.stream.alert();
            while (pair.carry(pair.responder, pair.initiator)) {}
            SSLException told = catchThrowableOfType(
                    SSLException.class, () -> pair.initiator.stream.receive(new ByteBuffer[] {space}, 1));
            assertThat(pair.initiator.peer.why(told)).isEqualTo("it ended TLS by the alert bad_record_mac");
        }
    }

    @Test
    void shouldNameTheAuthority_whenItIsAnother() {
        TlsPair pair = new TlsPair(ONE, STRANGERS.keys(Subject.of("web-2"), CELL), 1);

        SSLException failure = failure(pair);

        assertThat(pair.initiator.peer.why(failure))
                .isEqualTo(
                        "its certificate, CN=web-2, was issued by CN=strangers, which is not among the authorities in"
                                + " this side's ca file");
    }

    @Test
    void shouldSayWhose_whenTheOtherSideBelievesAnotherAuthority() throws SSLException {
        TlsPair pair = new TlsPair(CELL.keys(Subject.of("web-1")), CELL.keys(Subject.of("web-2"), STRANGERS), 1);

        SSLException failure = failure(pair);

        assertThat(pair.responder.peer.why(failure)).contains("CN=web-1, was issued by CN=cell");
        pair.responder.stream.alert();
        while (pair.carry(pair.responder, pair.initiator)) {}
        SSLException told = catchThrowableOfType(
                SSLException.class, () -> pair.initiator.stream.receive(new ByteBuffer[] {ByteBuffer.allocate(99)}, 1));
        assertThat(pair.initiator.peer.why(told)).startsWith("it does not believe this side's certificate");
    }

    @Test
    void shouldSaySinceWhen_whenACertificateHasExpired() {
        Instant end = Instant.parse("2026-01-02T03:04:05Z");
        Subject old = Subject.of("web-2").valid(end.minusSeconds(9), end);
        TlsPair pair = new TlsPair(ONE, CELL.keys(old), 1);

        assertThat(pair.initiator.peer.why(failure(pair)))
                .startsWith("its certificate has expired: CN=web-2 was valid until 2026-01-02T03:04:05Z");
    }

    @Test
    void shouldSayFromWhenOn_whenACertificateIsNotYetValid() {
        Instant begin = Instant.parse("2126-01-02T03:04:05Z");
        TlsPair pair = new TlsPair(ONE, CELL.keys(Subject.of("web-2").valid(begin, begin.plusSeconds(9))), 1);

        assertThat(pair.initiator.peer.why(failure(pair)))
                .startsWith("its certificate is not yet valid: CN=web-2 is so from 2126-01-02T03:04:05Z on");
    }

    @Test
    void shouldSayThatThePeerHasNoTls_whenItSpeaksMpa() throws SSLException {
        for (boolean isInitiator : new boolean[] {true, false}) {
            TlsPair pair = new TlsPair(ONE, TWO, 1);
            TlsPair.End end = isInitiator ? pair.initiator : pair.responder;
            end.handshake();
            end.stream.outgoing().position(end.stream.outgoing().limit());
            end.stream.incoming().put("MPA".getBytes(StandardCharsets.US_ASCII));
            end.stream.came();

            SSLException failure = catchThrowableOfType(SSLException.class, end::handshake);

            assertThat(end.peer.why(failure)).startsWith("it speaks no TLS, and this side does");
            assertThat(end.stream.outgoing().get(0)).as("an alert").isEqualTo((byte) 0x15);
        }
    }

    @Test
    void shouldEnd_whenAStrangerSendsNonsense() {
        for (int i = 0; i < 200; i++) {
            SplittableRandom random = new SplittableRandom(i);
            TlsPair pair = new TlsPair(ONE, TWO, i);
            byte[] nonsense = new byte[600];
            random.nextBytes(nonsense);
            if (random.nextBoolean()) { // the head of a record, at least
                System.arraycopy(new byte[] {0x16, 3, 1, 1, (byte) random.nextInt()}, 0, nonsense, 0, 5);
            }
            pair.responder.stream.incoming().put(nonsense);
            pair.responder.stream.came();

            SSLException failure = catchThrowableOfType(SSLException.class, pair.responder::handshake);

            assertThat(pair.responder.isEstablished).isFalse();
            assertThat(pair.responder.stream.outgoing().remaining()).isLessThan(200);
            assertThat(failure == null || !pair.responder.peer.why(failure).isEmpty())
                    .isTrue();
        }
    }

    /** RFC 8446 section 5.2: the engine would take twice as much, the stream has no space for it. */
    @Test
    void shouldEnd_whenARecordOfAStrangerIsTooLong() {
        TlsPair pair = new TlsPair(ONE, TWO, 1);
        ByteBuffer space = pair.responder.stream.incoming();
        space.put(new byte[] {0x16, 3, 1, 0x50, 0}).put(new byte[space.remaining()]);
        pair.responder.stream.came();

        SSLException failure = catchThrowableOfType(SSLException.class, pair.responder::handshake);

        assertThat(failure).hasMessage("a record of the handshake is too long");
    }
}
