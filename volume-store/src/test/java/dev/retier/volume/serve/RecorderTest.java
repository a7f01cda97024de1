package dev.retier.volume.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.volume.wire.Operation;
import dev.retier.volume.wire.Request;
import dev.retier.volume.wire.TracedRequest;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecorderTest {
    private static final int VOLUME = 3;

    private long nowNanos;
    private final Recorder recorder = new Recorder(() -> nowNanos);

    private void note(Operation operation, int volume, long offset) {
        recorder.note(new Request(operation, 0, 512, offset, volume, 1, 1));
    }

    private List<TracedRequest> taken(long from) {
        ByteBuffer room = ByteBuffer.allocate(1 << 10);
        recorder.take(VOLUME, from, room);
        return TracedRequest.all(room.flip()).orElseThrow();
    }

    @Test
    void shouldRecordOneVolume_fromTheFirstQuestionOn() {
        note(Operation.READ, VOLUME, 1);
        assertThat(recorder.take(VOLUME, -1, ByteBuffer.allocate(1 << 10))).isZero();
        note(Operation.READ, VOLUME, 2);
        note(Operation.READ, VOLUME + 1, 3);
        note(Operation.RENEW, VOLUME, 4);
        note(Operation.HINT, VOLUME, 4);
        note(Operation.WRITE, VOLUME, 5);

        assertThat(taken(0)).extracting(TracedRequest::offset).containsExactly(2L, 5L);
        assertThat(taken(1)).extracting(TracedRequest::operation).containsExactly(Operation.WRITE);
        assertThat(taken(2)).isEmpty();
    }

    /** Who asks too seldom finds the newest ones, and that others are missing. */
    @Test
    void shouldForgetTheOldest_whenThereAreTooMany() {
        recorder.take(VOLUME, -1, ByteBuffer.allocate(1));
        for (int i = 0; i < Recorder.MOST + 10; i++) {
            note(Operation.READ, VOLUME, i);
        }

        assertThat(recorder.take(VOLUME, 0, ByteBuffer.allocate(1 << 10))).isEqualTo(10);
        assertThat(taken(0).getFirst().offset()).isEqualTo(10);
        assertThat(recorder.take(VOLUME, Long.MAX_VALUE, ByteBuffer.allocate(1)))
                .as("what will come next")
                .isEqualTo(Recorder.MOST + 10);
    }

    @Test
    void shouldEnd_whenNobodyTakesItAnyMore() {
        recorder.take(VOLUME, -1, ByteBuffer.allocate(1));
        nowNanos = Duration.ofSeconds(9).toNanos();
        note(Operation.READ, VOLUME, 1);
        assertThat(taken(0)).extracting(TracedRequest::micros).containsExactly(9_000_000L);

        nowNanos = Duration.ofSeconds(20).toNanos();
        note(Operation.READ, VOLUME, 2); // which finds that it has ended
        note(Operation.READ, VOLUME, 3);

        nowNanos = Duration.ofSeconds(10).toNanos(); // so that nothing but these can have ended it
        assertThat(taken(0)).as("a new one").isEmpty();
    }
}
