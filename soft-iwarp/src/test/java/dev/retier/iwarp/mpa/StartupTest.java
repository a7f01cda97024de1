package dev.retier.iwarp.mpa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.iwarp.wire.Hex;
import dev.retier.iwarp.wire.TerminateReason;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** MPA start-up, both sides (RFC 5044 section 7.1, RFC 6581). */
class StartupTest {
    private static final byte[] NONE = {};
    private static final Set<RtrKind> ALL = EnumSet.allOf(RtrKind.class);
    private static final StartupPolicy STANDARD = StartupPolicy.standard(16, 16).towards(true);

    private static StartupPolicy revision1(boolean crc, boolean markers) {
        return new StartupPolicy(1, crc, markers, false, ALL, 16, 16, LargeFpdus.ALWAYS);
    }

    private static StartupPolicy rtr(Set<RtrKind> kinds) {
        return new StartupPolicy(2, true, false, true, kinds, 16, 16, LargeFpdus.ALWAYS);
    }

    private static MpaFrame requested(StartupPolicy responder, byte[] request) {
        var result = new MpaResponder(responder).receive(ByteBuffer.wrap(request));
        return ((StartupResult.Requested) result).request();
    }

    private record Outcome(StartupResult initiator, Agreement responder) {
        Agreement agreed() {
            return ((StartupResult.Accepted) initiator).agreement();
        }

        StartupResult.Failed failed() {
            return (StartupResult.Failed) initiator;
        }
    }

    private static Outcome run(StartupPolicy initiating, StartupPolicy responding) {
        MpaInitiator initiator = new MpaInitiator(initiating);
        MpaFrame request = requested(responding, initiator.request(new byte[] {1, 2}));
        assertThat(request.privateData()).containsExactly(1, 2);
        MpaResponder.Acceptance acceptance = new MpaResponder(responding).accept(request, new byte[] {3});
        return new Outcome(initiator.receive(ByteBuffer.wrap(acceptance.bytes())), acceptance.agreement());
    }

    @Test
    void shouldMatchVector_whenRequestOffersWriteAndRead() {
        StartupPolicy policy = rtr(EnumSet.of(RtrKind.WRITE, RtrKind.READ)).withLargeFpdus(LargeFpdus.NEVER);
        assertThat(Hex.of(new MpaInitiator(policy).request(NONE)))
                .isEqualTo("4d504120494420526571204672616d65500200048010c010");
    }

    @ParameterizedTest
    @CsvSource({"true,true", "true,false", "false,true", "false,false"})
    void shouldUseCrc_whenEitherSideAsks(boolean initiator, boolean responder) {
        Outcome outcome = run(revision1(initiator, false), revision1(responder, false));
        assertThat(outcome.agreed().crc()).isEqualTo(initiator || responder);
        assertThat(outcome.responder().crc()).isEqualTo(initiator || responder);
    }

    /** RFC 5044 section 7.1.1: C is byte 16's second bit, and a Reply's says what both do. */
    @ParameterizedTest
    @CsvSource({"true,true", "true,false", "false,true", "false,false"})
    void shouldSayCrcInTheReply_whenEitherSideAsks(boolean initiator, boolean responder) {
        MpaResponder machine = new MpaResponder(revision1(responder, false));
        MpaFrame request = new MpaFrame(false, false, initiator, false, null, 1, NONE, 0);
        boolean either = initiator || responder;
        assertThat(machine.accept(request, NONE).bytes()[16]).isEqualTo((byte) (either ? 0x40 : 0));
    }

    /** Linux siw answers with the one way to say ready-to-receive that it has chosen, and offers none by itself. */
    @ParameterizedTest
    @EnumSource(RtrKind.class)
    void shouldTakePeerForAStranger_whenItKnowsOneKindOnly(RtrKind kind) {
        StartupPolicy plain = rtr(EnumSet.of(kind)).withLargeFpdus(LargeFpdus.NEVER);
        StartupPolicy standard = STANDARD.withLargeFpdus(LargeFpdus.NEVER);
        assertThat(run(standard, plain).agreed().isWithStranger()).isTrue();
        assertThat(run(plain, standard).responder().isWithStranger()).isTrue();
        assertThat(run(standard, standard).agreed().isWithStranger()).isFalse();
        assertThat(run(standard, standard).responder().isWithStranger()).isFalse();
        assertThat(run(revision1(true, false), standard).responder().isWithStranger())
                .isTrue();
    }

