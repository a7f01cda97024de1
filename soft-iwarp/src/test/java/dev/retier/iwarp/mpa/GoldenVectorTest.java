package dev.retier.iwarp.mpa;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.iwarp.wire.AtomicOperands;
import dev.retier.iwarp.wire.AtomicRequestHeader;
import dev.retier.iwarp.wire.AtomicResponseHeader;
import dev.retier.iwarp.wire.AtomicTarget;
import dev.retier.iwarp.wire.Hex;
import dev.retier.iwarp.wire.ImmediateData;
import dev.retier.iwarp.wire.RdmapOpcode;
import dev.retier.iwarp.wire.ReadRequestHeader;
import dev.retier.iwarp.wire.Segment;
import dev.retier.iwarp.wire.TerminateHeader;
import dev.retier.iwarp.wire.TerminateReason;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** FPDUs as literal bytes: RFC 5044's two figures, and vectors that tshark 4.0.17 decoded with good CRCs. */
class GoldenVectorTest {
    private static final int NO_BODY = 0;

    private interface Body {
        void emit(ByteBuffer buffer, int at);
    }

    private static String fpdu(Segment segment, int bodyLength, Body body) {
        TransmitBatch batch = new TransmitBatch();
        append(new FpduEncoder(true, false), batch, segment, bodyLength, body);
        return Hex.of(Pipe.drain(batch));
    }

    private static void append(FpduEncoder encoder, TransmitBatch batch, Segment segment, int length, Body body) {
        int header = segment.headerLength();
        encoder.begin(batch, header + length, header + length);
        segment.emit(encoder.headerBuffer(), encoder.headerAt());
        encoder.headerWritten(header);
        body.emit(encoder.headerBuffer(), encoder.headerAt());
        encoder.headerWritten(length);
        encoder.end();
    }

    private static Segment untagged(RdmapOpcode opcode, int msn) {
        return new Segment().untagged(opcode, msn, 0, true);
    }

    private static Body text(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        return (buffer, at) -> buffer.put(at, bytes);
    }

    @Test
    void shouldMatchVector_whenSendCarriesHello() {
        assertThat(fpdu(untagged(RdmapOpcode.SEND, 1), 5, text("hello")))
                .isEqualTo("001741430000000000000000000000010000000068656c6c6f000000b990b10c");
    }

    @Test
    void shouldMatchVector_whenSendSolicitedInvalidates() {
        Segment segment = untagged(RdmapOpcode.SEND_SOLICITED_INVALIDATE, 2).invalidating(0x11223344);
        assertThat(fpdu(segment, NO_BODY, text(""))).isEqualTo("0012414611223344000000000000000200000000fc631e8e");
    }

    @Test
    void shouldMatchVector_whenWriteCarriesFourBytes() {
        Segment segment = new Segment().tagged(RdmapOpcode.WRITE, 0xdeadbeef, 0x1000, true);
        assertThat(fpdu(segment, 4, text("abcd"))).isEqualTo("0012c140deadbeef000000000000100061626364a2448fee");
    }

    @Test
    void shouldMatchVector_whenWriteIsEmpty() {
        Segment segment = new Segment().tagged(RdmapOpcode.WRITE, 1, 0, true);
        assertThat(fpdu(segment, NO_BODY, text(""))).isEqualTo("000ec140000000010000000000000000ebd34c5f");
    }

    @Test
    void shouldMatchVector_whenReadIsRequested() {
        var header = new ReadRequestHeader(0xa0a0a0a0, 0x10, 64, 0xb0b0b0b0, 0x20);
        assertThat(fpdu(untagged(RdmapOpcode.READ_REQUEST, 1), ReadRequestHeader.LENGTH, header::emit))
                .isEqualTo("002e414100000000000000010000000100000000"
                        + "a0a0a0a0000000000000001000000040b0b0b0b00000000000000020733d5323");
    }

    @Test
    void shouldMatchVector_whenReadResponseIsEmpty() {
        Segment segment = new Segment().tagged(RdmapOpcode.READ_RESPONSE, 0xa0a0a0a0, 0x10, true);
        assertThat(fpdu(segment, NO_BODY, text(""))).isEqualTo("000ec142a0a0a0a00000000000000010782d0e55");
    }

