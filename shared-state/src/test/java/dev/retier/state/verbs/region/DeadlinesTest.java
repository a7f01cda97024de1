package dev.retier.state.verbs.region;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DeadlinesTest {
    private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();
    private final Deadlines deadlines = new Deadlines(executor);

    @AfterEach
    void stop() {
        executor.shutdownNow();
    }

    /** The last of them is in a later round of the wheel than the others. */
    @Test
    void shouldEndEachAtItsTime_whenTheyAreWatchedInAnyOrder() {
        List<Integer> millis = List.of(2500, 40, 1, 900, 0, 41);
        long begun = System.nanoTime();
        List<CompletableFuture<Long>> ended = millis.stream()
                .map(after -> {
                    CompletableFuture<Long> end = new CompletableFuture<>();
                    deadlines.watch(() -> end.complete(System.nanoTime()), Duration.ofMillis(after));
                    return end;
                })
                .toList();
        for (int i = 0; i < ended.size(); i++) {
            assertThat(ended.get(i).join() - begun)
                    .isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(millis.get(i)));
        }
    }

    @Test
    void shouldEndOnlyWhatIsNotForgotten_whenManyShareASlot() {
        AtomicInteger ends = new AtomicInteger();
        List<Deadlines.Watched> watched = IntStream.range(0, 300)
                .mapToObj(_ -> deadlines.watch(ends::incrementAndGet, Duration.ofMillis(300)))
                .toList();
        for (int i = 0; i < watched.size(); i++) {
            if (i % 3 != 0) {
                deadlines.forget(watched.get(i));
                deadlines.forget(watched.get(i));
            }
        }
        CompletableFuture<Integer> later = new CompletableFuture<>();
        deadlines.watch(() -> later.complete(ends.get()), Duration.ofMillis(320));

        assertThat(later.join()).isEqualTo(100);
    }

    /** Their turns are asked for while others are under way. */
    @Test
    void shouldMissNone_whenManyThreadsComeAndGo() throws InterruptedException {
        List<CompletableFuture<Void>> all = IntStream.range(0, 4000)
                .mapToObj(_ -> new CompletableFuture<Void>())
                .toList();
        List<Thread> threads = IntStream.range(0, 4)
                .mapToObj(thread -> Thread.ofPlatform().start(() -> {
                    for (int i = thread; i < all.size(); i += 4) {
                        CompletableFuture<Void> end = all.get(i);
                        deadlines.forget(deadlines.watch(() -> end.complete(null), Duration.ofSeconds(30)));
                        deadlines.watch(() -> end.complete(null), Duration.ofMillis(i % 50));
                    }
                }))
                .toList();
        for (Thread thread : threads) {
            thread.join();
        }
        all.forEach(CompletableFuture::join);
    }
}
