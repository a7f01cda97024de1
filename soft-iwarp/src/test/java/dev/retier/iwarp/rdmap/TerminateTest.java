package dev.retier.iwarp.rdmap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.iwarp.memory.MemoryRegion;
import dev.retier.iwarp.mpa.Agreement;
import dev.retier.iwarp.wire.Hex;
import dev.retier.iwarp.wire.RdmapOpcode;
import dev.retier.iwarp.wire.ReadRequestHeader;
import dev.retier.iwarp.wire.Segment;
import dev.retier.iwarp.wire.TerminateReason;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a stream does with segments that are wrong: the codes of RFC 5040 section 4.8 and RFC 5041 section 8.2. */
class TerminateTest {
    private final Node node = new Node(1, false, Node.Style.STANDARD);

    private static byte[] segment(Segment header, byte... payload) {
        ByteBuffer buffer = ByteBuffer.allocate(header.headerLength() + payload.length);
        header.emit(buffer, 0);
        buffer.put(header.headerLength(), payload);
        return buffer.array();
    }

    private static Segment write(int stag, long offset) {
        return new Segment().tagged(RdmapOpcode.WRITE, stag, offset, true);
    }

    private static Segment untagged(RdmapOpcode opcode, int msn) {
        return new Segment().untagged(opcode, msn, 0, true);
    }

    private void receive(byte[] ulpdu) {
        node.engine.receive(ByteBuffer.wrap(ulpdu), 0, ulpdu.length);
    }

    private void shouldFail(TerminateReason reason, byte[] ulpdu) {
        receive(ulpdu);
        assertThat(node.engine.failure()).isEqualTo(reason);
        assertThat(node.engine.state()).isEqualTo(QpState.TERMINATE);
    }

    private byte[] readRequest(int stag, long offset, int size) {
        ByteBuffer body = ByteBuffer.allocate(ReadRequestHeader.LENGTH);
        new ReadRequestHeader(1, 2, size, stag, offset).emit(body, 0);
        return segment(untagged(RdmapOpcode.READ_REQUEST, 1), body.array());
    }

    private byte[] atomic(int operation, int stag, long offset) {
        ByteBuffer body = ByteBuffer.allocate(52);
        body.putInt(operation).putInt(9).putInt(stag).putLong(offset);
        return segment(untagged(RdmapOpcode.ATOMIC_REQUEST, 1), body.array());
    }

    @Test
    void shouldReportInvalidStag_whenWriteNamesNoRegion() {
        shouldFail(TerminateReason.DDP_INVALID_STAG, segment(write(node.region.stag() + 1, 0), (byte) 1));
    }

    @Test
    void shouldReportBounds_whenWriteEndsBehindRegion() {
        long last = node.region.address() + Node.MEMORY_BYTES - 1;
        shouldFail(TerminateReason.DDP_BOUNDS, segment(write(node.region.stag(), last), (byte) 1, (byte) 2));
    }

    @Test
    void shouldReportWrap_whenOffsetPlusLengthExceeds64Bits() {
        shouldFail(TerminateReason.DDP_WRAP, segment(write(node.region.stag(), -1), (byte) 1, (byte) 2));
    }

    @Test
    void shouldReportInvalidStag_whenWriteIsNotGranted() {
        MemoryRegion readOnly = node.register(4);
        shouldFail(TerminateReason.DDP_INVALID_STAG, segment(write(readOnly.stag(), readOnly.address()), (byte) 1));
    }

    @Test
    void shouldReportNotAssociated_whenRegionIsOfAnotherDomain() {
        MemoryRegion foreign = Objects.requireNonNull(
                node.table.register(MemoryRegion.Grant.toDomain(99, Node.ALL_RIGHTS), node.memory));
        shouldFail(TerminateReason.DDP_NOT_ASSOCIATED, segment(write(foreign.stag(), foreign.address()), (byte) 1));
    }

    @Test
    void shouldReportNotAssociated_whenRegionIsOfAnotherStream() {
        var grant = new MemoryRegion.Grant(Node.DOMAIN, 55, Node.ALL_RIGHTS);
        MemoryRegion foreign = Objects.requireNonNull(node.table.register(grant, node.memory));
        shouldFail(TerminateReason.DDP_NOT_ASSOCIATED, segment(write(foreign.stag(), foreign.address()), (byte) 1));
    }

    /** RFC 5041 section 5.2: a zero-length tagged segment's STag and offset are not looked at. */
    @Test
    void shouldAccept_whenEmptyWriteNamesBogusStag() {
        receive(segment(write(12345, -1)));
        assertThat(node.engine.state()).isEqualTo(QpState.RTS);
    }

