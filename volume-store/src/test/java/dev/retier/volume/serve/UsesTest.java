package dev.retier.volume.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.retier.volume.VolumeName;
import dev.retier.volume.disk.Pool;
import dev.retier.volume.pool.Checksums;
import dev.retier.volume.pool.Geometry;
import dev.retier.volume.session.Attachments.Wish;
import dev.retier.volume.slots.HeldSlots;
import dev.retier.volume.slots.SlotLink;
import dev.retier.volume.wire.Answer;
import dev.retier.volume.wire.Operation;
import dev.retier.volume.wire.Request;
import dev.retier.volume.wire.Status;
import dev.retier.volume.worlds.MemoryDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who has a volume while requests wait at the server, and while somebody else is about to have it. */
@Timeout(30)
class UsesTest {
    private static final SlotLink.Shape SHAPE = new SlotLink.Shape(4, 4096 + Request.BYTES);
    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final VolumeName VOLUME = new VolumeName("accounts");

    private final AtomicLong nowNanos = new AtomicLong();
    private final Tally tally = new Tally(ServerListener.NONE);
    private final Pool pool;
    private final Workings workings;
    private final int volume;
    private final HeldSlots slots = new HeldSlots(SHAPE);

    UsesTest() throws IOException {
        MemoryDisk disk = new MemoryDisk();
        Pool.make(disk, new UUID(1, 2), Geometry.DEFAULT);
        pool = Pool.open(disk, new Pool.Limits(1 << 20, 64L << 20), Runnable::run);
        volume = pool.create(VOLUME, 1 << 20);
        ServerConfig.Limits limits = new ServerConfig.Limits(SHAPE.count(), SHAPE.bytes(), 8, 1);
        workings = new Workings(
                pool,
                new Workings.Settings(
                        limits, new ServerConfig.Times(LEASE, Duration.ofMillis(20), LEASE), ServerConfig.Care.LEAST),
                tally,
                new Means(Thread.ofVirtual().factory(), nowNanos::get));
        slots.use(new ServedClient(1, slots, workings.service, _ -> {}));
    }

    @AfterEach
    void end() throws IOException, InterruptedException {
        slots.end("the test is over");
        workings.close();
        pool.close();
    }

    private ByteBuffer told() throws InterruptedException {
        return Objects.requireNonNull(slots.messages.poll(20, TimeUnit.SECONDS), slots.reason)
                .bytes();
    }

    private Answer ask(Request request, String text) throws InterruptedException {
        slots.ask(0, request, ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
        return Answer.parse(told(), 0).orElseThrow();
    }

    private Answer attached() throws InterruptedException {
        var _ = ask(Request.about(Operation.OPEN, 0, 0, 0), "the writer");
        return ask(Request.about(Operation.ATTACH, 0, 0, 0), VOLUME.value());
    }

    private static void requireRefusal(ThrowingCallable asking, Status status, String why) {
        assertThatThrownBy(asking).isInstanceOfSatisfying(Refusal.class, refusal -> {
            assertThat(refusal.status()).isEqualTo(status);
            assertThat(refusal).hasMessageContaining(why);
        });
    }

    /** It cannot say more while it waits for its answer: that it is silent is the server's doing. */
    @Test
    void shouldKeepIt_whoWaitsForTheServerForLongerThanALease() throws Exception {
        Answer writer = attached();
        CountDownLatch isFree = new CountDownLatch(1);
        workings.threads.new Line(DiskThreads.HIGHEST).add(1, _ -> {
            try {
                isFree.await();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        });
        slots.ask(0, new Request(Operation.WRITE, 0, 8, 0, volume, writer.epoch(), 7), ByteBuffer.allocate(8));
        nowNanos.addAndGet(2 * LEASE.toNanos());
        try {
            requireRefusal(
                    () -> workings.uses.attach(volume, new Wish(2, false), null), Status.HELD, "the writer has it");
            nowNanos.addAndGet(2 * LEASE.toNanos());
            requireRefusal(
                    () -> workings.uses.whileFree(volume, () -> {}), Status.HELD, "the writer has accounts attached");
            nowNanos.addAndGet(2 * LEASE.toNanos());
            assertThat(workings.uses.writer(
                            volume,
                            Objects.requireNonNull(pool.catalogue().entries().get(volume))))
                    .map(Uses.Known::name)
                    .contains("the writer");
        } finally {
            isFree.countDown();
        }
        assertThat(Answer.parse(told(), 0).map(Answer::status)).contains(Status.DONE);

        nowNanos.addAndGet(2 * LEASE.toNanos());
        assertThat(workings.uses.attach(volume, new Wish(2, false), null).epoch())
                .as("when it is silent and nothing of it waits")
                .isEqualTo(writer.epoch() + 1);
    }

    @Test
    void shouldBeToldThatItIsBusy_whenSomebodyElseIsAboutToHaveItForTooLong() throws Exception {
        workings.uses.whileFree(volume, () -> {
            requireRefusal(
                    () -> workings.uses.attach(volume, new Wish(2, false), null), Status.BUSY, "about to have it");
            requireRefusal(
                    () -> workings.uses.attach(volume, new Wish(2, true), null), Status.BUSY, "about to have it");
        });
        assertThat(workings.uses.attach(volume, new Wish(2, false), null).epoch())
                .isEqualTo(1);
    }

    private void askOfALaterVersion(int at, int epoch) {
        slots.put(1, into -> {
            new Request(Operation.FLUSH, 0, 0, 0, volume, epoch, 42).encode(into, 1, 0);
            into.order(ByteOrder.LITTLE_ENDIAN).put(at, (byte) 200);
            into.putInt(60, Checksums.of(into, 0, 60));
        });
        slots.announce(1);
    }

    /** A client of a later version is told so, where it would come back again and again. */
    @Test
    void shouldSayThatItDoesNotKnowIt_andGoOnWithTheConnection() throws Exception {
        Answer writer = attached();
        for (int at : new int[] {0, 1}) {
            askOfALaterVersion(at, writer.epoch());
            ByteBuffer told = told();
            assertThat(Answer.parse(told, 1)).contains(Answer.of(Status.INVALID, 42));
            assertThat(StandardCharsets.UTF_8
                            .decode(Answer.data(told).orElseThrow())
                            .toString())
                    .contains(at == 0 ? "does not know: operation 200" : "does not know: flags 136 of FLUSH");
        }
        Request read = new Request(Operation.READ, 0, 8, 0, volume, writer.epoch(), 43);
        assertThat(ask(read, "").status()).isEqualTo(Status.DONE);
        assertThat(tally.counted().get(VolumeMetric.REFUSED)).isEqualTo(2);
    }

    /** There is nowhere to say it. */
    @Test
    void shouldEndTheConnection_whenItAsksForWhatIsNotKnownBeforeItSaysWhereItsAnswersGo() {
        askOfALaterVersion(0, 1);
        await().atMost(Duration.ofSeconds(20))
                .pollInterval(Duration.ofMillis(1))
                .until(slots::isOver);
        assertThat(slots.reason).contains("is no request");
        assertThat(slots.messages).isEmpty();
    }
}
