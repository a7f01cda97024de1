package dev.retier.volume.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.volume.NoSpaceException;
import dev.retier.volume.slots.HeldSlots;
import dev.retier.volume.wire.Operation;
import dev.retier.volume.wire.Status;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a server's machine has lost, and is sent again to a disk that is full; the test is the server. */
@Timeout(60)
class SentAgainTest {
    private static final Duration LOST_AFTER = Duration.ofSeconds(60);

    private final AtomicLong nowNanos = new AtomicLong();

    @AutoClose
    private final HeldServer server = new HeldServer(nowNanos::get, Optional.of(LOST_AFTER), Completion.DEFAULT);

    private RemoteVolume volume;
    private HeldSlots slots;

    /** A block was answered, and is lost. */
    @BeforeEach
    void lose() throws Exception {
        HeldSlots before = server.connected();
        volume = server.attached(before);
        Pending write = volume.startWrite(0, Set.of(), ByteBuffer.allocate(4096));
        server.done(before, Operation.WRITE);
        write.await();
        before.end("its machine has lost its power");
        slots = server.restarted();
    }

    /** The next one that was not sent by the client's clock. */
    private HeldSlots.Message next() throws InterruptedException {
        HeldSlots.Message message = server.next(slots);
        while (server.said(message).operation() == Operation.RENEW) {
            server.answer(slots, message, Status.DONE, new byte[0], 0);
            message = server.next(slots);
        }
        return message;
    }

    private void answer(Operation expected, Status status) throws InterruptedException {
        assertThat(server.answer(slots, next(), status, new byte[0], 0).operation())
                .isEqualTo(expected);
    }

    @Test
    void shouldWaitForRoom_asSomebodyWasAnsweredThatItIsThere() throws Exception {
        for (int full = 0; full < 3; full++) {
            answer(Operation.WRITE, Status.NO_SPACE);
            assertThat(volume.facts().unflushedBytes()).isEqualTo(4096);
            server.tick();
        }
        Pending flush = volume.startFlush();
        answer(Operation.WRITE, Status.DONE);
        answer(Operation.FLUSH, Status.DONE);
        flush.await();
        assertThat(volume.facts().unflushedBytes()).isZero();
        assertThat(volume.lost().toCompletableFuture()).isNotDone();
    }

    /** Who asks for something is told in the time that is said for a server that cannot be reached. */
    @Test
    void shouldFailWhatWaitsBehindIt_andKeepIt() throws Exception {
        answer(Operation.WRITE, Status.NO_SPACE);
        Pending early = volume.startFlush();
        nowNanos.addAndGet(LOST_AFTER.toNanos() / 2);
        Pending later = volume.startFlush();
        nowNanos.addAndGet(LOST_AFTER.toNanos() / 2 + 1);
        server.tick();
        assertThatThrownBy(early::await)
                .isInstanceOf(NoSpaceException.class)
                .hasMessageContaining("has had no room for more than 60 s")
                .hasMessageContaining("that is kept");
        assertThat(later.isDone()).isFalse();

        answer(Operation.WRITE, Status.DONE);
        answer(Operation.FLUSH, Status.DONE);
        later.await();
        volume.startFlush();
        answer(Operation.FLUSH, Status.DONE);
    }
}
