package dev.retier.fabric.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class MessageRecordTest {
    private static final int OFFSET = 64;
    private static final int RING = 128;

    private final MemorySegment ring = Arena.ofAuto().allocate(RING, 8);

    @ParameterizedTest
    @CsvSource({"0, 32", "1, 40", "7, 40", "8, 40", "9, 48"})
    void shouldTakeHeaderAndBodyInWholeEights_whenThereIsABody(int bodyBytes, int lengthBytes) {
        assertThat(MessageRecord.lengthBytes(bodyBytes)).isEqualTo(lengthBytes);
    }

    @Test
    void shouldLieAsDrawn_whenEmitted() {
        Message message =
                new Message(Kind.ANSWER, 0x1122, 0xABCD, Priority.LOW, Status.EXPIRED, 0x0506, new byte[] {1, 2, 3});
        MessageRecord.emit(message, 0x0708, ring, OFFSET);

        byte[] bytes = ring.toArray(ValueLayout.JAVA_BYTE);
        assertThat(HexFormat.of().formatHex(bytes, OFFSET, OFFSET + 40))
                .isEqualTo("03000000" + "0301cdab" + "2211000000000000" + "08070000" + "06050000" + "03000000"
                        + "43525452" + "0102030000000000");
        assertThat(Arrays.copyOf(bytes, OFFSET)).containsOnly(0);
    }

    @ParameterizedTest
    @EnumSource
    void shouldBeTheSame_whenItsKindIsReadBack(Kind kind) throws ProtocolError {
        assertThat(roundTrip(new Message(kind, 1, 0, Priority.HIGH, Status.DONE, 0, new byte[0]))
                        .kind())
                .isEqualTo(kind);
    }

    @ParameterizedTest
    @EnumSource
    void shouldBeTheSame_whenItsStatusIsReadBack(Status status) throws ProtocolError {
        assertThat(roundTrip(Message.answer(1, Priority.HIGH, status, new byte[0]))
                        .status())
                .isEqualTo(status);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 5, 0x8000, Message.MAX_FUNCTION})
    void shouldBeTheSame_whenItIsReadBack(int function) throws ProtocolError {
        Message read = roundTrip(new Message(
                Kind.CALL, Long.MAX_VALUE, function, Priority.LOW, Status.DONE, Integer.MAX_VALUE, new byte[] {
                    4, 5, 6, 7, 8, 9, 10, 11, 12
                }));

        assertThat(read.call()).isEqualTo(Long.MAX_VALUE);
        assertThat(read.function()).isEqualTo(function);
        assertThat(read.priority()).isEqualTo(Priority.LOW);
        assertThat(read.budgetMicros()).isEqualTo(Integer.MAX_VALUE);
        assertThat(read.body()).containsExactly(4, 5, 6, 7, 8, 9, 10, 11, 12);
        assertThat(MessageRecord.released(ring, OFFSET)).isEqualTo(42);
    }

    @ParameterizedTest
    @CsvSource({"4, 0", "4, 6", "4, -1", "5, 2", "5, -1", "24, 6", "24, -1"})
    void shouldRefuse_whenAKindAPriorityOrAStatusIsUnknown(int place, byte value) {
        MessageRecord.emit(Message.cancel(1), 0, ring, OFFSET);
        ring.set(ValueLayout.JAVA_BYTE, OFFSET + place, value);

        assertThatThrownBy(() -> MessageRecord.parse(ring, OFFSET, 0))
                .isInstanceOf(ProtocolError.class)
                .hasMessageContaining("is not known");
    }

    @Test
    void shouldReadTheBodyLength_whenTheRecordEndsWithTheRing() throws ProtocolError {
        MessageRecord.emit(Message.open(new byte[32]), 0, ring, OFFSET);

        assertThat(MessageRecord.bodyBytes(ring, OFFSET, 32)).isEqualTo(32);
        assertThatThrownBy(() -> MessageRecord.bodyBytes(ring, OFFSET, 31))
                .isInstanceOf(ProtocolError.class)
                .hasMessageContaining("body of 32 bytes");
    }

    @Test
    void shouldReadTheBodyLength_whenTheHeaderEndsWithTheRing() throws ProtocolError {
        MessageRecord.emit(Message.cancel(1), 0, ring, RING - 32);

        assertThat(MessageRecord.bodyBytes(ring, RING - 32, 32)).isZero();
    }

    @Test
    void shouldRefuse_whenTheBodyWouldReachBeyondTheRing() {
        MessageRecord.emit(Message.cancel(1), 0, ring, OFFSET);
        ring.set(ValueLayout.JAVA_INT_UNALIGNED, OFFSET, 33);

        assertThatThrownBy(() -> MessageRecord.bodyBytes(ring, OFFSET, 1000))
                .isInstanceOf(ProtocolError.class)
                .hasMessageContaining("body of 33 bytes");
    }

    @Test
    void shouldRefuse_whenTheHeaderWouldReachBeyondTheRing() {
        assertThatThrownBy(() -> MessageRecord.bodyBytes(ring, RING - 24, 1000))
                .isInstanceOf(ProtocolError.class)
                .hasMessageContaining("no record lies");
    }

    private Message roundTrip(Message message) throws ProtocolError {
        MessageRecord.emit(message, 42, ring, OFFSET);
        int bodyBytes = MessageRecord.bodyBytes(ring, OFFSET, 32);
        return MessageRecord.parse(ring, OFFSET, bodyBytes);
    }
}
