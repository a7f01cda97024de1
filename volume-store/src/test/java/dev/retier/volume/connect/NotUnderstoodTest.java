package dev.retier.volume.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.link.Transport;
import dev.retier.link.auth.ClusterSecret;
import dev.retier.link.auth.Secrets;
import dev.retier.testsupport.Logged;
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
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Answers that come garbled, and requests that end each connection they are sent over; the test is the server. */
@Timeout(60)
class NotUnderstoodTest {
    private static final SlotLink.Shape SHAPE = new SlotLink.Shape(4, 4096 + Request.BYTES);
    private static final Duration LOST_AFTER = Duration.ofSeconds(60);

    private final AtomicLong nowNanos = new AtomicLong();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final UnconnectedClient client = new UnconnectedClient(
            new ClientConfig(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 1),
                    Secrets.only(ClusterSecret.of("a secret of nobody")),
                    Transport.IWARP,
                    Optional.of(LOST_AFTER),
                    64 << 20,
                    new ClientName("one"),
                    Duration.ofSeconds(2),
                    Completion.DEFAULT),
            nowNanos::get);

    @AfterEach
    void end() {
        client.client().close();
        threads.close();
    }

    private void pass(int seconds) {
        nowNanos.addAndGet(Duration.ofSeconds(seconds).toNanos());
    }

    private HeldSlots connected() {
        HeldSlots slots = new HeldSlots(SHAPE);
        slots.use(client.connected(slots, new Grant(new UUID(1, 1), SHAPE.count(), SHAPE.bytes(), 0, 0, true)));
        assertThat(answer(slots, next(slots), "").operation()).isEqualTo(Operation.OPEN);
        return slots;
    }

    private HeldSlots again() {
        HeldSlots slots = connected();
        assertThat(answer(slots, next(slots), "").operation()).isEqualTo(Operation.RESUME);
        return slots;
    }

    private static HeldSlots.Message next(HeldSlots from) {
        try {
            return Objects.requireNonNull(from.messages.poll(20, TimeUnit.SECONDS), "nothing was asked for");
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    /** The next one that was not sent by the client's clock. */
    private static HeldSlots.Message read(HeldSlots from) {
        HeldSlots.Message message = next(from);
        while (said(message).operation() == Operation.RENEW) {
            answer(from, message, "");
            message = next(from);
        }
        assertThat(said(message).operation()).isEqualTo(Operation.READ);
        return message;
    }

    private static Request said(HeldSlots.Message message) {
        return Request.parse(message.bytes(), message.slot()).orElseThrow();
    }

    private static Request answer(HeldSlots slots, HeldSlots.Message message, String data) {
        return answer(slots, message, data, 0);
    }

    private static Request answer(HeldSlots slots, HeldSlots.Message message, String data, int flippedBit) {
        Request request = said(message);
        slots.put(message.slot(), into -> {
            into.put(Answer.BYTES, data.getBytes(StandardCharsets.US_ASCII));
            new Answer(Status.DONE, request.sequence(), 7, 3, 1 << 20).encode(into, message.slot(), data.length());
            into.put(Answer.BYTES, (byte) (into.get(Answer.BYTES) ^ flippedBit));
        });
        slots.announce(message.slot());
        return request;
    }

    private RemoteVolume attached(HeldSlots slots) throws Exception {
        Future<RemoteVolume> attaching =
                threads.submit(() -> client.client().attach(new VolumeName("accounts"), false));
        assertThat(answer(slots, next(slots), "").operation()).isEqualTo(Operation.ATTACH);
        return attaching.get(20, TimeUnit.SECONDS);
    }

    private Future<String> reading(RemoteVolume volume, long offset) {
        Callable<String> asking = () -> {
            ByteBuffer into = ByteBuffer.allocate(8);
            volume.read(offset, into);
            return new String(into.array(), StandardCharsets.US_ASCII);
        };
        return threads.submit(asking);
    }

    /** Asked for once more, at the next tick, over the same connection, which others go on to use. */
    @Test
    void shouldAskOnceMore_whenAnAnswerIsNotWhatWasSent() throws Exception {
        HeldSlots slots = connected();
        RemoteVolume volume = attached(slots);
        Future<String> garbled = reading(volume, 4096);
        Request first = answer(slots, read(slots), "01234567", 1);
        Future<String> other = reading(volume, 8192);
        assertThat(answer(slots, read(slots), "ABCDEFGH").offset()).isEqualTo(8192);
        assertThat(other.get(20, TimeUnit.SECONDS)).isEqualTo("ABCDEFGH");

        client.tick();
        assertThat(answer(slots, read(slots), "01234567")).isEqualTo(first);
        assertThat(garbled.get(20, TimeUnit.SECONDS)).isEqualTo("01234567");
        assertThat(slots.isOver()).isFalse();
    }

    /** Also where the connection is another one: what garbles it may be on all ways to the server. */
    @Test
    void shouldFail_whenTheSecondAnswerIsNotWhatWasSent() throws Exception {
        HeldSlots slots = connected();
        RemoteVolume volume = attached(slots);
        try (Logged logged = new Logged()) {
            for (boolean isOverAnother : new boolean[] {false, true}) {
                Future<String> garbled = reading(volume, 4096);
                answer(slots, read(slots), "01234567", 1);
                if (isOverAnother) {
                    slots.end("as planned");
                    slots = again();
                } else {
                    client.tick();
                }
                assertThat(answer(slots, read(slots), "01234567", 2).offset()).isEqualTo(4096);
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
        HeldSlots slots = connected();
        RemoteVolume volume = attached(slots);
        Pending write = volume.startWrite(4096, Set.of(), ByteBuffer.allocate(512));
        answer(slots, next(slots), "?", 1);
        client.tick();
        assertThat(answer(slots, next(slots), "?", 1).operation()).isEqualTo(Operation.WRITE);
        assertThatThrownBy(write::await).isInstanceOf(VolumeException.class);
        assertThat(volume.facts().unflushedBytes()).isEqualTo(512);
    }

    /** Whoever has asked since goes on, and so does what was only slow. */
    @Test
    void shouldEndAfterLostAfter_whatEndsEachConnectionItIsSentOver() throws Exception {
        HeldSlots slots = connected();
        RemoteVolume volume = attached(slots);
        Future<String> slow = reading(volume, 0);
        var _ = read(slots);
        pass(100);
        slots.end("for the first time");
        slots = again();
        assertThat(answer(slots, read(slots), "01234567").offset()).isZero();
        assertThat(slow.get(20, TimeUnit.SECONDS)).isEqualTo("01234567");

        Future<String> bad = reading(volume, 4096);
        for (int connection = 0; connection < 4; connection++) {
            assertThat(said(read(slots)).offset()).isEqualTo(4096);
            pass(20);
            client.tick();
            if (connection % 2 == 0) {
                slots.end("as planned");
            } // else it is told later than that there is another one
            slots = again();
        }
        assertThatThrownBy(() -> bad.get(20, TimeUnit.SECONDS))
                .hasMessageContaining("was asked for it for more than 60 s, and one connection after the other ended");
        Future<String> later = reading(volume, 8192);
        var _ = read(slots);
        pass(20);
        slots.end("as planned");
        slots = again();
        assertThat(answer(slots, read(slots), "01234567").offset()).isEqualTo(8192);
        assertThat(later.get(20, TimeUnit.SECONDS)).isEqualTo("01234567");

        client.tick();
        assertThat(said(next(slots)).operation()).as("it keeps its lease").isEqualTo(Operation.RENEW);
    }
}
