package dev.retier.volume.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.volume.Volume.Extent;
import dev.retier.volume.VolumeName;
import dev.retier.volume.cache.CachePolicy;
import dev.retier.volume.disk.BlockCache;
import dev.retier.volume.disk.Pool;
import dev.retier.volume.pool.Geometry;
import dev.retier.volume.slots.HeldSlots;
import dev.retier.volume.slots.SlotLink;
import dev.retier.volume.wire.Answer;
import dev.retier.volume.wire.Extents;
import dev.retier.volume.wire.Operation;
import dev.retier.volume.wire.Request;
import dev.retier.volume.wire.Status;
import dev.retier.volume.worlds.MemoryDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Turns of a disk thread that somebody could have by asking in another way. */
@Timeout(30)
class TurnsTest {
    private static final int LENGTH = 64 << 10;
    private static final int EACH = 12;
    private static final SlotLink.Shape SHAPE = new SlotLink.Shape(4, LENGTH + Request.BYTES);
    private static final VolumeName ARCHIVE = new VolumeName("archive");
    private static final Means MEANS = new Means(Means.SYSTEM.threads(), () -> 0);
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final BlockCache cache = BlockCache.of(4 << 20, CachePolicy.MQ);
    private final CountDownLatch mayBegin = new CountDownLatch(1);
    private final HeldSlots slots = new HeldSlots(SHAPE);
    private final Pool pool;
    private final Opener opener;
    private final Workings workings;
    private final DiskThreads one;
    private final int archive;
    private final int accounts;
    private boolean isClosed;

    TurnsTest() throws IOException {
        MemoryDisk disk = new MemoryDisk();
        Pool.make(disk, new UUID(1, 2), Geometry.DEFAULT);
        pool = Pool.open(disk, new Pool.Limits(1 << 20, 64L << 20), cache, Runnable::run);
        archive = pool.create(ARCHIVE, 8 << 20);
        accounts = pool.create(new VolumeName("accounts"), 8L << 30);
        ServerConfig.Care care = new ServerConfig.Care(false, 0, Duration.ofDays(1), Map.of(ARCHIVE, 3));
        ServerConfig.Limits limits = new ServerConfig.Limits(SHAPE.count(), SHAPE.bytes(), 8, 1);
        workings = new Workings(
                pool,
                new Workings.Settings(limits, ServerConfig.Times.DEFAULT, care),
                new Tally(ServerListener.NONE),
                MEANS);
        one = workings.threads;
        opener = new Opener(pool, one, care);
    }

    @AfterEach
    void end() throws IOException {
        mayBegin.countDown();
        close();
        pool.close();
    }

    /** All that waits is done. */
    private void close() throws IOException {
        if (!isClosed) {
            isClosed = true;
            slots.end("the test is over");
            workings.close();
        }
    }

    /** The thread is at something until {@link #mayBegin}. */
    private void keepBusy() {
        one.new Line(1).add(0, _ -> {
            try {
                mayBegin.await();
            } catch (InterruptedException impossible) {
                throw new IllegalStateException(impossible);
            }
        });
    }

    private ServedClient client() {
        return new ServedClient(1, new HeldSlots(SHAPE), workings.service, _ -> {});
    }

    private int open(int use, int volume, ServedClient by, List<Integer> done) {
        opener.open(use, 0, volume, by).line().add(LENGTH, _ -> done.add(volume));
        return volume;
    }

    @Test
    void shouldHaveNoMoreTurns_whenItAttachesAgainBeforeEachRequest() throws IOException, InterruptedException {
        List<Integer> done = Collections.synchronizedList(new ArrayList<>());
        ServedClient greedy = client();
        keepBusy();
        for (int use = 1; use <= EACH; use++) {
            var _ = open(use, accounts, greedy, done);
        }
        ServedClient other = client();
        for (int use = 1; use <= EACH; use++) {
            var _ = open(EACH + use, archive, other, done);
        }
        mayBegin.countDown();
        close();
        assertThat(done.subList(0, EACH).stream().filter(volume -> volume == archive))
                .as("a quarter by its priority")
                .hasSizeBetween(2, 4);
    }

    @Test
    void shouldHaveThePriorityOfItsVolume_whenItIsASnapshot() throws IOException, InterruptedException {
        int before = pool.snapshot(archive, new VolumeName("before"));
        List<Integer> done = Collections.synchronizedList(new ArrayList<>());
        ServedClient both = client();
        keepBusy();
        for (int use = 1; use <= EACH; use++) {
            var _ = open(use, before, both, done);
        }
        for (int use = 1; use <= EACH; use++) {
            var _ = open(EACH + use, accounts, both, done);
        }
        mayBegin.countDown();
        close();
        assertThat(done.subList(0, EACH).stream().filter(volume -> volume == before))
                .hasSizeBetween(2, 4);
    }

