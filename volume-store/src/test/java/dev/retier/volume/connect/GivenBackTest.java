package dev.retier.volume.connect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.testsupport.Logged;
import dev.retier.volume.slots.HeldSlots;
import dev.retier.volume.wire.Operation;
import dev.retier.volume.wire.Status;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client asks now and then to keep what it has attached, also when it gives that back. */
@Timeout(60)
class GivenBackTest {
    private static final byte[] WHY = "it is another's".getBytes(StandardCharsets.US_ASCII);

    @AutoClose
    private final HeldServer server = new HeldServer(System::nanoTime, Optional.empty(), Completion.DEFAULT);

    @AutoClose
    private final Logged logged = new Logged();

    private HeldSlots slots = new HeldSlots(HeldServer.SHAPE);

    @BeforeEach
    void connect() {
        slots = server.connected();
    }

    private HeldSlots.Message renewal() throws InterruptedException {
        server.tick();
        HeldSlots.Message asked = server.next(slots);
        assertThat(server.said(asked).operation()).isEqualTo(Operation.RENEW);
        return asked;
    }

    @Test
    void shouldSayNothing_whenTheServerSaysThatItIsNotOursAnyMore() throws Exception {
        RemoteVolume volume = server.attached(slots);
        HeldSlots.Message renewal = renewal();
        Future<Boolean> closing = server.begun(() -> {
            volume.close();
            return true;
        });
        server.done(slots, Operation.FLUSH);
        HeldSlots.Message detach = server.next(slots);
        assertThat(server.said(detach).operation()).isEqualTo(Operation.DETACH);

        server.answer(slots, renewal, Status.FENCED, WHY, 0);
        server.answer(slots, detach, Status.DONE, new byte[0], 0);

        assertThat(closing.get(20, TimeUnit.SECONDS)).isTrue();
        assertThat(logged.warnings()).isEmpty();
    }

    @Test
    void shouldSayThatItIsGone_whenItWasNotGivenBack() throws Exception {
        RemoteVolume volume = server.attached(slots);

        server.answer(slots, renewal(), Status.FENCED, WHY, 0);

        assertThat(volume.lost().toCompletableFuture().get(20, TimeUnit.SECONDS))
                .hasMessageContaining("another's");
        assertThat(logged.warnings("is not attached any more")).hasSize(1);
    }
}
