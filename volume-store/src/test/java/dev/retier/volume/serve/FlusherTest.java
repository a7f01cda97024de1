package dev.retier.volume.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.volume.NoSpaceException;
import dev.retier.volume.wire.Status;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class FlusherTest {
    private static final Flusher.Ended DONE = new Flusher.Ended(Status.DONE, "");

    private final Semaphore begun = new Semaphore(0);
    private final Semaphore mayEnd = new Semaphore(0);
    private final Tally tally = new Tally(ServerListener.NONE);
    private final Flusher flusher = new Flusher(
            () -> {
                begun.release();
                mayEnd.acquireUninterruptibly();
            },
            tally,
            Thread.ofVirtual().factory());

    @AfterEach
    void end() throws InterruptedException {
        mayEnd.release(1000);
        flusher.close();
    }

    private CompletableFuture<Flusher.Ended> flush() {
        CompletableFuture<Flusher.Ended> told = new CompletableFuture<>();
        flusher.flush(told::complete);
        return told;
    }

    /** What was answered since that began may be not on the disk by that. */
    @Test
    void shouldForceOnceMore_forAllWhoAskWhileAForceIsUnderWay() throws Exception {
        CompletableFuture<Flusher.Ended> first = flush();
        begun.acquire();
        CompletableFuture<Flusher.Ended> second = flush();
        CompletableFuture<Flusher.Ended> third = flush();
        mayEnd.release();
        assertThat(first.get(20, TimeUnit.SECONDS)).isEqualTo(DONE);
        assertThat(begun.tryAcquire(20, TimeUnit.SECONDS)).as("another one").isTrue();
        assertThat(second.isDone() || third.isDone()).isFalse();
        mayEnd.release();
        assertThat(second.get(20, TimeUnit.SECONDS)).isEqualTo(DONE);
        assertThat(third.get(20, TimeUnit.SECONDS)).isEqualTo(DONE);
        assertThat(tally.counted())
                .containsEntry(VolumeMetric.FORCES, 2L)
                .containsEntry(VolumeMetric.FORCED_FLUSHES, 3L);
    }

    private Flusher.Ended ended(IOException why) throws Exception {
        Flusher failing = new Flusher(
                () -> {
                    throw why;
                },
                tally,
                Thread.ofVirtual().factory());
        CompletableFuture<Flusher.Ended> told = new CompletableFuture<>();
        failing.flush(told::complete);
        Flusher.Ended ended = told.get(20, TimeUnit.SECONDS);
        failing.close();
        return ended;
    }

    @Test
    void shouldSayWhy_whenItFails() throws Exception {
        assertThat(ended(new IOException("as planned")))
                .isEqualTo(new Flusher.Ended(Status.IO_ERROR, "java.io.IOException: as planned"));
    }

    /** An error would have clients hold for lost what waits. */
    @Test
    void shouldSayThatThereIsNoRoom_whenThatIsAll() throws Exception {
        assertThat(ended(new NoSpaceException("make room"))).isEqualTo(new Flusher.Ended(Status.NO_SPACE, "make room"));
    }
}
