package dev.retier.volume.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.testsupport.Logged;
import dev.retier.volume.slots.HeldSlots;
import dev.retier.volume.wire.Operation;
import dev.retier.volume.wire.Request;
import dev.retier.volume.wire.Status;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Answers that come garbled, and requests that end each connection they are sent over; the test is the server. */
@Timeout(60)
class NotUnderstoodTest {
    private static final Duration LOST_AFTER = Duration.ofSeconds(60);

    private final AtomicLong nowNanos = new AtomicLong();

    @AutoClose
    private final HeldServer server = new HeldServer(nowNanos::get, Optional.of(LOST_AFTER), Completion.DEFAULT);

    private void pass(int seconds) {
        nowNanos.addAndGet(Duration.ofSeconds(seconds).toNanos());
    }

    /** The next one that was not sent by the client's clock. */
    private HeldSlots.Message read(HeldSlots from) throws InterruptedException {
        HeldSlots.Message message = server.next(from);
        while (server.said(message).operation() == Operation.RENEW) {
            server.answer(from, message, Status.DONE, new byte[0], 0);
            message = server.next(from);
        }
        assertThat(server.said(message).operation()).isEqualTo(Operation.READ);
        return message;
    }

    private Request answer(HeldSlots slots, String data) throws InterruptedException {
        return answer(slots, data, 0);
    }

    private Request answer(HeldSlots slots, String data, int flippedBit) throws InterruptedException {
        byte[] bytes = data.getBytes(StandardCharsets.US_ASCII);
        return server.answer(slots, read(slots), Status.DONE, bytes, flippedBit);
    }

    /** Asked for once more, at the next tick, over the same connection, which others go on to use. */
    @Test
    void shouldAskOnceMore_whenAnAnswerIsNotWhatWasSent() throws Exception {
        HeldSlots slots = server.connected();
        RemoteVolume volume = server.attached(slots);
        Future<String> garbled = server.reading(volume, 4096);
        Request first = answer(slots, "01234567", 1);
        Future<String> other = server.reading(volume, 8192);
        assertThat(answer(slots, "ABCDEFGH").offset()).isEqualTo(8192);
        assertThat(other.get(20, TimeUnit.SECONDS)).isEqualTo("ABCDEFGH");

        server.tick();
        assertThat(answer(slots, "01234567")).isEqualTo(first);
        assertThat(garbled.get(20, TimeUnit.SECONDS)).isEqualTo("01234567");
        assertThat(slots.isOver()).isFalse();
    }

    /** Also where the connection is another one: what garbles it may be on all ways to the server. */
    @Test
    void shouldFail_whenTheSecondAnswerIsNotWhatWasSent() throws Exception {
        HeldSlots slots = server.connected();
        RemoteVolume volume = server.attached(slots);
        try (Logged logged = new Logged()) {
            for (boolean isOverAnother : new boolean[] {false, true}) {
                Future<String> garbled = server.reading(volume, 4096);
                answer(slots, "01234567", 1);
                if (isOverAnother) {
                    slots.end("as planned");
                    slots = server.resumed();
                } else {
                    server.tick();
                }
                assertThat(answer(slots, "01234567", 2).offset()).isEqualTo(4096);
                assertThatThrownBy(() -> garbled.get(20, TimeUnit.SECONDS))
                        .hasRootCauseInstanceOf(VolumeException.class)
                        .hasMessageContaining("not what its checksum says");
            }
            assertThat(logged.warnings("READ of volume 7 at 4096"))
                    .hasSize(2)
                    .last()
                    .asString()
                    .contains("for the second time, so that it fails; 4 such answers so far");
        }
    }

    /** The server may have done it: nothing older may be done again over it. */
    @Test
    void shouldBeKept_whenTheSecondAnswerToAWriteIsNotWhatWasSent() throws Exception {
        HeldSlots slots = server.connected();
        RemoteVolume volume = server.attached(slots);
        Pending write = volume.startWrite(4096, Set.of(), ByteBuffer.allocate(512));
        server.answer(slots, server.next(slots), Status.DONE, new byte[1], 1);
        server.tick();
        assertThat(server.answer(slots, server.next(slots), Status.DONE, new byte[1], 1)
                        .operation())
                .isEqualTo(Operation.WRITE);
        assertThatThrownBy(write::await).isInstanceOf(VolumeException.class);
        assertThat(volume.facts().unflushedBytes()).isEqualTo(512);
    }

    /** Whoever has asked since goes on, and so does what was only slow. */
    @Test
    void shouldEndAfterLostAfter_whatEndsEachConnectionItIsSentOver() throws Exception {
        HeldSlots slots = server.connected();
        RemoteVolume volume = server.attached(slots);
        Future<String> slow = server.reading(volume, 0);
        var _ = read(slots);
        pass(100);
        slots.end("for the first time");
        slots = server.resumed();
        assertThat(answer(slots, "01234567").offset()).isZero();
        assertThat(slow.get(20, TimeUnit.SECONDS)).isEqualTo("01234567");

        Future<String> bad = server.reading(volume, 4096);
        for (int connection = 0; connection < 4; connection++) {
            assertThat(server.said(read(slots)).offset()).isEqualTo(4096);
            pass(20);
            server.tick();
            if (connection % 2 == 0) {
                slots.end("as planned");
            } // else it is told later than that there is another one
            slots = server.resumed();
        }
        assertThatThrownBy(() -> bad.get(20, TimeUnit.SECONDS))
                .hasMessageContaining("was asked for it for more than 60 s, and one connection after the other ended");
        Future<String> later = server.reading(volume, 8192);
        var _ = read(slots);
        pass(20);
        slots.end("as planned");
        slots = server.resumed();
        assertThat(answer(slots, "01234567").offset()).isEqualTo(8192);
        assertThat(later.get(20, TimeUnit.SECONDS)).isEqualTo("01234567");

        server.tick();
        assertThat(server.said(server.next(slots)).operation())
                .as("it keeps its lease")
                .isEqualTo(Operation.RENEW);
    }
}
