package dev.retier.state.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.link.NodeId;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AnnouncementsTest {
    private static final long EVER = Duration.ofHours(1).toNanos();

    private static final NodeId CALLER = new NodeId(2);

    private final Announcements announcements = new Announcements();

    @Test
    void shouldNameEachCallerOnce_sinceItWasLastAsked() {
        NodeId other = new NodeId(3);
        announcements.called(CALLER);
        announcements.of(other).nudged();
        announcements.called(CALLER);

        assertThat(announcements.callers()).containsExactlyInAnyOrder(CALLER, other);
        assertThat(announcements.callers()).isEmpty();
        announcements.called(other);
        assertThat(announcements.callers()).containsExactly(other);
    }

    @Test
    void shouldTellTheCountAtOnce_whenThereIsNews() throws InterruptedException {
        announcements.called(CALLER);
        announcements.called(CALLER);

        assertThat(announcements.await(1, EVER)).isEqualTo(2);
        assertThat(announcements.heard()).isEqualTo(2);
    }

    @Test
    void shouldGiveUp_whenNothingComesInTime() throws InterruptedException {
        announcements.called(CALLER);

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
        announcements.called(CALLER);
        for (Thread waiter : waiters) {
            waiter.join();
        }

        assertThat(heard).containsExactly(1L, 1L);
    }

    /** Also where it came before the wait; and the wait after that is a whole one. */
    @Test
    void shouldEndOneWait_whenWoken() throws InterruptedException {
        announcements.wake();
        assertThat(announcements.await(0, EVER)).isZero();

        Queue<Long> heard = new ConcurrentLinkedQueue<>();
        Thread waiter = waiter(heard);
        while (waiter.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        assertThat(heard).isEmpty();
        announcements.wake();
        waiter.join();
        assertThat(heard).containsExactly(0L);
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
