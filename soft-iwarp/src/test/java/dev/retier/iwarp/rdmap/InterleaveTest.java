package dev.retier.iwarp.rdmap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.iwarp.memory.MemoryRegion;
import dev.retier.iwarp.wire.RdmapOpcode;
import dev.retier.iwarp.wire.Segment;
import dev.retier.iwarp.wire.TerminateReason;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Segments of several messages between each other, and messages that nobody waits for. */
class InterleaveTest {
    private final Node node = new Node(1, false, Node.Style.STANDARD);

    private void receive(Segment header, byte... payload) {
        ByteBuffer buffer = ByteBuffer.allocate(header.headerLength() + payload.length);
        header.emit(buffer, 0);
        buffer.put(header.headerLength(), payload);
        node.engine.receive(buffer, 0, buffer.capacity());
    }

    private Segment write(long at, boolean last) {
        return new Segment().tagged(RdmapOpcode.WRITE, node.region.stag(), node.region.address() + at, last);
    }

    private static Segment send(RdmapOpcode opcode, int msn, int offset, boolean last) {
        return new Segment().untagged(opcode, msn, offset, last);
    }

    /** RFC 5041 section 5.3 forbids senders to do it; a tagged segment says by itself where it belongs. */
    @Test
    void shouldPlaceBoth_whenTwoWritesInterleave() {
        receive(write(0, false), (byte) 1);
        receive(write(100, false), (byte) 2);
        receive(write(1, true), (byte) 3);
        receive(write(101, true), (byte) 4);
        assertThat(node.engine.state()).isEqualTo(QpState.RTS);
        assertThat(node.bytes().getShort(0)).isEqualTo((short) 0x0301);
        assertThat(node.bytes().getShort(100)).isEqualTo((short) 0x0402);
    }

    @Test
    void shouldDeliverSend_whenWriteComesBetweenItsSegments() {
        node.receive(9, 0, 10);
        receive(send(RdmapOpcode.SEND, 1, 0, false), (byte) 1);
        receive(write(100, true), (byte) 7);
        receive(send(RdmapOpcode.SEND, 1, 1, true), (byte) 2);
        assertThat(node.received).singleElement().matches(done -> done.bytes() == 2);
        assertThat(node.bytes().get(100)).isEqualTo((byte) 7);
    }

    @Test
    void shouldReportMsn_whenSecondSendStartsWithinTheFirst() {
        node.receive(1, 0, 10);
        node.receive(2, 10, 10);
        receive(send(RdmapOpcode.SEND, 1, 0, false), (byte) 1);
        receive(send(RdmapOpcode.SEND, 2, 0, true), (byte) 2);
        assertThat(node.engine.failure()).isEqualTo(TerminateReason.DDP_MSN_RANGE);
    }

    @Test
    void shouldReportOpcode_whenMessageChangesItsKind() {
        node.receive(1, 0, 10);
        receive(send(RdmapOpcode.SEND, 1, 0, false), (byte) 1);
        receive(send(RdmapOpcode.SEND_SOLICITED, 1, 1, true), (byte) 2);
        assertThat(node.engine.failure()).isEqualTo(TerminateReason.RDMAP_UNEXPECTED_OPCODE);
    }

    @Test
    void shouldReportStag_whenTwoReadResponsesInterleave() {
        node.post(WorkOpcode.READ, 0, 4, node, 0);
        node.post(WorkOpcode.READ, 8, 4, node, 0);
        receive(write(0, true));
        node.output();
        int stag = node.region.stag();
        long base = node.region.address();
        receive(new Segment().tagged(RdmapOpcode.READ_RESPONSE, stag, base, false), (byte) 1);
        receive(new Segment().tagged(RdmapOpcode.READ_RESPONSE, stag, base + 8, false), (byte) 2);
        assertThat(node.engine.failure()).isEqualTo(TerminateReason.DDP_BOUNDS);
    }

    @Test
    void shouldReportNoBuffer_whenImmediateFindsNoReceive() {
        receive(send(RdmapOpcode.IMMEDIATE, 1, 0, true), new byte[8]);
        assertThat(node.engine.failure()).isEqualTo(TerminateReason.DDP_NO_BUFFER);
    }

    @Test
    void shouldReportCannotInvalidate_whenStagIsOfAnotherStream() {
        node.receive(1, 0, 10);
        var grant = new MemoryRegion.Grant(Node.DOMAIN, 55, Node.ALL_RIGHTS);
        MemoryRegion foreign = Objects.requireNonNull(node.table.register(grant, node.memory));
        receive(send(RdmapOpcode.SEND_INVALIDATE, 1, 0, true).invalidating(foreign.stag()));
        assertThat(node.engine.failure()).isEqualTo(TerminateReason.RDMAP_CANNOT_INVALIDATE);
        assertThat(foreign.revoked()).isFalse();
    }

    /** RFC 7306 section 5.1: atomics and reads are answered in the order in which they came. */
    @Test
    void shouldSeeWhatCameBefore_whenReadsAndAtomicsMix() {
        Node one = new Node(3, true, Node.Style.STANDARD);
        Node two = new Node(4, false, Node.Style.STANDARD);
        one.post(WorkOpcode.READ, 0, 8, two, 64);
        one.post(WorkOpcode.FETCH_ADD, 8, 8, two, 64);
        one.post(WorkOpcode.READ, 16, 8, two, 64);
        one.post(WorkOpcode.FETCH_ADD, 24, 8, two, 64);
        assertThat(Node.settle(one, two, 10)).isTrue();
        assertThat(one.bytes().getLong(0)).isZero();
        assertThat(one.bytes().getLong(8)).isZero();
        assertThat(one.bytes().getLong(16)).isEqualTo(1);
        assertThat(one.bytes().getLong(24)).isEqualTo(1);
        assertThat(two.bytes().getLong(64)).isEqualTo(2);
    }
}
