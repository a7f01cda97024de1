package dev.retier.volume.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class FlusherTest {
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

    private CompletableFuture<String> flush() {
        CompletableFuture<String> told = new CompletableFuture<>();
        flusher.flush(told::complete);
        return told;
    }

    /** What was answered since that began may be not on the disk by that. */
    @Test
    void shouldForceOnceMore_forAllWhoAskWhileAForceIsUnderWay() throws Exception {
        CompletableFuture<String> first = flush();
        begun.acquire();
        CompletableFuture<String> second = flush();
        CompletableFuture<String> third = flush();
        mayEnd.release();
        assertThat(first.get(20, TimeUnit.SECONDS)).isEmpty();
        assertThat(begun.tryAcquire(20, TimeUnit.SECONDS)).as("another one").isTrue();
        assertThat(second.isDone() || third.isDone()).isFalse();
        mayEnd.release();
        assertThat(second.get(20, TimeUnit.SECONDS)).isEmpty();
        assertThat(third.get(20, TimeUnit.SECONDS)).isEmpty();
        assertThat(tally.counted())
                .containsEntry(VolumeMetric.FORCES, 2L)
                .containsEntry(VolumeMetric.FORCED_FLUSHES, 3L);
    }

    @Test
    void shouldSayWhy_whenItFails() throws Exception {
        Flusher failing = new Flusher(
                () -> {
                    throw new IOException("as planned");
                },
                tally,
                Thread.ofVirtual().factory());
        CompletableFuture<String> told = new CompletableFuture<>();
        failing.flush(told::complete);
        assertThat(told.get(20, TimeUnit.SECONDS)).contains("as planned");
        failing.close();
    }
}
