package dev.retier.volume.connect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.link.SecretSource;
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
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** The server of one client; the test says what it answers, and when. */
final class HeldServer implements AutoCloseable {
    static final SlotLink.Shape SHAPE = new SlotLink.Shape(4, 4096 + Request.BYTES);
    /** Of its volume. */
    static final long BYTES = 4L << 30;

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final UnconnectedClient client;

    HeldServer(LongSupplier clock, Optional<Duration> lostAfter, Completion completion) {
        ClientConfig config = ClientConfig.of(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 1),
                        SecretSource.of(Secrets.only(ClusterSecret.of("a secret of nobody"))),
                        Transport.IWARP)
                .withLostAfter(lostAfter)
                .withName(new ClientName("one"))
                .withCompletion(completion);
        client = new UnconnectedClient(config, clock);
    }

    VolumeClient client() {
        return client.client();
    }

    /** The clock of the client. */
    void tick() {
        client.tick();
    }

    /** What a program does with the client, by a thread of its own. */
    <T> Future<T> begun(Callable<T> asking) {
        return threads.submit(asking);
    }

    /** The client has a connection. */
    HeldSlots connected() {
        return connected(new UUID(1, 1));
    }

    private HeldSlots connected(UUID boot) {
        HeldSlots slots = new HeldSlots(SHAPE);
        slots.use(client.connected(slots, new Grant(boot, new UUID(5, 6), SHAPE.count(), SHAPE.bytes(), 0, 0)));
        return slots;
    }

    /** It has another one, by a machine that was started anew, and goes on with its volume. */
    HeldSlots restarted() throws InterruptedException {
        HeldSlots slots = connected(new UUID(2, 2));
        done(slots, Operation.OPEN);
        done(slots, Operation.RESUME);
        return slots;
    }

    /** It has another one, and goes on with its volume. */
    HeldSlots resumed() throws InterruptedException {
        HeldSlots slots = connected();
        done(slots, Operation.OPEN);
        done(slots, Operation.RESUME);
        return slots;
    }

    /** Its volume, by its first connection. */
    RemoteVolume attached(HeldSlots slots) throws Exception {
        Future<RemoteVolume> attaching = begun(() -> client().attach(new VolumeName("accounts"), false));
        done(slots, Operation.OPEN);
        done(slots, Operation.ATTACH);
        return attaching.get(20, TimeUnit.SECONDS);
    }

    /** Eight bytes, as text. */
    Future<String> reading(RemoteVolume volume, long offset) {
        return begun(() -> {
            ByteBuffer into = ByteBuffer.allocate(8);
            volume.read(offset, into);
            return StandardCharsets.US_ASCII.decode(into.flip()).toString();
        });
    }

    HeldSlots.Message next(HeldSlots slots) throws InterruptedException {
        return Objects.requireNonNull(slots.messages.poll(20, TimeUnit.SECONDS), "nothing was asked for");
    }

    Request said(HeldSlots.Message message) {
        return Request.parse(message.bytes(), message.slot()).orElseThrow();
    }

    /** Answers it, with a bit of the first byte of data flipped on the way. */
    Request answer(HeldSlots slots, HeldSlots.Message message, Status status, byte[] data, int flippedBit) {
        Request request = said(message);
        slots.put(message.slot(), into -> {
            into.put(Answer.BYTES, data);
            new Answer(status, request.sequence(), 7, 3, BYTES).encode(into, message.slot(), data.length);
            into.put(Answer.BYTES, (byte) (into.get(Answer.BYTES) ^ flippedBit));
        });
        slots.announce(message.slot());
        return request;
    }

    /** Does what is asked for next; what is read are zeros. */
    Request done(HeldSlots slots, Operation expected) throws InterruptedException {
        HeldSlots.Message message = next(slots);
        assertThat(said(message).operation()).isEqualTo(expected);
        byte[] data = new byte[expected == Operation.READ ? said(message).length() : 0];
        return answer(slots, message, Status.DONE, data, 0);
    }

    @Override
    public void close() {
        client().close();
        threads.close();
    }
}