    @Test
    void shouldReportVersion_whenTaggedSegmentHasAnother() {
        byte[] bytes = segment(write(1, 0));
        bytes[0] = (byte) 0xC0;
        shouldFail(TerminateReason.DDP_TAGGED_VERSION, bytes);
    }

    @Test
    void shouldReportVersion_whenUntaggedSegmentHasAnother() {
        byte[] bytes = segment(untagged(RdmapOpcode.SEND, 1));
        bytes[0] = 0x42;
        shouldFail(TerminateReason.DDP_UNTAGGED_VERSION, bytes);
    }

    @Test
    void shouldReportQueue_whenItIsSeven() {
        byte[] bytes = segment(untagged(RdmapOpcode.SEND, 1));
        bytes[9] = 7;
        shouldFail(TerminateReason.DDP_INVALID_QUEUE, bytes);
    }

    @Test
    void shouldReportMsn_whenItIsNotTheNext() {
        node.receive(1, 0, 10);
        shouldFail(TerminateReason.DDP_MSN_RANGE, segment(untagged(RdmapOpcode.SEND, 2)));
    }

    @Test
    void shouldReportNoBuffer_whenNoReceiveIsPosted() {
        shouldFail(TerminateReason.DDP_NO_BUFFER, segment(untagged(RdmapOpcode.SEND, 1)));
    }

    @Test
    void shouldReportOffset_whenMessageDoesNotStartAtZero() {
        node.receive(1, 0, 10);
        shouldFail(
                TerminateReason.DDP_INVALID_OFFSET,
                segment(new Segment().untagged(RdmapOpcode.SEND, 1, 4, true), (byte) 1));
    }

    @Test
    void shouldReportTooLongAndFailReceive_whenMessageExceedsIt() {
        node.receive(8, 0, 1);
        shouldFail(TerminateReason.DDP_TOO_LONG, segment(untagged(RdmapOpcode.SEND, 1), (byte) 1, (byte) 2));
        assertThat(node.received)
                .singleElement()
                .matches(done -> done.status() == WorkStatus.LOCAL_LENGTH && done.bytes() == 0)
                .matches(done -> done.flags().error() == TerminateReason.DDP_TOO_LONG.word());
    }

    @Test
    void shouldReportRdmapVersion_whenItIsZero() {
        byte[] bytes = segment(untagged(RdmapOpcode.SEND, 1));
        bytes[1] = 0x03;
        shouldFail(TerminateReason.RDMAP_VERSION, bytes);
    }

    @Test
    void shouldReportOpcode_whenItIsUnassigned() {
        byte[] bytes = segment(untagged(RdmapOpcode.SEND, 1));
        bytes[1] = 0x4C;
        shouldFail(TerminateReason.RDMAP_UNEXPECTED_OPCODE, bytes);
    }

    @Test
    void shouldReportOpcode_whenReadResponseAnswersNothing() {
        shouldFail(
                TerminateReason.RDMAP_UNEXPECTED_OPCODE,
                segment(new Segment().tagged(RdmapOpcode.READ_RESPONSE, 1, 0, true), (byte) 1));
    }

    @Test
    void shouldReportLocal_whenSegmentIsShorterThanItsHeader() {
        shouldFail(TerminateReason.DDP_LOCAL, new byte[] {0x41, 0x43, 0});
    }

    @Test
    void shouldReportAccess_whenReadIsNotGranted() {
        MemoryRegion writeOnly = node.register(3);
        shouldFail(TerminateReason.RDMAP_ACCESS, readRequest(writeOnly.stag(), writeOnly.address(), 4));
    }

    @Test
    void shouldReportBounds_whenReadLeavesRegion() {
        shouldFail(TerminateReason.RDMAP_BOUNDS, readRequest(node.region.stag(), node.region.address() - 1, 4));
    }

    @Test
    void shouldReportWrap_whenReadWraps() {
        shouldFail(TerminateReason.RDMAP_WRAP, readRequest(node.region.stag(), -2, 4));
    }

    /** RFC 5040 section 5.2: a Read of nothing is answered without a look at its source. */
    @Test
    void shouldAnswerEmpty_whenReadAsksForNothing() {
        receive(readRequest(424242, -1, 0));
        assertThat(Hex.of(node.output())).startsWith("000ec14200000001").hasSize(40);
    }

    @Test
    void shouldReportCatastrophe_whenReadsExceedIrd() {
        Node small = new Node(1, new Agreement(false, true, false, false, Set.of(), 1, 1, 0, false), 1442);
        byte[] first = readRequest(1, 0, 0);
        small.engine.receive(ByteBuffer.wrap(first), 0, first.length);
        byte[] second = first.clone();
        second[13] = 2;
        small.engine.receive(ByteBuffer.wrap(second), 0, second.length);
        assertThat(small.engine.failure()).isEqualTo(TerminateReason.RDMAP_STREAM_CATASTROPHE);
    }

