package dev.retier.iwarp.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each header byte by byte, as its RFC draws it, and read back; never from the start of the buffer. */
class HeadersTest {
    private static final int AT = 3;

    private final ByteBuffer buffer = ByteBuffer.allocate(64);

    private String written(int bytes) {
        byte[] part = new byte[bytes];
        buffer.get(AT, part);
        assertThat(buffer.get(AT - 1)).as("before").isZero();
        assertThat(buffer.get(AT + bytes)).as("behind").isZero();
        return Hex.of(part);
    }

    /** RFC 5041 section 4.2. */
    @Test
    void shouldReadWhatItWrote_whenHeaderIsTagged() {
        Segment segment = new Segment().tagged(RdmapOpcode.READ_RESPONSE, 0x01020304, 0x1112131415161718L, true);
        segment.emit(buffer, AT);
        assertThat(segment.headerLength()).isEqualTo(TaggedHeader.LENGTH);
        assertThat(written(TaggedHeader.LENGTH)).isEqualTo("c142" + "01020304" + "1112131415161718");
        assertThat(TaggedHeader.stag(buffer, AT)).isEqualTo(0x01020304);
        assertThat(TaggedHeader.taggedOffset(buffer, AT)).isEqualTo(0x1112131415161718L);
    }

    /** RFC 5041 section 4.3, RFC 5040 section 4.2. */
    @Test
    void shouldReadWhatItWrote_whenHeaderIsUntagged() {
        Segment segment = new Segment().untagged(RdmapOpcode.TERMINATE, 0x21222324, 0x31323334, false);
        segment.invalidating(0x01020304).emit(buffer, AT);
        assertThat(segment.headerLength()).isEqualTo(UntaggedHeader.LENGTH);
        assertThat(written(UntaggedHeader.LENGTH))
                .isEqualTo("0147" + "01020304" + "00000002" + "21222324" + "31323334");
        assertThat(UntaggedHeader.invalidateStag(buffer, AT)).isEqualTo(0x01020304);
        assertThat(UntaggedHeader.queue(buffer, AT)).isEqualTo(2);
        assertThat(UntaggedHeader.msn(buffer, AT)).isEqualTo(0x21222324);
        assertThat(UntaggedHeader.messageOffset(buffer, AT)).isEqualTo(0x31323334);
    }

    @Test
    void shouldInvalidateNothing_whenSegmentIsUsedAgain() {
        Segment segment =
                new Segment().untagged(RdmapOpcode.SEND_INVALIDATE, 1, 0, true).invalidating(5);
        segment.untagged(RdmapOpcode.SEND, 2, 0, true).emit(buffer, AT);
        assertThat(UntaggedHeader.invalidateStag(buffer, AT)).isZero();
    }

    /** RFC 5040 section 4.4. */
    @Test
    void shouldReadWhatItWrote_whenHeaderIsReadRequest() {
        var header =
                new ReadRequestHeader(0x01020304, 0x1112131415161718L, 0x81222324, 0x31323334, 0x4142434445464748L);
        header.emit(buffer, AT);
        assertThat(written(ReadRequestHeader.LENGTH))
                .isEqualTo("01020304" + "1112131415161718" + "81222324" + "31323334" + "4142434445464748");
        assertThat(ReadRequestHeader.parse(buffer, AT)).isEqualTo(header);
    }

    /** RFC 7306 section 5.2.1: of the operation's word only four bits count. */
    @Test
    void shouldReadWhatItWrote_whenHeaderIsAtomicRequest() {
        var operands = new AtomicOperands(0x0102, 0x0304, 0x0506, 0x0708);
        AtomicRequestHeader.emitTarget(buffer, AT, 0xF2, 7, new AtomicTarget(0x11121314, 0x2122232425262728L));
        AtomicRequestHeader.emitOperands(buffer, AT, operands);
        assertThat(written(AtomicRequestHeader.LENGTH))
                .isEqualTo("00000002" + "00000007" + "11121314" + "2122232425262728" + "0000000000000102"
                        + "0000000000000304" + "0000000000000506" + "0000000000000708");
        buffer.putInt(AT, 0xFFFF_FFF2);
        assertThat(AtomicRequestHeader.operation(buffer, AT)).isEqualTo(AtomicRequestHeader.COMPARE_SWAP);
        assertThat(AtomicRequestHeader.requestId(buffer, AT)).isEqualTo(7);
        assertThat(AtomicRequestHeader.stag(buffer, AT)).isEqualTo(0x11121314);
        assertThat(AtomicRequestHeader.taggedOffset(buffer, AT)).isEqualTo(0x2122232425262728L);
        assertThat(AtomicRequestHeader.operands(buffer, AT)).isEqualTo(operands);
    }

