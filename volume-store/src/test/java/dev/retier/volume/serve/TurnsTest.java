package dev.retier.volume.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.retier.volume.Volume.Extent;
import dev.retier.volume.VolumeName;
import dev.retier.volume.config.Care;
import dev.retier.volume.config.Times;
import dev.retier.volume.disk.BlockCache;
import dev.retier.volume.pool.Geometry;
import dev.retier.volume.slots.HeldSlots;
import dev.retier.volume.slots.SlotLink;
import dev.retier.volume.wire.Answer;
import dev.retier.volume.wire.Extents;
import dev.retier.volume.wire.Operation;
import dev.retier.volume.wire.Request;
import dev.retier.volume.wire.Status;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Turns of a disk thread that somebody could have by asking in another way. */
@Timeout(30)
class TurnsTest {
    private static final int LENGTH = 64 << 10;
    private static final int EACH = 12;
    private static final SlotLink.Shape SHAPE = new SlotLink.Shape(4, LENGTH + Request.BYTES);
    private static final VolumeName ARCHIVE = new VolumeName("archive");
    private static final Care CARE = new Care(false, 0, Duration.ofDays(1), Map.of(ARCHIVE, 3));
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    @AutoClose
    private final MemoryServer server = new MemoryServer(SHAPE, Times.DEFAULT, CARE, () -> 0);

    private final BlockCache cache = server.cache;
    private final HeldSlots slots = server.slots;
    private final Opener opener = new Opener(server.pool, server.workings.threads, CARE);
    private final int archive = server.pool.create(ARCHIVE, 8 << 20);
    private final int accounts = server.pool.create(new VolumeName("accounts"), 8L << 30);

    TurnsTest() throws IOException {}

    private int open(int use, int volume, ServedClient by, List<Integer> done) {
        opener.open(use, 0, volume, by).line().add(LENGTH, _ -> done.add(volume));
        return volume;
    }

    @Test
    void shouldHaveNoMoreTurns_whenItAttachesAgainBeforeEachRequest() throws IOException, InterruptedException {
        List<Integer> done = Collections.synchronizedList(new ArrayList<>());
        ServedClient greedy = server.client();
        server.keepBusy();
        for (int use = 1; use <= EACH; use++) {
            var _ = open(use, accounts, greedy, done);
        }
        ServedClient other = server.client();
        for (int use = 1; use <= EACH; use++) {
            var _ = open(EACH + use, archive, other, done);
        }
        server.mayBegin.countDown();
        server.close();
        assertThat(done.subList(0, EACH).stream().filter(volume -> volume == archive))
                .as("a quarter by its priority")
                .hasSizeBetween(2, 4);
    }

    @Test
    void shouldHaveThePriorityOfItsVolume_whenItIsASnapshot() throws IOException, InterruptedException {
        int before = server.pool.snapshot(archive, new VolumeName("before"));
        List<Integer> done = Collections.synchronizedList(new ArrayList<>());
        ServedClient both = server.client();
        server.keepBusy();
        for (int use = 1; use <= EACH; use++) {
            var _ = open(use, before, both, done);
        }
        for (int use = 1; use <= EACH; use++) {
            var _ = open(EACH + use, accounts, both, done);
        }
        server.mayBegin.countDown();
        server.close();
        assertThat(done.subList(0, EACH).stream().filter(volume -> volume == before))
                .hasSizeBetween(2, 4);
    }

    private void requireDone() throws InterruptedException {
        assertThat(server.answered().status()).isEqualTo(Status.DONE);
    }

    private void ask(Operation operation, int flags, int length, long offset, ByteBuffer data)
            throws InterruptedException {
        slots.ask(0, new Request(operation, flags, length, offset, accounts, 1, 0), data);
        requireDone();
    }

    private void attach() throws InterruptedException {
        server.open("somebody");
        assertThat(server.attached("accounts").volume()).isEqualTo(accounts);
    }

