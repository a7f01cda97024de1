package dev.retier.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.link.NodeId;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TimersTest {
    private static final long HOUR_NANOS = TimeUnit.HOURS.toNanos(1);

    private final Timers timers = new Timers(new NodeId(1));

    @AfterEach
    void stop() {
        timers.close();
    }

    /** The wheel that was here before kept what was due already for a whole turn of two seconds. */
    @Test
    void shouldRunBeforeWhatIsDueLater_whenTheTimeIsOverAlready() {
        CompletableFuture<String> first = new CompletableFuture<>();
        Future<?> _ = timers.after(TimeUnit.MILLISECONDS.toNanos(1900), () -> first.complete("due later"));
        Future<?> _ = timers.after(-12_000_000, () -> first.complete("overdue"));

        assertThat(first.join()).isEqualTo("overdue");
    }

    @Test
    void shouldRunEachAtItsTime_whenTheyComeInAnyOrder() {
        List<Integer> millis = List.of(250, 40, 1, 90, 0, 41);
        long begun = System.nanoTime();
        List<CompletableFuture<Long>> ended = millis.stream()
                .map(after -> {
                    CompletableFuture<Long> end = new CompletableFuture<>();
                    Future<?> _ =
                            timers.after(TimeUnit.MILLISECONDS.toNanos(after), () -> end.complete(System.nanoTime()));
                    return end;
                })
                .toList();
        for (int i = 0; i < ended.size(); i++) {
            assertThat(ended.get(i).join() - begun)
                    .isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(millis.get(i)));
        }
    }

    @Test
    void shouldForgetWhatIsCancelled() {
        CountDownLatch gate = new CountDownLatch(1);
        timers.soon(() -> awaitQuietly(gate));
        AtomicInteger ran = new AtomicInteger();
        timers.after(0, ran::incrementAndGet).cancel(false);
        CompletableFuture<Integer> later = new CompletableFuture<>();
        timers.soon(() -> later.complete(ran.get()));
        gate.countDown();

        assertThat(later.join()).isZero();
    }

    @Test
    void shouldGoOn_whenATaskFails() throws InterruptedException {
        CountDownLatch twice = new CountDownLatch(2);
        Future<?> again = timers.every(TimeUnit.MILLISECONDS.toNanos(1), () -> {
            twice.countDown();
            throw new IllegalStateException("played");
        });
        twice.await();
        again.cancel(false);
        assertThat(twice.getCount()).isZero();
    }

    @Test
    void shouldRingForTheEarliest_whenAnAlarmIsAskedForManyTimes() throws InterruptedException {
        CountDownLatch rung = new CountDownLatch(1);
        Timers.Alarm alarm = new Timers.Alarm(timers, rung::countDown);
        long now = System.nanoTime();
        alarm.at(now + HOUR_NANOS);
        alarm.at(now + 1);
        alarm.at(now + 2 * HOUR_NANOS);

        rung.await();
        assertThat(rung.getCount()).isZero();
    }

    @Test
    void shouldRingAgain_whenTheActionItselfAsks() throws InterruptedException {
        CountDownLatch rung = new CountDownLatch(3);
        Timers.Alarm[] alarm = new Timers.Alarm[1];
        alarm[0] = new Timers.Alarm(timers, () -> {
            rung.countDown();
            alarm[0].at(System.nanoTime() + 1);
        });
        alarm[0].at(System.nanoTime());

        rung.await();
        assertThat(rung.getCount()).isZero();
    }

    private static void awaitQuietly(CountDownLatch gate) {
        try {
            gate.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