    /** RFC 7306 section 5.1: a misaligned atomic does nothing. */
    @Test
    void shouldReportCatastrophe_whenAtomicIsMisaligned() {
        shouldFail(TerminateReason.RDMAP_STREAM_CATASTROPHE, atomic(0, node.region.stag(), node.region.address() + 4));
    }

    @Test
    void shouldReportOpcode_whenAtomicIsUnassigned() {
        shouldFail(TerminateReason.RDMAP_UNEXPECTED_OPCODE, atomic(1, node.region.stag(), node.region.address()));
    }

    @Test
    void shouldReportAccess_whenAtomicIsNotGranted() {
        MemoryRegion readWrite = node.register(7);
        shouldFail(TerminateReason.RDMAP_ACCESS, atomic(0, readWrite.stag(), readWrite.address()));
    }

    @Test
    void shouldReportCatastrophe_whenImmediateIsNotEightBytes() {
        node.receive(1, 0, 10);
        shouldFail(TerminateReason.RDMAP_STREAM_CATASTROPHE, segment(untagged(RdmapOpcode.IMMEDIATE, 1), (byte) 1));
    }

    @Test
    void shouldReportCannotInvalidate_whenStagIsShared() {
        node.receive(1, 0, 10);
        Segment send = untagged(RdmapOpcode.SEND_INVALIDATE, 1).invalidating(node.region.stag());
        shouldFail(TerminateReason.RDMAP_CANNOT_INVALIDATE, segment(send));
        assertThat(node.region.revoked()).isFalse();
    }

    @Test
    void shouldInvalidate_whenStagIsOfThisStreamAlone() {
        node.receive(1, 0, 10);
        var grant = new MemoryRegion.Grant(Node.DOMAIN, 1, Node.ALL_RIGHTS);
        MemoryRegion own = Objects.requireNonNull(node.table.register(grant, node.memory));
        receive(segment(untagged(RdmapOpcode.SEND_SOLICITED_INVALIDATE, 1).invalidating(own.stag())));
        assertThat(own.revoked()).isTrue();
        assertThat(node.received)
                .singleElement()
                .matches(done -> done.flags().solicited() && done.flags().invalidated() == own.stag());
    }

    /** RFC 5040 section 4.8: a read's Terminate carries the DDP header, its length, and the read's header. */
    @Test
    void shouldCarryHeaders_whenReadFails() {
        byte[] request = readRequest(0x01020304, 0, 4);
        receive(request);
        String sent = Hex.of(node.output());
        String ulpdu = HexFormat.of().formatHex(request);
        assertThat(sent).startsWith("0046" + "41470000000000000002000000010000" + "0000" + "0100e000" + "002e" + ulpdu);
    }

    /** RFC 5040 section 5.4: nothing follows a Terminate, and nothing is delivered after it. */
    @Test
    void shouldSendAndDeliverNothing_whenTerminateWasSent() {
        node.receive(1, 0, 10);
        receive(segment(write(1, 0), (byte) 1));
        assertThat(node.output()).isNotEmpty();
        node.post(WorkOpcode.WRITE, 0, 4, node, 0);
        receive(segment(untagged(RdmapOpcode.SEND, 1)));
        assertThat(node.output()).isEmpty();
        assertThat(node.received)
                .allMatch(done -> done.status() == WorkStatus.FLUSHED)
                .allMatch(done -> done.flags().error() == 0x1100, "what the peer did wrong");
        assertThat(node.sent).singleElement().matches(done -> done.status() != WorkStatus.SUCCESS);
    }

    /** Linux siw swaps bits in its Terminates: they are fatal, whatever they say. */
    @Test
    void shouldFailWork_whenPeerTerminates() {
        node.receive(1, 0, 10);
        node.post(WorkOpcode.READ, 0, 4, node, 0);
        node.post(WorkOpcode.WRITE, 8, 4, node, 0);
        receive(segment(write(1, 0)));
        node.output();
        receive(segment(untagged(RdmapOpcode.TERMINATE, 1), Hex.bytes("11000060")));
        node.engine.reap();
        assertThat(node.engine.remoteTerminate()).isNotNull();
        assertThat(node.output()).isEmpty();
        assertThat(node.sent.getFirst().status()).isEqualTo(WorkStatus.REMOTE_ACCESS);
        assertThat(node.received)
                .as("it is not the peer that did wrong")
                .singleElement()
                .matches(done -> done.flags().error() == 0);
    }
}
