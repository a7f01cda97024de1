package dev.retier.volume.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.retier.volume.VolumeName;
import dev.retier.volume.disk.Pool;
import dev.retier.volume.pool.Geometry;
import dev.retier.volume.slots.HeldSlots;
import dev.retier.volume.slots.SlotLink;
import dev.retier.volume.wire.Answer;
import dev.retier.volume.wire.Operation;
import dev.retier.volume.wire.Request;
import dev.retier.volume.wire.Status;
import dev.retier.volume.worlds.MemoryDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a volume gets of a disk thread that others want as well. */
@Timeout(30)
class SharesTest {
    private static final int LENGTH = 64 << 10;
    private static final int EACH = 12;
    private static final SlotLink.Shape SHAPE = new SlotLink.Shape(2 * EACH, LENGTH + Request.BYTES);
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
    private static final Means MEANS = new Means(Means.SYSTEM.threads(), () -> 0);

    private final HeldSlots slots = new HeldSlots(SHAPE);

    private Answer told() throws InterruptedException {
        HeldSlots.Message told = Objects.requireNonNull(slots.messages.poll(20, TimeUnit.SECONDS));
        return Answer.parse(told.bytes(), told.slot()).orElseThrow();
    }

    private Answer attached(String name) throws InterruptedException {
        ByteBuffer text = ByteBuffer.wrap(name.getBytes(StandardCharsets.US_ASCII));
        slots.ask(0, Request.about(Operation.ATTACH, 0, 0, 0), text);
        return told();
    }

    private static void awaitAll(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** What a test does with two volumes that a client has attached, while the thread is at something else. */
    private interface Asking {
        /** Asks for as much as there are slots, at most. */
        void ask(List<Answer> both) throws InterruptedException;
    }

    private void whileBusy(Map<VolumeName, Integer> priorities, Asking asking, Asking then)
            throws IOException, InterruptedException {
        MemoryDisk disk = new MemoryDisk();
        Pool.make(disk, new UUID(1, 2), Geometry.DEFAULT);
        try (Pool pool = Pool.open(disk, new Pool.Limits(1 << 20, 64L << 20), Runnable::run)) {
            var _ = pool.create(new VolumeName("archive"), 8 << 20);
            var _ = pool.create(new VolumeName("accounts"), 8 << 20);
            ServerConfig.Care care = new ServerConfig.Care(false, 0, Duration.ofDays(1), priorities);
            ServerConfig.Limits limits = new ServerConfig.Limits(SHAPE.count(), SHAPE.bytes(), 8, 1);
            Workings workings = new Workings(
                    pool,
                    new Workings.Settings(limits, ServerConfig.Times.DEFAULT, care),
                    new Tally(ServerListener.NONE),
                    MEANS);
            slots.use(new ServedClient(1, slots, workings.service, _ -> {}));
            slots.ask(0, Request.about(Operation.OPEN, 0, 0, 0), NOTHING);
            assertThat(told().status()).isEqualTo(Status.DONE);
            List<Answer> both = List.of(attached("archive"), attached("accounts"));
            CountDownLatch mayBegin = new CountDownLatch(1);
            workings.threads.new Line(1).add(0, _ -> awaitAll(mayBegin));
            asking.ask(both);
            mayBegin.countDown();
            then.ask(both);
            slots.end("the test is over");
            workings.close();
        }
    }

    private void write(int slot, Answer volume) {
        long offset = (long) (slot % EACH) * LENGTH;
        slots.ask(
                slot,
                new Request(Operation.WRITE, 0, LENGTH, offset, volume.volume(), volume.epoch(), 1 + slot),
                ByteBuffer.allocate(LENGTH));
    }

    /** Asked for by one client, first all of one volume and then all of the other. */
    private List<Integer> orderOfVolumes(Map<VolumeName, Integer> priorities) throws IOException, InterruptedException {
        List<Integer> order = new ArrayList<>();
        whileBusy(
                priorities,
                both -> {
                    for (int slot = 0; slot < 2 * EACH; slot++) {
                        write(slot, both.get(slot / EACH));
                    }
                },
                _ -> {
                    while (order.size() < 2 * EACH) {
                        HeldSlots.Message told = Objects.requireNonNull(slots.messages.poll(20, TimeUnit.SECONDS));
                        order.add(told.slot() / EACH);
                    }
                });
        return order;
    }

    @Test
    void shouldEndTheConnection_whenARequestIsAnotherOneWhenItsTurnComes() throws IOException, InterruptedException {
        whileBusy(
                Map.of(),
                both -> {
                    Request little = new Request(
                            Operation.READ,
                            0,
                            512,
                            0,
                            both.get(0).volume(),
                            both.get(0).epoch(),
                            7);
                    slots.ask(3, new Request(Operation.ZERO, 0, 512, 0, little.volume(), little.epoch(), 7), NOTHING);
                    slots.put(3, into -> little.encode(into, 3, 0));
                },
                _ -> {
                    await().until(slots::isOver);
                    assertThat(slots.reason).contains("has changed since");
                });
    }

    @Test
    void shouldTakeTurns_whenOneClientAsksForTwoVolumes() throws IOException, InterruptedException {
        List<Integer> first = orderOfVolumes(Map.of()).subList(0, EACH);
        assertThat(first.stream().filter(volume -> volume == 1)).hasSizeBetween(EACH / 2 - 2, EACH / 2 + 2);
    }

    @Test
    void shouldGetThreeTimesAsMuch_whenTheOthersPriorityIsThree() throws IOException, InterruptedException {
        List<Integer> first =
                orderOfVolumes(Map.of(new VolumeName("archive"), 3)).subList(0, EACH);
        assertThat(first.stream().filter(volume -> volume == 1)).hasSizeBetween(8, 10);
    }
}