    /** RFC 7306 section 5.2.2. */
    @Test
    void shouldReadWhatItWrote_whenHeaderIsAtomicResponse() {
        AtomicResponseHeader.emit(buffer, AT, 0x01020304, 0x1112131415161718L);
        assertThat(written(AtomicResponseHeader.LENGTH)).isEqualTo("01020304" + "1112131415161718");
        assertThat(AtomicResponseHeader.requestId(buffer, AT)).isEqualTo(0x01020304);
        assertThat(AtomicResponseHeader.value(buffer, AT)).isEqualTo(0x1112131415161718L);
    }

    /** RFC 7306 section 6: eight bytes, whatever stood there before. */
    @Test
    void shouldReadWhatItWrote_whenDataIsImmediate() {
        buffer.putInt(AT + 4, -1);
        ImmediateData.emit(buffer, AT, 0x01020304);
        assertThat(ImmediateData.value(buffer, AT)).isEqualTo(0x01020304);
        assertThat(buffer.getInt(AT + 4)).isZero();
    }

    /** RFC 5040 section 4.8, figure 10: control, segment length, terminated DDP header, terminated read header. */
    @ParameterizedTest
    @CsvSource({
        "0, 0, 01020000",
        "14, 0, 0102c0001234" + "aaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        "14, 2, 0102e0001234" + "aaaaaaaaaaaaaaaaaaaaaaaaaaaabbbb",
        "0, 2, 01022000bbbb"
    })
    void shouldWriteHeadersThatItHas_whenTerminating(int ddp, int read, String expected) {
        buffer.put(AT + 3, (byte) 0xFF);
        byte[] ddpHeader = new byte[ddp];
        Arrays.fill(ddpHeader, (byte) 0xAA);
        byte[] readHeader = new byte[read];
        Arrays.fill(readHeader, (byte) 0xBB);
        var header = new TerminateHeader(TerminateReason.RDMAP_ACCESS, 0x1234, ddpHeader, readHeader);
        header.emit(buffer, AT);
        assertThat(header.length()).isEqualTo(expected.length() / 2);
        assertThat(written(header.length())).isEqualTo(expected);
        assertThat(TerminateHeader.controlWord(buffer, AT)).isEqualTo(Integer.parseUnsignedInt(expected, 0, 8, 16));
    }

    /** RFC 5040 section 4.8: what the Terminate's layer, type and code look like on the wire. */
    @Test
    void shouldNameLayerTypeAndCode_whenReasonIsAsked() {
        assertThat(TerminateReason.DDP_MSN_RANGE.word()).isEqualTo(0x1203);
        assertThat(TerminateReason.DDP_MSN_RANGE.layer()).isEqualTo(1);
        assertThat(TerminateReason.DDP_MSN_RANGE.type()).isEqualTo(2);
        assertThat(TerminateReason.DDP_MSN_RANGE.code()).isEqualTo(3);
    }

    @ParameterizedTest
    @EnumSource(TerminateReason.class)
    void shouldCarryHeaders_whenSegmentIsToBlame(TerminateReason reason) {
        boolean local = reason == TerminateReason.RDMAP_LOCAL || reason == TerminateReason.DDP_LOCAL;
        boolean mpa = reason.name().startsWith("MPA_");
        assertThat(reason.carriesDdpHeader()).isEqualTo(!local && !mpa);
        boolean remoteProtection = reason.word() >>> 8 == 0x01;
        assertThat(reason.carriesReadHeader())
                .isEqualTo(remoteProtection && reason != TerminateReason.RDMAP_CANNOT_INVALIDATE);
    }

