package dev.retier.volume.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.volume.Volume.Hint;
import dev.retier.volume.slots.HeldSlots;
import dev.retier.volume.wire.Operation;
import dev.retier.volume.wire.Request;
import dev.retier.volume.wire.Status;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a server gets of hints; the test is the server. */
@Timeout(60)
class HintsOnTheWayTest {
    private static final byte[] NOTHING = {};

    @AutoClose
    private final HeldServer server = new HeldServer(System::nanoTime, Optional.empty(), Completion.DEFAULT);

    private Future<?> hinted(RemoteVolume volume, long offset, long length, Hint hint) {
        return server.begun(() -> {
            volume.hint(offset, length, hint);
            return true;
        });
    }

    private void requireNoHintBeforeARead(HeldSlots slots, RemoteVolume volume) throws Exception {
        Future<String> reading = server.reading(volume, 0);
        server.done(slots, Operation.READ);
        assertThat(reading.get(20, TimeUnit.SECONDS)).hasSize(8);
    }

    @Test
    void shouldSayAllOfIt_inAsManyRequestsAsItNeeds() throws Exception {
        HeldSlots slots = server.connected();
        RemoteVolume volume = server.attached(slots);

        Future<?> hinting = hinted(volume, 5, (1L << 30) + 6, Hint.WILL_NOT_NEED);
        assertThat(server.done(slots, Operation.HINT))
                .isEqualTo(new Request(Operation.HINT, Request.NOT_NEEDED, 1 << 30, 5, 7, 3, 2));
        assertThat(hinting.isDone()).as("the rest is not answered").isFalse();
        assertThat(server.done(slots, Operation.HINT))
                .isEqualTo(new Request(Operation.HINT, Request.NOT_NEEDED, 6, 5 + (1L << 30), 7, 3, 3));
        hinting.get(20, TimeUnit.SECONDS);

        hinting = hinted(volume, 0, 1, Hint.WILL_NEED);
        assertThat(server.answer(slots, server.next(slots), Status.INVALID, NOTHING, 0))
                .isEqualTo(new Request(Operation.HINT, 0, 1, 0, 7, 3, 4));
        assertThatThrownBy(hinting::get).hasCauseInstanceOf(VolumeException.class);
        assertThatThrownBy(() -> volume.hint(HeldServer.BYTES, 1, Hint.WILL_NEED))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** It is never sent again, and nobody waits with one for a connection. */
    @Test
    void shouldEndWithItsConnection() throws Exception {
        HeldSlots slots = server.connected();
        RemoteVolume volume = server.attached(slots);
        Future<?> hinting = hinted(volume, 0, 4096, Hint.WILL_NEED);
        var _ = server.next(slots);

        slots.end("as planned");
        hinting.get(20, TimeUnit.SECONDS);
        hinted(volume, 0, 4096, Hint.WILL_NEED).get(20, TimeUnit.SECONDS);

        requireNoHintBeforeARead(server.resumed(), volume);
    }
}