    private void told() throws InterruptedException {
        HeldSlots.Message told = Objects.requireNonNull(slots.messages.poll(20, TimeUnit.SECONDS));
        assertThat(Answer.parse(told.bytes(), told.slot()).map(Answer::status)).contains(Status.DONE);
    }

    private void ask(Operation operation, int flags, int length, long offset, ByteBuffer data)
            throws InterruptedException {
        slots.ask(0, new Request(operation, flags, length, offset, accounts, 1, 0), data);
        told();
    }

    private void attach() throws InterruptedException {
        slots.use(new ServedClient(1, slots, workings.service, _ -> {}));
        ask(Operation.OPEN, 0, 0, 0, NOTHING);
        ask(Operation.ATTACH, 0, 0, 0, ByteBuffer.wrap("accounts".getBytes(StandardCharsets.US_ASCII)));
    }

    /** What another one wants has its turns between this and what is asked for behind it. */
    private void requireItCosts(Operation operation, int flags) throws InterruptedException {
        attach();
        keepBusy();
        slots.ask(0, new Request(operation, flags, 1 << 30, 0, accounts, 1, 1), NOTHING);
        slots.ask(1, new Request(Operation.ZERO, 0, 4096, 0, accounts, 1, 2), NOTHING);
        List<Integer> done = Collections.synchronizedList(new ArrayList<>());
        ServedClient other = client();
        for (int use = 1; use <= EACH; use++) {
            var _ = open(EACH + use, archive, other, done);
        }
        mayBegin.countDown();
        told();
        told();
        assertThat(done).hasSize(EACH);
    }

    @Test
    void shouldCost_whatALookAtTheExtentsOfAGibibyteDoes() throws InterruptedException {
        requireItCosts(Operation.EXTENTS, 0);
    }

    @Test
    void shouldCost_whatForgettingAGibibyteDoes() throws InterruptedException {
        requireItCosts(Operation.HINT, Request.NOT_NEEDED);
    }

    @Test
    void shouldLookAtNoMoreThanSoMuch_whateverExtentsAreAskedFor() throws InterruptedException {
        attach();
        slots.ask(0, new Request(Operation.EXTENTS, 0, -1, 4096, accounts, 1, 1), NOTHING);
        ByteBuffer told = Objects.requireNonNull(slots.messages.poll(20, TimeUnit.SECONDS))
                .bytes();
        assertThat(Extents.all(Answer.data(told).orElseThrow())).containsExactly(new Extent(256 << 20, true));
        slots.ask(0, new Request(Operation.EXTENTS, 0, 2, (8L << 30) - 1, accounts, 1, 2), NOTHING);
        assertThat(Answer.parse(slots.messages.take().bytes(), 0).map(Answer::status))
                .contains(Status.INVALID);
    }

    /** Of what is not in memory, and will be needed. */
    private void hintWhileBusy() throws InterruptedException {
        attach();
        for (int write = 0; write < EACH; write++) {
            ask(Operation.WRITE, 0, LENGTH, (long) write * LENGTH, ByteBuffer.allocate(LENGTH));
        }
        ask(Operation.HINT, Request.NOT_NEEDED, EACH * LENGTH, 0, NOTHING);
        assertThat(cache.figures().used()).isZero();
        keepBusy();
        ask(Operation.HINT, 0, EACH * LENGTH, 0, NOTHING);
    }

    @Test
    void shouldReadNothingAhead_whenTheConnectionIsOver() throws IOException, InterruptedException {
        hintWhileBusy();
        slots.end("it is lost");
        mayBegin.countDown();
        close();
        assertThat(cache.figures().used()).isZero();
    }

    @Test
    void shouldReadNoMoreAhead_whenTheVolumeIsGivenBack() throws IOException, InterruptedException {
        hintWhileBusy();
        slots.ask(1, Request.about(Operation.DETACH, 0, accounts, 1), NOTHING);
        mayBegin.countDown();
        told();
        close();
        assertThat(cache.figures().used()).as("before its turn").isLessThan(EACH * 8);
    }

    @Test
    void shouldReadAllOfItAhead_whenItGoesOn() throws InterruptedException {
        hintWhileBusy();
        slots.ask(1, Request.about(Operation.RENEW, 0, accounts, 1), NOTHING);
        mayBegin.countDown();
        told();
        while (cache.figures().used() < EACH * LENGTH / Geometry.BLOCK_BYTES) {
            Thread.onSpinWait();
        }
    }
}
