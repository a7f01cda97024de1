package dev.retier.state.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AnnouncementsTest {
    private static final long EVER = Duration.ofHours(1).toNanos();

    private final Announcements announcements = new Announcements();

    @Test
    void shouldTellTheCountAtOnce_whenThereIsNews() throws InterruptedException {
        announcements.nudged();
        announcements.nudged();

        assertThat(announcements.await(1, EVER)).isEqualTo(2);
        assertThat(announcements.heard()).isEqualTo(2);
    }

    @Test
    void shouldGiveUp_whenNothingComesInTime() throws InterruptedException {
        announcements.nudged();

        assertThat(announcements.await(1, 0)).isEqualTo(1);
        long before = System.nanoTime();
        assertThat(announcements.await(1, Duration.ofMillis(20).toNanos())).isEqualTo(1);
        assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(20_000_000);
    }

    @Test
    void shouldWakeAllWhoWait_whenOneComes() throws InterruptedException {
        Queue<Long> heard = new ConcurrentLinkedQueue<>();
        List<Thread> waiters = List.of(waiter(heard), waiter(heard));
        for (Thread waiter : waiters) {
            while (waiter.getState() != Thread.State.TIMED_WAITING) {
                Thread.onSpinWait();
            }
        }
        announcements.nudged();
        for (Thread waiter : waiters) {
            waiter.join();
        }

        assertThat(heard).containsExactly(1L, 1L);
    }

    private Thread waiter(Queue<Long> heard) {
        return Thread.ofPlatform().daemon().start(() -> {
            try {
                heard.add(announcements.await(0, EVER));
            } catch (InterruptedException unexpected) {
                throw new IllegalStateException(unexpected);
            }
        });
    }
}
