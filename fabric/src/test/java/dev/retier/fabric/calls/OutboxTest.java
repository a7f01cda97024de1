package dev.retier.fabric.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class OutboxTest {
    private static final int MESSAGES = 8;
    /** Room for far more small records than the messages agreed. */
    private static final RingLimits LIMITS = new RingLimits(64 * 1024, MESSAGES, 256);

    private final Outbox outbox = new Outbox(LIMITS);

    @Test
    void shouldPlaceNoMoreThanTheMessagesAgreed_whenTheRingHasRoomForMore() {
        for (int i = 0; i < MESSAGES; i++) {
            assertThat(outbox.hasRoom(8)).as("message %s", i).isTrue();
            outbox.place(8);
        }
        assertThat(outbox.hasRoom(8)).as("one more").isFalse();
        assertThatThrownBy(() -> outbox.place(8)).hasMessageContaining("without room");
    }

    @Test
    void shouldPlaceOneMoreForEachThatThePeerTook_whenCreditComes() throws ProtocolError {
        for (int i = 0; i < MESSAGES; i++) {
            outbox.place(8);
        }
        outbox.taken(3);
        for (int i = 0; i < 3; i++) {
            assertThat(outbox.hasRoom(8)).isTrue();
            outbox.place(8);
        }
        assertThat(outbox.hasRoom(8)).isFalse();
    }

    @Test
    void shouldFillTheRingToTheLastByte_whenRecordsFitExactly() throws ProtocolError {
        int record = MessageRecord.lengthBytes(256);
        Outbox exact = new Outbox(new RingLimits(4 * record, MESSAGES, 256));
        for (int i = 0; i < 4; i++) {
            assertThat(exact.hasRoom(256)).isTrue();
            assertThat(exact.place(256)).isEqualTo(i * record);
        }
        assertThat(exact.hasRoom(0)).isFalse();
        exact.taken(1);
        assertThat(exact.place(256)).isZero();
    }
}