    @Test
    void shouldMatchVector_whenImmediateIsSent() {
        int hostOrder = ImmediateData.value(ByteBuffer.wrap(Hex.bytes("0102030400000000")), 0);
        Body body = (buffer, at) -> ImmediateData.emit(buffer, at, hostOrder);
        assertThat(fpdu(untagged(RdmapOpcode.IMMEDIATE, 3), ImmediateData.LENGTH, body))
                .isEqualTo("001a41480000000000000000000000030000000001020304000000001a4eeee3");
    }

    @Test
    void shouldMatchVector_whenFetchAddIsRequested() {
        Body body = (buffer, at) -> {
            var target = new AtomicTarget(0xdeadbeef, 0x1008);
            AtomicRequestHeader.emitTarget(buffer, at, AtomicRequestHeader.FETCH_ADD, 7, target);
            AtomicRequestHeader.emitOperands(buffer, at, AtomicOperands.add(1));
        };
        assertThat(fpdu(untagged(RdmapOpcode.ATOMIC_REQUEST, 1), AtomicRequestHeader.LENGTH, body))
                .isEqualTo("0046414a000000000000000100000001000000000000000000000007deadbeef0000000000001008"
                        + "000000000000000100000000000000000000000000000000ffffffffffffffffc9b51761");
    }

    @Test
    void shouldMatchVector_whenCompareAndSwapIsRequested() {
        Body body = (buffer, at) -> {
            var target = new AtomicTarget(0xdeadbeef, 0x1008);
            AtomicRequestHeader.emitTarget(buffer, at, AtomicRequestHeader.COMPARE_SWAP, 8, target);
            AtomicRequestHeader.emitOperands(buffer, at, AtomicOperands.compareAndSwap(4, 5));
        };
        assertThat(fpdu(untagged(RdmapOpcode.ATOMIC_REQUEST, 2), AtomicRequestHeader.LENGTH, body))
                .isEqualTo("0046414a000000000000000100000002000000000000000200000008deadbeef0000000000001008"
                        + "0000000000000005ffffffffffffffff0000000000000004ffffffffffffffff7f590648");
    }

    @Test
    void shouldMatchVector_whenAtomicIsAnswered() {
        Body body = (buffer, at) -> AtomicResponseHeader.emit(buffer, at, 7, 41);
        assertThat(fpdu(untagged(RdmapOpcode.ATOMIC_RESPONSE, 1), AtomicResponseHeader.LENGTH, body))
                .isEqualTo("001e414b00000000000000030000000100000000000000070000000000000029b9ebafe8");
    }

    @Test
    void shouldMatchVector_whenTerminateReportsCrc() {
        TerminateHeader header = TerminateHeader.of(TerminateReason.MPA_CRC);
        assertThat(fpdu(untagged(RdmapOpcode.TERMINATE, 1), header.length(), header::emit))
                .isEqualTo("0016414700000000000000020000000100000000200200007fe42585");
    }

    @Test
    void shouldMatchFigure5OfRfc5044_whenMarkerComesFirst() {
        TransmitBatch batch = new TransmitBatch();
        append(new FpduEncoder(true, true), batch, untagged(RdmapOpcode.SEND, 1), 24, text("\0".repeat(24)));
        byte[] bytes = Pipe.drain(batch);
        assertThat(Hex.of(bytes))
                .startsWith("00000000002a4143")
                .endsWith("52239983")
                .hasSize(2 * 52);
    }

    @Test
    void shouldMatchFigure6OfRfc5044_whenMarkerIsInside() {
        FpduEncoder encoder = new FpduEncoder(true, true);
        TransmitBatch before = new TransmitBatch();
        append(encoder, before, untagged(RdmapOpcode.SEND, 1), 512 - 20 - 4 - 20 - 4, text(""));
        assertThat(Pipe.drain(before)).hasSize(492);
        TransmitBatch batch = new TransmitBatch();
        append(encoder, batch, untagged(RdmapOpcode.SEND, 2), 24, text("\0".repeat(24)));
        assertThat(Hex.of(Pipe.drain(batch))).contains("00000014").endsWith("84925898");
    }

    @Test
    void shouldMatchFigure5WithoutMarker_whenMarkersAreOff() {
        assertThat(fpdu(untagged(RdmapOpcode.SEND, 1), 24, text("\0".repeat(24))))
                .endsWith("b7243ec3");
    }
}
