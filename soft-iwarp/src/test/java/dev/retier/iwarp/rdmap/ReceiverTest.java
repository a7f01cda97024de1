package dev.retier.iwarp.rdmap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.iwarp.memory.MemoryRegion;
import dev.retier.iwarp.mpa.Agreement;
import dev.retier.iwarp.wire.RdmapOpcode;
import dev.retier.iwarp.wire.ReadRequestHeader;
import dev.retier.iwarp.wire.ReceivedTerminate;
import dev.retier.iwarp.wire.Segment;
import dev.retier.iwarp.wire.TerminateReason;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Headers of exactly and of nearly the right length, and answers that fit no question (RFC 5041 section 7.1). */
class ReceiverTest {
    private final Node node = new Node(1, true, Node.Style.STANDARD);
    private final MemoryRegion sink = node.register(Node.ALL_RIGHTS);

    private static Segment untagged(RdmapOpcode opcode, int msn) {
        return new Segment().untagged(opcode, msn, 0, true);
    }

    private Segment response(int stag, long offset, boolean last) {
        return new Segment().tagged(RdmapOpcode.READ_RESPONSE, stag, sink.address() + offset, last);
    }

    private Segment write() {
        return new Segment().tagged(RdmapOpcode.WRITE, node.region.stag(), node.region.address(), true);
    }

    /** Starts a Read of {@code bytes} bytes, or an atomic, into the sink. */
    private void start(WorkOpcode opcode, int bytes) {
        SendWork work = node.prepare(opcode, 0, 0, node, 0);
        work.scatter().add(sink.address(), bytes, sink.stag());
        node.engine.sends().commit();
        assertThat(node.output()).isNotEmpty();
    }

    private static byte[] answer(int id, long value) {
        return ByteBuffer.allocate(12).putInt(id).putLong(value).array();
    }

    private byte[] readRequest(int size, int bytes) {
        ByteBuffer body = ByteBuffer.allocate(Math.max(bytes, ReadRequestHeader.LENGTH));
        new ReadRequestHeader(1, 2, size, node.region.stag(), node.region.address()).emit(body, 0);
        byte[] cut = new byte[bytes];
        body.get(0, cut);
        return cut;
    }

    private void shouldHaveFailed(TerminateReason reason) {
        assertThat(node.engine.failure()).isEqualTo(reason);
        assertThat(node.engine.state()).isEqualTo(QpState.TERMINATE);
    }

    private void shouldWork() {
        assertThat(node.engine.failure()).isNull();
        assertThat(node.engine.state()).isEqualTo(QpState.RTS);
    }

    /** No access is under way any more: otherwise this waits for ever. */
    private void shouldBeFree(MemoryRegion region) {
        assertThat(node.table.deregister(region)).isTrue();
    }