    /** What another one wants has its turns between this and what is asked for behind it. */
    private void requireItCosts(Operation operation, int flags) throws InterruptedException {
        attach();
        server.keepBusy();
        slots.ask(0, new Request(operation, flags, 1 << 30, 0, accounts, 1, 1), NOTHING);
        slots.ask(1, new Request(Operation.ZERO, 0, 4096, 0, accounts, 1, 2), NOTHING);
        List<Integer> done = Collections.synchronizedList(new ArrayList<>());
        ServedClient other = server.client();
        for (int use = 1; use <= EACH; use++) {
            var _ = open(EACH + use, archive, other, done);
        }
        server.mayBegin.countDown();
        requireDone();
        requireDone();
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
        ByteBuffer told = server.told().bytes();
        assertThat(Extents.all(Answer.data(told).orElseThrow())).containsExactly(new Extent(256 << 20, true));
        slots.ask(0, new Request(Operation.EXTENTS, 0, 2, (8L << 30) - 1, accounts, 1, 2), NOTHING);
        assertThat(server.answered().status()).isEqualTo(Status.INVALID);
    }

    /** Of what is not in memory, and will be needed. */
    private void hintWhileBusy() throws InterruptedException {
        attach();
        for (int write = 0; write < EACH; write++) {
            ask(Operation.WRITE, 0, LENGTH, (long) write * LENGTH, ByteBuffer.allocate(LENGTH));
        }
        ask(Operation.HINT, Request.NOT_NEEDED, EACH * LENGTH, 0, NOTHING);
        assertThat(cache.figures().used()).isZero();
        server.keepBusy();
        ask(Operation.HINT, 0, EACH * LENGTH, 0, NOTHING);
    }

    @Test
    void shouldReadNothingAhead_whenTheConnectionIsOver() throws IOException, InterruptedException {
        hintWhileBusy();
        slots.end("it is lost");
        server.mayBegin.countDown();
        server.close();
        assertThat(cache.figures().used()).isZero();
    }

    @Test
    void shouldReadNoMoreAhead_whenTheVolumeIsGivenBack() throws IOException, InterruptedException {
        hintWhileBusy();
        slots.ask(1, Request.about(Operation.DETACH, 0, accounts, 1), NOTHING);
        server.mayBegin.countDown();
        requireDone();
        server.close();
        assertThat(cache.figures().used()).as("before its turn").isLessThan(EACH * 8);
    }

    @Test
    void shouldReadAllOfItAhead_whenItGoesOn() throws InterruptedException {
        hintWhileBusy();
        slots.ask(1, Request.about(Operation.RENEW, 0, accounts, 1), NOTHING);
        server.mayBegin.countDown();
        requireDone();
        await().pollInterval(Duration.ofMillis(1))
                .until(() -> cache.figures().used() == EACH * LENGTH / Geometry.BLOCK_BYTES);
    }

    private void askForArchive(Operation operation, int flags, int length, long offset, ByteBuffer data)
            throws InterruptedException {
        slots.ask(0, new Request(operation, flags, length, offset, archive, 1, 0), data);
        requireDone();
    }

    @Test
    void shouldHaveThePriorityOfItsVolume_whenItIsReadAhead() throws InterruptedException {
        server.open("somebody");
        assertThat(server.attached("archive").volume()).isEqualTo(archive);
        for (int write = 0; write < 2 * EACH; write++) {
            askForArchive(Operation.WRITE, 0, LENGTH, (long) write * LENGTH, ByteBuffer.allocate(LENGTH));
        }
        askForArchive(Operation.HINT, Request.NOT_NEEDED, 2 * EACH * LENGTH, 0, NOTHING);
        server.keepBusy();
        askForArchive(Operation.HINT, 0, 2 * EACH * LENGTH, 0, NOTHING);
        List<Long> ahead = Collections.synchronizedList(new ArrayList<>());
        DiskThreads.Line other = opener.open(2, 0, accounts, server.client()).line();
        for (int request = 0; request < EACH; request++) {
            other.add(LENGTH, _ -> ahead.add(cache.figures().used()));
        }
        server.mayBegin.countDown();
        await().pollInterval(Duration.ofMillis(1)).until(() -> ahead.size() == EACH);
        assertThat(ahead.getLast() * Geometry.BLOCK_BYTES / LENGTH)
                .as("pieces before as many requests of another volume are done: a third, and what began first")
                .isBetween(2L, 7L);
    }
}
