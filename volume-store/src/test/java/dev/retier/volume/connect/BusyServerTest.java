package dev.retier.volume.connect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.volume.slots.HeldSlots;
import dev.retier.volume.wire.Operation;
import dev.retier.volume.wire.Request;
import dev.retier.volume.wire.Status;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that cannot let a client go on yet; the test is the server. */
@Timeout(60)
class BusyServerTest {
    private static final byte[] NOTHING = {};

    @AutoClose
    private final HeldServer server = new HeldServer(System::nanoTime, Optional.empty(), Completion.DEFAULT);

    @Test
    void shouldAskAgainWithTheNextTick_andNotAsFastAsItIsAnswered() throws Exception {
        HeldSlots first = server.connected();
        var _ = server.attached(first);
        first.end("as planned");

        HeldSlots slots = server.connected();
        server.done(slots, Operation.OPEN);
        HeldSlots.Message asked = server.next(slots);
        for (int busy = 0; busy < 3; busy++) {
            requireResume(server.answer(slots, Objects.requireNonNull(asked), Status.BUSY, NOTHING, 0));
            assertThat(slots.messages.poll(50, TimeUnit.MILLISECONDS))
                    .as("before a tick")
                    .isNull();
            asked = null;
            while (asked == null) {
                server.tick();
                asked = slots.messages.poll(1, TimeUnit.MILLISECONDS);
            }
        }
        requireResume(server.answer(slots, asked, Status.BUSY, NOTHING, 0));
        slots.end("while it waits");
        var _ = server.resumed();
    }

    private static void requireResume(Request asked) {
        assertThat(asked.operation()).isEqualTo(Operation.RESUME);
    }
}
