package dev.retier.volume.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.retier.volume.VolumeName;
import dev.retier.volume.config.Care;
import dev.retier.volume.config.Times;
import dev.retier.volume.pool.Checksums;
import dev.retier.volume.session.Attachments.Wish;
import dev.retier.volume.slots.HeldSlots;
import dev.retier.volume.slots.SlotLink;
import dev.retier.volume.wire.Answer;
import dev.retier.volume.wire.Operation;
import dev.retier.volume.wire.Request;
import dev.retier.volume.wire.Status;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who has a volume while requests wait at the server, and while somebody else is about to have it. */
@Timeout(30)
class UsesTest {
    private static final SlotLink.Shape SHAPE = new SlotLink.Shape(4, 4096 + Request.BYTES);
    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final VolumeName VOLUME = new VolumeName("accounts");

    private final AtomicLong nowNanos = new AtomicLong();

    @AutoClose
    private final MemoryServer server =
            new MemoryServer(SHAPE, new Times(LEASE, Duration.ofMillis(20), LEASE), Care.LEAST, nowNanos::get);

    private final int volume = server.pool.create(VOLUME, 1 << 20);
    private final Workings workings = server.workings;
    private final HeldSlots slots = server.slots;

    UsesTest() throws IOException {}

    private Answer attached() throws InterruptedException {
        server.open("the writer");
        return server.attached(VOLUME.value());
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
        server.keepBusy();
        slots.ask(0, new Request(Operation.WRITE, 0, 8, 0, volume, writer.epoch(), 7), ByteBuffer.allocate(8));
        nowNanos.addAndGet(2 * LEASE.toNanos());
        requireRefusal(() -> workings.uses.attach(volume, new Wish(2, false), null), Status.HELD, "the writer has it");
        nowNanos.addAndGet(2 * LEASE.toNanos());
        requireRefusal(
                () -> workings.uses.whileFree(volume, () -> {}), Status.HELD, "the writer has accounts attached");
        nowNanos.addAndGet(2 * LEASE.toNanos());
        assertThat(workings.uses.writer(
                        volume,
                        Objects.requireNonNull(server.pool.catalogue().entries().get(volume))))
                .map(Uses.Known::name)
                .contains("the writer");
        server.mayBegin.countDown();
        assertThat(server.answered().status()).isEqualTo(Status.DONE);

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

    /** It knows another size, and what lay behind the new one is gone, also if the volume is made larger again. */
    @Test
    void shouldBeFenced_whoIsAwayWhileItsVolumeIsMadeSmaller() throws Exception {
        Answer writer = attached();
        nowNanos.addAndGet(2 * LEASE.toNanos());
        HeldSlots others = new HeldSlots(SHAPE);
        others.use(new ServedClient(2, others, workings.service, _ -> {}));
        server.slots = others;
        server.open("somebody else");
        for (long bytes : new long[] {4096, 1 << 20}) {
            ByteBuffer from = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            from.putLong(Objects.requireNonNull(
                                    server.pool.catalogue().entries().get(volume))
                            .bytes())
                    .flip();
            others.ask(0, Request.about(Operation.RESIZE, bytes, volume, 0), from);
            assertThat(server.answered().status()).isEqualTo(Status.DONE);
        }
        others.end("it is done");

        server.slots = slots;
        Request read = new Request(Operation.READ, 0, 8, 8192, volume, writer.epoch(), 43);
        assertThat(server.ask(read, "").status()).isEqualTo(Status.FENCED);
        Request resume = Request.about(Operation.RESUME, 0, volume, writer.epoch());
        assertThat(server.ask(resume, "").status()).isEqualTo(Status.FENCED);
    }

    /** The journal takes nothing of a lower epoch, also where the server's books say that its client has it. */
    @Test
    void shouldBeToldThatItIsFenced_whoWritesByAnEpochThatTheJournalTakesNoMore() throws Exception {
        Answer writer = attached();
        Request write = new Request(Operation.WRITE, 0, 8, 0, volume, writer.epoch(), 42);
        assertThat(server.ask(write, "earlier!").status()).isEqualTo(Status.DONE);
        server.pool.attach(volume, writer.epoch() + 1, 2);

        assertThat(server.ask(write, "too late").status()).isEqualTo(Status.FENCED);

        ByteBuffer found = ByteBuffer.allocate(8);
        server.pool.volume(volume, 0).read(0, found);
        assertThat(new String(found.array(), StandardCharsets.US_ASCII)).isEqualTo("earlier!");
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
            ByteBuffer told = server.told().bytes();
            assertThat(Answer.parse(told, 1)).contains(Answer.of(Status.INVALID, 42));
            assertThat(StandardCharsets.UTF_8
                            .decode(Answer.data(told).orElseThrow())
                            .toString())
                    .contains(at == 0 ? "does not know: operation 200" : "does not know: flags 136 of FLUSH");
        }
        Request read = new Request(Operation.READ, 0, 8, 0, volume, writer.epoch(), 43);
        assertThat(server.ask(read, "").status()).isEqualTo(Status.DONE);
        assertThat(server.tally.counted().get(VolumeMetric.REFUSED)).isEqualTo(2);
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