    /** M is the wish of a receiver: each direction for itself. */
    @ParameterizedTest
    @CsvSource({"true,true", "true,false", "false,true", "false,false"})
    void shouldSendMarkers_whenTheOtherSideWantsThem(boolean initiator, boolean responder) {
        Outcome outcome = run(revision1(true, initiator), revision1(true, responder));
        assertThat(outcome.responder().markersToSend()).isEqualTo(initiator);
        assertThat(outcome.agreed().markersToReceive()).isEqualTo(initiator);
        assertThat(outcome.agreed().markersToSend()).isEqualTo(responder);
        assertThat(outcome.responder().markersToReceive()).isEqualTo(responder);
    }

    @Test
    void shouldAnswerUnenhanced_whenRequestIsRevision1() {
        Outcome outcome = run(revision1(true, false), STANDARD);
        assertThat(outcome.agreed().rtr()).isEmpty();
        assertThat(((StartupResult.Accepted) outcome.initiator()).reply().enhanced())
                .isNull();
        assertThat(((StartupResult.Accepted) outcome.initiator()).reply().revision())
                .isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(RtrKind.class)
    void shouldSayReadyInTheOneCommonWay_whenKindsDiffer(RtrKind common) {
        EnumSet<RtrKind> others = EnumSet.complementOf(EnumSet.of(common));
        RtrKind extra = others.iterator().next();
        Outcome outcome = run(rtr(EnumSet.of(common, extra)), rtr(EnumSet.of(common)));
        assertThat(outcome.agreed().rtr()).containsExactly(common);
        assertThat(outcome.responder().rtr()).containsExactly(common);
    }

    @Test
    void shouldPreferWrite_whenAllKindsAreCommon() {
        assertThat(run(STANDARD, STANDARD).agreed().rtr()).containsExactly(RtrKind.WRITE);
    }

    @Test
    void shouldFailWithCode7_whenNoKindIsCommon() {
        Outcome outcome = run(rtr(EnumSet.of(RtrKind.SEND)), rtr(EnumSet.of(RtrKind.READ)));
        assertThat(outcome.failed().reason()).isEqualTo(TerminateReason.MPA_NO_MATCHING_RTR);
        assertThat(outcome.failed().agreement()).isNotNull();
    }

    @Test
    void shouldLowerOrdToThePeersIrd_whenWishesDiffer() {
        StartupPolicy few = StartupPolicy.standard(4, 20);
        StartupPolicy many = StartupPolicy.standard(10, 30);
        Outcome outcome = run(few, many);
        assertThat(outcome.agreed().ord()).isEqualTo(10);
        assertThat(outcome.responder().ord()).isEqualTo(4);
    }

    @Test
    void shouldFailWithCode6_whenResponderInsistsOnMoreReads() {
        var block = new EnhancedBlock(false, Set.of(), 16, 17);
        byte[] reply = new MpaFrame(true, false, true, false, block, 2, NONE, 0).emit();
        var failed = (StartupResult.Failed) new MpaInitiator(STANDARD).receive(ByteBuffer.wrap(reply));
        assertThat(failed.reason()).isEqualTo(TerminateReason.MPA_INSUFFICIENT_IRD);
    }

    @Test
    void shouldKeepLocalValues_whenPeerDoesNotNegotiate() {
        int not = EnhancedBlock.NOT_NEGOTIATED;
        var block = new EnhancedBlock(false, Set.of(), not, not);
        MpaFrame request = new MpaFrame(false, false, true, false, block, 2, NONE, 0);
        MpaResponder.Acceptance acceptance = new MpaResponder(STANDARD).accept(request, NONE);
        assertThat(acceptance.agreement().ord()).isEqualTo(16);
        EnhancedBlock answer =
                MpaFrame.parse(ByteBuffer.wrap(acceptance.bytes())).enhanced();
        assertThat(answer).isEqualTo(block);
        var accepted = (StartupResult.Accepted) new MpaInitiator(STANDARD).receive(ByteBuffer.wrap(acceptance.bytes()));
        assertThat(accepted.agreement().ord()).isEqualTo(16);
    }

    @Test
    void shouldCarryPrivateData_whenRejected() {
        MpaInitiator initiator = new MpaInitiator(STANDARD);
        MpaFrame request = requested(STANDARD, initiator.request(NONE));
        byte[] reply = new MpaResponder(STANDARD).reject(request, new byte[] {9, 8});
        var rejected = (StartupResult.Rejected) initiator.receive(ByteBuffer.wrap(reply));
        assertThat(rejected.reply().privateData()).containsExactly(9, 8);
    }

    /** A Reply has the Request's revision; one that rejects has R. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldRejectInItsRevision_whenRequestIsEither(int revision) {
        MpaFrame request = new MpaFrame(false, false, true, false, null, revision, NONE, 0);
        assertThat(Hex.of(new MpaResponder(STANDARD).reject(request, new byte[] {9})))
                .isEqualTo("4d504120494420526570204672616d65" + "600" + revision + "000109");
    }

    @Test
    void shouldCarryLongestPrivateData_whenEnhanced() {
        byte[] data = new byte[MpaFrame.MAX_ENHANCED_PRIVATE_DATA];
        Arrays.fill(data, (byte) 7);
        assertThat(requested(STANDARD, new MpaInitiator(STANDARD).request(data)).privateData())
                .isEqualTo(data);
        assertThatThrownBy(() -> new MpaInitiator(STANDARD).request(new byte[509]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("508");
    }

    /** RFC 5044 section 7.1.1: without the enhanced block there is room for 512 bytes, both ways. */
    @Test
    void shouldCarryLongestPrivateData_whenRevisionIs1() {
        byte[] data = new byte[MpaFrame.MAX_PRIVATE_DATA];
        Arrays.fill(data, (byte) 7);
        MpaInitiator initiator = new MpaInitiator(revision1(true, false));
        MpaFrame request = requested(STANDARD, initiator.request(data));
        assertThat(request.privateData()).isEqualTo(data).hasSize(512);
        byte[] reply = new MpaResponder(STANDARD).accept(request, data).bytes();
        var accepted = (StartupResult.Accepted) initiator.receive(ByteBuffer.wrap(reply));
        assertThat(accepted.reply().privateData()).isEqualTo(data);
        assertThatThrownBy(() -> new MpaInitiator(revision1(true, false)).request(new byte[513]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("512");
    }

    @Test
    void shouldAskForMore_whenFrameArrivesByteByByte() {
        byte[] request = new MpaInitiator(STANDARD).request(new byte[40]);
        MpaResponder responder = new MpaResponder(STANDARD);
        for (int i = 1; i < request.length; i++) {
            assertThat(responder.receive(ByteBuffer.wrap(request, 0, i))).isInstanceOf(StartupResult.NeedMore.class);
        }
        assertThat(responder.receive(ByteBuffer.wrap(request))).isInstanceOf(StartupResult.Requested.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3, 255})
    void shouldFail_whenRevisionIsUnknown(int revision) {
        byte[] request = new MpaInitiator(STANDARD).request(NONE);
        request[17] = (byte) revision;
        assertThat(new MpaResponder(STANDARD).receive(ByteBuffer.wrap(request)))
                .isInstanceOf(StartupResult.Failed.class);
    }

    @Test
    void shouldFailAtOnce_whenKeyIsWrong() {
        assertThat(new MpaResponder(STANDARD).receive(ByteBuffer.wrap(Hex.bytes("47455420"))))
                .isInstanceOf(StartupResult.Failed.class);
    }

    @Test
    void shouldFail_whenPrivateDataIsTooLong() {
        byte[] request = new MpaInitiator(revision1(true, false)).request(NONE);
        request[18] = 2;
        request[19] = 1;
        assertThat(new MpaResponder(STANDARD).receive(ByteBuffer.wrap(request)))
                .isInstanceOf(StartupResult.Failed.class);
    }

    @Test
    void shouldFail_whenEnhancedBlockIsCutOff() {
        byte[] request = Arrays.copyOf(new MpaInitiator(STANDARD).request(NONE), 22);
        request[19] = 2;
        assertThat(new MpaResponder(STANDARD).receive(ByteBuffer.wrap(request)))
                .isInstanceOf(StartupResult.Failed.class);
    }

    /** siw drops such a connection, too: FPDUs must not run ahead of the Reply. */
    @Test
    void shouldFail_whenBytesFollowTheRequest() {
        byte[] request = new MpaInitiator(STANDARD).request(NONE);
        assertThat(new MpaResponder(STANDARD).receive(ByteBuffer.wrap(Arrays.copyOf(request, request.length + 1))))
                .isInstanceOf(StartupResult.Failed.class);
    }

    @Test
    void shouldFail_whenBothSidesSentRequests() {
        byte[] request = new MpaInitiator(STANDARD).request(NONE);
        var failed = (StartupResult.Failed) new MpaInitiator(STANDARD).receive(ByteBuffer.wrap(request));
        assertThat(failed.detail()).contains("both sides sent a Request");
    }

    @Test
    void shouldFail_whenReplyComesFirst() {
        byte[] reply = new MpaFrame(true, false, true, false, null, 1, NONE, 0).emit();
        assertThat(new MpaResponder(STANDARD).receive(ByteBuffer.wrap(reply))).isInstanceOf(StartupResult.Failed.class);
    }

    /** Reserved bits are not looked at; without A, nor are B, C and D. */
    @Test
    void shouldIgnoreReservedBits_whenSet() {
        byte[] request = new MpaInitiator(STANDARD).request(NONE);
        request[16] |= 0x0F;
        assertThat(new MpaResponder(STANDARD).receive(ByteBuffer.wrap(request)))
                .isInstanceOf(StartupResult.Requested.class);
        assertThat(EnhancedBlock.parse(0x4001C001).rtr()).isEmpty();
    }

    /** Beyond RFC 5044: FPDUs longer than a segment of TCP, if both sides are of our kind and want them. */
    @ParameterizedTest
    @CsvSource({"true,true", "true,false", "false,true", "false,false"})
    void shouldSendLargeFpdus_whenBothSidesAgree(boolean initiator, boolean responder) {
        Outcome outcome = run(
                STANDARD.withLargeFpdus(initiator ? LargeFpdus.ALWAYS : LargeFpdus.NEVER),
                STANDARD.withLargeFpdus(responder ? LargeFpdus.TO_KNOWN : LargeFpdus.NEVER));
        int expected = initiator && responder ? Fpdu.MAX_ULPDU : 1442;
        assertThat(outcome.agreed().mulpdu(1448, Fpdu.MAX_ULPDU)).isEqualTo(expected);
        assertThat(outcome.responder().mulpdu(1448, Fpdu.MAX_ULPDU)).isEqualTo(expected);
        assertThat(outcome.agreed().mulpdu(1448, 1000))
                .as("never beyond our own limit")
                .isEqualTo(1000);
    }

    @Test
    void shouldAddNothingToThePrivateData_whenPeerIsNotKnown() {
        StartupPolicy policy = StartupPolicy.standard(16, 16).towards(false);
        assertThat(Hex.of(new MpaInitiator(policy).request(new byte[] {1, 2, 3})))
                .isEqualTo("4d504120494420526571204672616d6550020007c010c010" + "010203");
    }

    /** Revision 1 has no word for how many reads a peer holds, and more than it holds end the connection. */
    @Test
    void shouldReadOneAtATime_whenRevisionIs1() {
        Outcome outcome = run(revision1(true, false), STANDARD);
        assertThat(outcome.agreed().ord()).isEqualTo(1);
        assertThat(outcome.responder().ord()).isEqualTo(1);
        assertThat(outcome.responder().ird()).isEqualTo(16);
        assertThat(StartupPolicy.standard(16, 0).untoldOrd()).isZero();
    }

    /** A stranger finds its private data first, and in a frame that Linux siw takes; its Reply is no offer. */
    @Test
    void shouldKeepToSegments_whenResponderIsAStranger() {
        byte[] request = new MpaInitiator(STANDARD).request(new byte[] {1, 2, 3});
        assertThat(Hex.of(request))
                .isEqualTo("4d504120494420526571204672616d6550020013c010c010" + "010203" + "7265746965724650fd000000");
        byte[] reply = new MpaFrame(true, false, true, false, null, 2, new byte[] {4, 5}, 0).emit();
        var accepted = (StartupResult.Accepted) new MpaInitiator(STANDARD).receive(ByteBuffer.wrap(reply));
        assertThat(accepted.agreement().peerUlpdu()).isZero();
        assertThat(accepted.reply().privateData()).containsExactly(4, 5);
    }

    @Test
    void shouldSayNothingOfLargeFpdus_whenInitiatorIsAStranger() {
        var block = new EnhancedBlock(false, Set.of(), 1, 1);
        MpaFrame request = new MpaFrame(false, false, true, false, block, 2, new byte[] {1}, 0);
        MpaResponder.Acceptance acceptance = new MpaResponder(STANDARD).accept(request, new byte[] {2});
        assertThat(acceptance.bytes()).hasSize(MpaFrame.HEADER_LENGTH + EnhancedBlock.LENGTH + 1);
        assertThat(acceptance.agreement().peerUlpdu()).isZero();
    }

    /** Linux siw takes 256 bytes of private data, block and offer included. */
    @ParameterizedTest
    @CsvSource({"0,true", "240,true", "241,false", "508,false"})
    void shouldOfferLargeFpdus_whenPrivateDataLeavesRoom(int bytes, boolean offered) {
        MpaFrame request = requested(STANDARD, new MpaInitiator(STANDARD).request(new byte[bytes]));
        assertThat(request.longestUlpdu()).isEqualTo(offered ? Fpdu.MAX_ULPDU : 0);
        assertThat(request.privateData()).hasSize(bytes);
    }

    @Test
    void shouldKeepInitiatorToSegments_whenReplyHasNoRoomForTheAnswer() {
        MpaFrame request = requested(STANDARD, new MpaInitiator(STANDARD).request(NONE));
        MpaResponder.Acceptance acceptance = new MpaResponder(STANDARD).accept(request, new byte[508]);
        assertThat(acceptance.agreement().peerUlpdu()).isEqualTo(Fpdu.MAX_ULPDU);
        var accepted = (StartupResult.Accepted) new MpaInitiator(STANDARD).receive(ByteBuffer.wrap(acceptance.bytes()));
        assertThat(accepted.agreement().peerUlpdu()).isZero();
        assertThat(accepted.reply().privateData()).hasSize(508);
    }

    @ParameterizedTest
    @ValueSource(strings = {"7265746965724650007f0000", "7265746965724650fd010000", "7265746965724650fd000001", "7265"})
    void shouldLeavePrivateDataAlone_whenItIsNoOffer(String hex) {
        byte[] data = Hex.bytes(hex);
        byte[] request = new MpaFrame(false, false, true, false, null, 2, data, 0).emit();
        assertThat(requested(STANDARD, request).privateData()).isEqualTo(data);
        assertThat(requested(STANDARD, request).longestUlpdu()).isZero();
    }

    @Test
    void shouldOfferNothing_whenRevisionIs1() {
        MpaFrame request = requested(STANDARD, new MpaInitiator(revision1(true, false)).request(NONE));
        assertThat(request.longestUlpdu()).isZero();
    }

    /** Revision 1 knows no offer: bytes that look like one are the program's own. */
    @Test
    void shouldLeavePrivateDataAlone_whenRevisionIs1() {
        byte[] data = Hex.bytes("0102" + "7265746965724650fd000000");
        byte[] request = new MpaFrame(false, false, true, false, null, 1, data, 0).emit();
        MpaFrame parsed = requested(STANDARD, request);
        assertThat(parsed.privateData()).isEqualTo(data);
        assertThat(parsed.longestUlpdu()).isZero();
    }
}