    private Node.Done firstSent() {
        node.engine.reap();
        return node.sent.getFirst();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 13})
    void shouldReportLocal_whenTaggedHeaderIsCut(int length) {
        byte[] cut = new byte[length];
        ByteBuffer.wrap(Node.ulpdu(write())).get(cut);
        node.take(cut);
        shouldHaveFailed(TerminateReason.DDP_LOCAL);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 17})
    void shouldReportLocal_whenUntaggedHeaderIsCut(int length) {
        node.receive(1, 0, 8);
        byte[] cut = new byte[length];
        ByteBuffer.wrap(Node.ulpdu(untagged(RdmapOpcode.SEND, 1))).get(cut);
        node.take(cut);
        shouldHaveFailed(TerminateReason.DDP_LOCAL);
    }

    @Test
    void shouldDeliver_whenSendIsItsHeaderOnly() {
        node.receive(3, 0, 8);
        node.take(untagged(RdmapOpcode.SEND, 1));
        assertThat(node.received).singleElement().matches(done -> done.id() == 3 && done.bytes() == 0);
        shouldWork();
    }

    @ParameterizedTest
    @ValueSource(ints = {4, -1, Integer.MIN_VALUE})
    void shouldReportQueue_whenThereIsNoSuch(int queue) {
        byte[] bytes = Node.ulpdu(untagged(RdmapOpcode.SEND, 1));
        ByteBuffer.wrap(bytes).putInt(6, queue);
        node.take(bytes);
        shouldHaveFailed(TerminateReason.DDP_INVALID_QUEUE);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void shouldReportOpcode_whenSendIsOnAnotherQueue(int queue) {
        node.receive(1, 0, 8);
        byte[] bytes = Node.ulpdu(untagged(RdmapOpcode.SEND, 1));
        ByteBuffer.wrap(bytes).putInt(6, queue);
        node.take(bytes);
        shouldHaveFailed(TerminateReason.RDMAP_UNEXPECTED_OPCODE);
        assertThat(node.received).isEmpty();
    }

    @Test
    void shouldReportRdmapVersionAndPlaceNothing_whenWriteHasAnother() {
        byte[] bytes = Node.ulpdu(write(), (byte) 1);
        bytes[1] = (byte) 0x80;
        node.take(bytes);
        shouldHaveFailed(TerminateReason.RDMAP_VERSION);
        assertThat(node.bytes().get(0)).isZero();
    }

    /** RFC 5040 section 4.3, figure 4: which opcodes are tagged. */
    @ParameterizedTest
    @EnumSource(RdmapOpcode.class)
    void shouldReportOpcode_whenItIsOfTheOtherModel(RdmapOpcode opcode) {
        node.receive(1, 0, 8);
        Segment header = opcode.tagged() ? untagged(RdmapOpcode.SEND, 1) : write();
        byte[] bytes = Node.ulpdu(header, new byte[8]);
        bytes[1] = (byte) (0x40 | opcode.code());
        node.take(bytes);
        shouldHaveFailed(TerminateReason.RDMAP_UNEXPECTED_OPCODE);
    }

    @Test
    void shouldReportOpcode_whenTaggedOneIsUnassigned() {
        byte[] bytes = Node.ulpdu(write());
        bytes[1] = 0x4F;
        node.take(bytes);
        shouldHaveFailed(TerminateReason.RDMAP_UNEXPECTED_OPCODE);
    }

    @Test
    void shouldReportOffset_whenReadRequestDoesNotStartAtZero() {
        node.take(new Segment().untagged(RdmapOpcode.READ_REQUEST, 1, 4, true), readRequest(4, 28));
        shouldHaveFailed(TerminateReason.DDP_INVALID_OFFSET);
    }

    @Test
    void shouldReportTooLong_whenReadRequestHasByteMore() {
        node.take(untagged(RdmapOpcode.READ_REQUEST, 1), readRequest(4, 29));
        shouldHaveFailed(TerminateReason.DDP_TOO_LONG);
    }

    @Test
    void shouldReportTooLong_whenReadRequestGoesOn() {
        node.take(new Segment().untagged(RdmapOpcode.READ_REQUEST, 1, 0, false), readRequest(4, 28));
        shouldHaveFailed(TerminateReason.DDP_TOO_LONG);
    }

    @Test
    void shouldReportLocal_whenReadRequestHasByteLess() {
        node.take(untagged(RdmapOpcode.READ_REQUEST, 1), readRequest(4, 27));
        shouldHaveFailed(TerminateReason.DDP_LOCAL);
    }

    /** RFC 5040 section 4.8: from the control field alone to all headers. */
    @ParameterizedTest
    @ValueSource(ints = {4, 52})
    void shouldTakeItForTerminate_whenItsLengthIsPossible(int length) {
        node.take(untagged(RdmapOpcode.TERMINATE, 1), new byte[length]);
        assertThat(node.engine.remoteTerminate()).isNotNull();
    }

    @Test
    void shouldReportTooLong_whenTerminateHasByteMore() {
        node.take(untagged(RdmapOpcode.TERMINATE, 1), new byte[53]);
        shouldHaveFailed(TerminateReason.DDP_TOO_LONG);
    }

    @Test
    void shouldReportLocal_whenTerminateHasByteLess() {
        node.take(untagged(RdmapOpcode.TERMINATE, 1), new byte[3]);
        shouldHaveFailed(TerminateReason.DDP_LOCAL);
    }

    @Test
    void shouldKnowWhatPeerSaid_whenItTerminates() {
        node.take(untagged(RdmapOpcode.TERMINATE, 1), (byte) 0x12, (byte) 3, (byte) 0x80, (byte) 1);
        assertThat(node.engine.remoteTerminate()).isEqualTo(ReceivedTerminate.of(0x12038001));
        assertThat(node.engine.failure()).isNull();
    }

    @Test
    void shouldFreeRegion_whenWriteIsPlaced() {
        node.take(write(), (byte) 1, (byte) 2);
        assertThat(node.bytes().getShort(0)).isEqualTo((short) 0x0201);
        shouldBeFree(node.region);
    }

    @Test
    void shouldReportCatastrophe_whenAtomicsExceedIrd() {
        Node small = new Node(1, new Agreement(false, true, false, false, Set.of(), 1, 1, 0, false), 1442);
        byte[] body = ByteBuffer.allocate(52)
                .putInt(8, small.region.stag())
                .putLong(12, small.region.address())
                .array();
        small.take(untagged(RdmapOpcode.ATOMIC_REQUEST, 1), body);
        assertThat(small.engine.failure()).isNull();
        small.take(untagged(RdmapOpcode.ATOMIC_REQUEST, 2), body);
        assertThat(small.engine.failure()).isEqualTo(TerminateReason.RDMAP_STREAM_CATASTROPHE);
    }

    @Test
    void shouldReportStag_whenAtomicNamesNoRegion() {
        node.take(untagged(RdmapOpcode.ATOMIC_REQUEST, 1), new byte[52]);
        shouldHaveFailed(TerminateReason.RDMAP_INVALID_STAG);
    }

    @Test
    void shouldPlaceAndComplete_whenResponseComesInTwoSegments() {
        start(WorkOpcode.READ, 4);
        node.take(response(sink.stag(), 0, false), (byte) 1);
        node.engine.reap();
        assertThat(node.sent).isEmpty();
        node.take(response(sink.stag(), 1, true), (byte) 2, (byte) 3, (byte) 4);
        assertThat(firstSent().status()).isEqualTo(WorkStatus.SUCCESS);
        assertThat(node.bytes().getInt(0)).isEqualTo(0x04030201);
        shouldBeFree(sink);
    }

    /** RFC 5041 section 5.2: an empty segment's STag and offset are not looked at. */
    @Test
    void shouldComplete_whenEmptyResponseNamesBogusStag() {
        start(WorkOpcode.READ, 0);
        node.take(response(77, -1, true));
        assertThat(firstSent().status()).isEqualTo(WorkStatus.SUCCESS);
    }

    @Test
    void shouldReportBounds_whenEmptyResponseEndsReadTooSoon() {
        start(WorkOpcode.READ, 4);
        node.take(response(sink.stag(), 0, true));
        shouldHaveFailed(TerminateReason.DDP_BOUNDS);
    }

    @Test
    void shouldReportBounds_whenResponseEndsReadTooSoon() {
        start(WorkOpcode.READ, 4);
        node.take(response(sink.stag(), 0, true), new byte[3]);
        shouldHaveFailed(TerminateReason.DDP_BOUNDS);
        assertThat(firstSent().status()).isEqualTo(WorkStatus.FATAL);
    }

    @Test
    void shouldReportBounds_whenResponseHasAllButGoesOn() {
        start(WorkOpcode.READ, 4);
        node.take(response(sink.stag(), 0, false), new byte[4]);
        shouldHaveFailed(TerminateReason.DDP_BOUNDS);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldReportBoundsAndPlaceNothing_whenResponseIsLongerThanRead(boolean last) {
        start(WorkOpcode.READ, 4);
        node.take(response(sink.stag(), 0, last), (byte) 1, (byte) 2, (byte) 3, (byte) 4, (byte) 5);
        shouldHaveFailed(TerminateReason.DDP_BOUNDS);
        assertThat(node.bytes().getLong(0)).isZero();
    }

    @Test
    void shouldReportBoundsAndPlaceNothing_whenResponseSkipsByte() {
        start(WorkOpcode.READ, 4);
        node.take(response(sink.stag(), 1, false), (byte) 1);
        shouldHaveFailed(TerminateReason.DDP_BOUNDS);
        assertThat(node.bytes().getLong(0)).isZero();
    }

    /** RFC 5040 section 5.1: the sink is the one that the request named, though we own others. */
    @Test
    void shouldReportStagAndPlaceNothing_whenResponseNamesAnotherRegion() {
        start(WorkOpcode.READ, 4);
        node.take(response(node.region.stag(), 0, true), (byte) 1, (byte) 2, (byte) 3, (byte) 4);
        shouldHaveFailed(TerminateReason.DDP_INVALID_STAG);
        assertThat(node.bytes().getLong(0)).isZero();
    }

    @Test
    void shouldFailRead_whenItsSinkIsRevoked() {
        start(WorkOpcode.READ, 4);
        shouldBeFree(sink);
        node.take(response(sink.stag(), 0, true), new byte[4]);
        shouldHaveFailed(TerminateReason.RDMAP_LOCAL);
        assertThat(firstSent().status()).isEqualTo(WorkStatus.LOCAL_PROTECTION);
    }

    @Test
    void shouldReportOpcode_whenReadResponseAnswersAtomic() {
        start(WorkOpcode.FETCH_ADD, 8);
        node.take(response(sink.stag(), 0, true), new byte[8]);
        shouldHaveFailed(TerminateReason.RDMAP_UNEXPECTED_OPCODE);
    }

    @Test
    void shouldStoreValue_whenAtomicIsAnswered() {
        start(WorkOpcode.FETCH_ADD, 8);
        node.take(untagged(RdmapOpcode.ATOMIC_RESPONSE, 1), answer(1, 0x0102030405060708L));
        assertThat(firstSent().status()).isEqualTo(WorkStatus.SUCCESS);
        assertThat(node.bytes().getLong(0)).isEqualTo(0x0102030405060708L);
        shouldBeFree(sink);
    }

    /** RFC 7306 section 5.2.2: the response names the request. */
    @Test
    void shouldReportOpcode_whenAtomicResponseNamesAnotherRequest() {
        start(WorkOpcode.FETCH_ADD, 8);
        node.take(untagged(RdmapOpcode.ATOMIC_RESPONSE, 1), answer(2, -1));
        shouldHaveFailed(TerminateReason.RDMAP_UNEXPECTED_OPCODE);
        assertThat(node.bytes().getLong(0)).isZero();
    }

    @Test
    void shouldReportOpcode_whenAtomicResponseAnswersRead() {
        start(WorkOpcode.READ, 8);
        node.take(untagged(RdmapOpcode.ATOMIC_RESPONSE, 1), answer(0, -1));
        shouldHaveFailed(TerminateReason.RDMAP_UNEXPECTED_OPCODE);
    }

    @Test
    void shouldReportOpcode_whenAtomicResponseAnswersNothing() {
        node.take(untagged(RdmapOpcode.ATOMIC_RESPONSE, 1), answer(1, -1));
        shouldHaveFailed(TerminateReason.RDMAP_UNEXPECTED_OPCODE);
    }

    @Test
    void shouldFailAtomic_whenItsSinkIsRevoked() {
        start(WorkOpcode.FETCH_ADD, 8);
        shouldBeFree(sink);
        node.take(untagged(RdmapOpcode.ATOMIC_RESPONSE, 1), answer(1, -1));
        shouldHaveFailed(TerminateReason.RDMAP_LOCAL);
        assertThat(firstSent().status()).isEqualTo(WorkStatus.LOCAL_PROTECTION);
    }

    @Test
    void shouldFailReceive_whenItsRegionIsRevoked() {
        ReceiveWork work = Objects.requireNonNull(node.engine.receives().claim());
        work.scatter().add(sink.address(), 8, sink.stag());
        node.engine.receives().commit();
        shouldBeFree(sink);
        node.take(untagged(RdmapOpcode.SEND, 1), (byte) 1);
        shouldHaveFailed(TerminateReason.RDMAP_LOCAL);
        assertThat(node.received).singleElement().matches(done -> done.status() == WorkStatus.LOCAL_PROTECTION);
    }

    @Test
    void shouldFreeRegion_whenSendIsPlaced() {
        node.receive(1, 0, 8);
        node.take(untagged(RdmapOpcode.SEND, 1), (byte) 9);
        assertThat(node.bytes().get(0)).isEqualTo((byte) 9);
        shouldBeFree(node.region);
    }
}
