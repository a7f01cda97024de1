package dev.retier.volume.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.link.Transport;
import dev.retier.link.auth.ClusterSecret;
import dev.retier.link.auth.Secrets;
import dev.retier.volume.Volume.Hint;
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
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a server gets of hints; the test is the server. */
@Timeout(60)
class HintsOnTheWayTest {
    private static final SlotLink.Shape SHAPE = new SlotLink.Shape(4, 4096 + Request.BYTES);
    private static final long BYTES = 4L << 30;

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

    private HeldSlots connected(boolean takesHints) {
        HeldSlots slots = new HeldSlots(SHAPE);
        slots.use(client.connected(slots, new Grant(new UUID(1, 1), SHAPE.count(), SHAPE.bytes(), 0, 0, takesHints)));
        return slots;
    }

    private static HeldSlots.Message next(HeldSlots from) throws InterruptedException {
        return Objects.requireNonNull(from.messages.poll(20, TimeUnit.SECONDS), "nothing was asked for");
    }

    private static Request answer(HeldSlots slots, Status status) throws InterruptedException {
        HeldSlots.Message message = next(slots);
        int slot = message.slot();
        Request request = Request.parse(message.bytes(), slot).orElseThrow();
        int data = request.operation() == Operation.READ ? request.length() : 0;
        slots.put(slot, into -> new Answer(status, request.sequence(), 7, 3, BYTES).encode(into, slot, data));
        slots.announce(slot);
        return request;
    }

    private static Operation done(HeldSlots slots) throws InterruptedException {
        return answer(slots, Status.DONE).operation();
    }

    private RemoteVolume attached(HeldSlots slots) throws Exception {
        Future<RemoteVolume> attaching =
                threads.submit(() -> client.client().attach(new VolumeName("accounts"), false));
        assertThat(done(slots)).isEqualTo(Operation.OPEN);
        assertThat(done(slots)).isEqualTo(Operation.ATTACH);
        return attaching.get(20, TimeUnit.SECONDS);
    }

    private Future<?> hinted(RemoteVolume volume, long offset, long length, Hint hint) {
        Callable<Boolean> asking = () -> {
            volume.hint(offset, length, hint);
            return true;
        };
        return threads.submit(asking);
    }

    private void requireNoHintBeforeARead(HeldSlots slots, RemoteVolume volume) throws Exception {
        Callable<Boolean> asking = () -> {
            volume.read(0, ByteBuffer.allocate(8));
            return true;
        };
        Future<Boolean> reading = threads.submit(asking);
        assertThat(done(slots)).isEqualTo(Operation.READ);
        assertThat(reading.get(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void shouldSayAllOfIt_inAsManyRequestsAsItNeeds() throws Exception {
        HeldSlots slots = connected(true);
        RemoteVolume volume = attached(slots);

        Future<?> hinting = hinted(volume, 5, (1L << 30) + 6, Hint.WILL_NOT_NEED);
        assertThat(answer(slots, Status.DONE))
                .isEqualTo(new Request(Operation.HINT, Request.NOT_NEEDED, 1 << 30, 5, 7, 3, 2));
        assertThat(hinting.isDone()).as("the rest is not answered").isFalse();
        assertThat(answer(slots, Status.DONE))
                .isEqualTo(new Request(Operation.HINT, Request.NOT_NEEDED, 6, 5 + (1L << 30), 7, 3, 3));
        hinting.get(20, TimeUnit.SECONDS);

        hinting = hinted(volume, 0, 1, Hint.WILL_NEED);
        assertThat(answer(slots, Status.INVALID)).isEqualTo(new Request(Operation.HINT, 0, 1, 0, 7, 3, 4));
        assertThatThrownBy(hinting::get).hasCauseInstanceOf(VolumeException.class);
        assertThatThrownBy(() -> volume.hint(BYTES, 1, Hint.WILL_NEED)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldBeNothing_forAServerThatTakesNone() throws Exception {
        HeldSlots slots = connected(false);
        RemoteVolume volume = attached(slots);

        hinted(volume, 0, 4096, Hint.WILL_NEED).get(20, TimeUnit.SECONDS);

        requireNoHintBeforeARead(slots, volume);
    }

    /** The next server may be an older one, to which it would be no request at all. */
    @Test
    void shouldEndWithItsConnection() throws Exception {
        HeldSlots slots = connected(true);
        RemoteVolume volume = attached(slots);
        Future<?> hinting = hinted(volume, 0, 4096, Hint.WILL_NEED);
        var _ = next(slots);

        slots.end("as planned");
        hinting.get(20, TimeUnit.SECONDS);
        hinted(volume, 0, 4096, Hint.WILL_NEED).get(20, TimeUnit.SECONDS);

        HeldSlots older = connected(false);
        assertThat(done(older)).isEqualTo(Operation.OPEN);
        assertThat(done(older)).isEqualTo(Operation.RESUME);
        requireNoHintBeforeARead(older, volume);
    }
}
