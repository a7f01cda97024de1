package dev.retier.volume.connect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.link.Transport;
import dev.retier.link.auth.ClusterSecret;
import dev.retier.link.auth.Secrets;
import dev.retier.volume.VolumeName;
import dev.retier.volume.slots.HeldSlots;
import dev.retier.volume.slots.SlotLink;
import dev.retier.volume.wire.Answer;
import dev.retier.volume.wire.ClientName;
import dev.retier.volume.wire.Grant;
import dev.retier.volume.wire.Operation;
import dev.retier.volume.wire.Request;
import dev.retier.volume.wire.Status;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that cannot let a client go on yet; the test is the server. */
@Timeout(60)
class BusyServerTest {
    private static final SlotLink.Shape SHAPE = new SlotLink.Shape(4, 4096 + Request.BYTES);

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final UnconnectedClient client = new UnconnectedClient(
            new ClientConfig(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 1),
                    Secrets.only(ClusterSecret.of("a secret of nobody")),
                    Transport.IWARP,
                    Optional.empty(),
                    64 << 20,
                    new ClientName("one"),
                    Duration.ofSeconds(2),
                    Completion.DEFAULT),
            System::nanoTime);

    @AfterEach
    void end() {
        client.client().close();
        threads.close();
    }

    private HeldSlots connected() {
        HeldSlots slots = new HeldSlots(SHAPE);
        slots.use(client.connected(slots, new Grant(new UUID(1, 1), SHAPE.count(), SHAPE.bytes(), 0, 0, true)));
        return slots;
    }

    private static void answer(HeldSlots slots, HeldSlots.Message message, Operation expected, Status status) {
        int slot = message.slot();
        Request request = Request.parse(message.bytes(), slot).orElseThrow();
        assertThat(request.operation()).isEqualTo(expected);
        slots.put(slot, into -> new Answer(status, request.sequence(), 7, 3, 1 << 20).encode(into, slot, 0));
        slots.announce(slot);
    }

    private static void done(HeldSlots slots, Operation expected) throws InterruptedException {
        answer(slots, Objects.requireNonNull(slots.messages.poll(20, TimeUnit.SECONDS)), expected, Status.DONE);
    }

    @Test
    void shouldAskAgainWithTheNextTick_andNotAsFastAsItIsAnswered() throws Exception {
        HeldSlots first = connected();
        Future<RemoteVolume> attaching =
                threads.submit(() -> client.client().attach(new VolumeName("accounts"), false));
        done(first, Operation.OPEN);
        done(first, Operation.ATTACH);
        var _ = attaching.get(20, TimeUnit.SECONDS);
        first.end("as planned");

        HeldSlots slots = connected();
        done(slots, Operation.OPEN);
        HeldSlots.Message asked = slots.messages.poll(20, TimeUnit.SECONDS);
        for (int busy = 0; busy < 3; busy++) {
            answer(slots, Objects.requireNonNull(asked), Operation.RESUME, Status.BUSY);
            assertThat(slots.messages.poll(50, TimeUnit.MILLISECONDS))
                    .as("before a tick")
                    .isNull();
            asked = null;
            while (asked == null) {
                client.tick();
                asked = slots.messages.poll(1, TimeUnit.MILLISECONDS);
            }
        }
        answer(slots, asked, Operation.RESUME, Status.BUSY);
        slots.end("while it waits");
        HeldSlots last = connected();
        done(last, Operation.OPEN);
        done(last, Operation.RESUME);
    }
}