    /** RFC 5040 section 4.3, figure 4; RFC 7306 section 4. */
    @ParameterizedTest
    @CsvSource({
        "WRITE, 0, true, -1, 0",
        "READ_REQUEST, 1, false, 1, 28",
        "READ_RESPONSE, 2, true, -1, 0",
        "SEND, 3, false, 0, 0",
        "SEND_INVALIDATE, 4, false, 0, 0",
        "SEND_SOLICITED, 5, false, 0, 0",
        "SEND_SOLICITED_INVALIDATE, 6, false, 0, 0",
        "TERMINATE, 7, false, 2, 4",
        "IMMEDIATE, 8, false, 0, 8",
        "IMMEDIATE_SOLICITED, 9, false, 0, 8",
        "ATOMIC_REQUEST, 10, false, 1, 52",
        "ATOMIC_RESPONSE, 11, false, 3, 12"
    })
    void shouldTravelAsFigureSays_whenOpcodeIs(RdmapOpcode opcode, int code, boolean tagged, int queue, int least) {
        assertThat(opcode.code()).isEqualTo(code);
        assertThat(opcode.tagged()).isEqualTo(tagged);
        assertThat(opcode.queue()).isEqualTo(queue);
        assertThat(opcode.fixedPayloadLength()).isEqualTo(least);
        assertThat(RdmapOpcode.of(0xF0 | code)).isEqualTo(opcode);
        assertThat(RdmapControl.of(opcode)).isEqualTo((byte) (0x40 | code));
    }

    @Test
    void shouldSetFewApart_whenTheyInvalidateOrAreSolicited() {
        assertThat(Arrays.stream(RdmapOpcode.values())
                        .filter(RdmapOpcode::invalidates)
                        .collect(Collectors.toSet()))
                .containsExactlyInAnyOrder(RdmapOpcode.SEND_INVALIDATE, RdmapOpcode.SEND_SOLICITED_INVALIDATE);
        assertThat(Arrays.stream(RdmapOpcode.values())
                        .filter(RdmapOpcode::solicited)
                        .collect(Collectors.toSet()))
                .containsExactlyInAnyOrder(
                        RdmapOpcode.SEND_SOLICITED,
                        RdmapOpcode.SEND_SOLICITED_INVALIDATE,
                        RdmapOpcode.IMMEDIATE_SOLICITED);
    }

    @ParameterizedTest
    @ValueSource(ints = {12, 13, 14, 15})
    void shouldKnowNoOpcode_whenCodeIsUnassigned(int code) {
        assertThat(RdmapOpcode.of(0x40 | code)).isNull();
    }

    @ParameterizedTest
    @CsvSource({"true,true,0xC1", "true,false,0x81", "false,true,0x41", "false,false,0x01"})
    void shouldSetBits_whenSegmentIsTaggedOrLast(boolean tagged, boolean last, int control) {
        byte written = DdpControl.of(tagged, last);
        assertThat(written & 0xFF).isEqualTo(control);
        assertThat(DdpControl.tagged(written)).isEqualTo(tagged);
        assertThat(DdpControl.last(written)).isEqualTo(last);
        assertThat(DdpControl.versionKnown(written)).isTrue();
    }

    /** RFC 5041 section 4.1, RFC 5040 section 4.1: reserved bits are not looked at, every other version is refused. */
    @Test
    void shouldKnowVersionOneOnly_whenOtherBitsAreSet() {
        assertThat(DdpControl.versionKnown(0xFD)).isTrue();
        assertThat(DdpControl.versionKnown(0xFC)).isFalse();
        assertThat(DdpControl.versionKnown(0xFE)).isFalse();
        assertThat(DdpControl.versionKnown(0xFF)).isFalse();
        assertThat(RdmapControl.versionKnown(0x7F)).isTrue();
        assertThat(RdmapControl.versionKnown(0x3F)).isFalse();
        assertThat(RdmapControl.versionKnown(0xBF)).isFalse();
        assertThat(RdmapControl.versionKnown(0xFF)).isFalse();
    }

    /** RFC 7306 section 5.1. */
    @Test
    void shouldCompareAndSwapMaskedBitsOnly_whenOperandsHaveMasks() {
        AtomicOperands masked = new AtomicOperands(0x1234, 0x0FF0, 0xAB00, 0xFF00);
        assertThat(masked.matches(0x1_AB77)).isTrue();
        assertThat(masked.matches(0x1_AC77)).isFalse();
        assertThat(masked.swapped(0xF_F00F)).isEqualTo(0xF_F23F);
        AtomicOperands plain = AtomicOperands.compareAndSwap(4, 5);
        assertThat(plain.matches(4)).isTrue();
        assertThat(plain.matches(4 | 1L << 63)).isFalse();
        assertThat(plain.swapped(-1)).isEqualTo(5);
    }

    @Test
    void shouldAddFieldsApart_whenMaskMarksTheirTopBits() {
        assertThat(AtomicOperands.add(3).added(-1)).isEqualTo(2);
        AtomicOperands bytes = new AtomicOperands(0x0101, 0x8080, 0, -1);
        assertThat(bytes.added(0x7FFF)).isEqualTo(0x8000);
        assertThat(bytes.added(0xFF7F)).isEqualTo(0x0080);
    }
}
