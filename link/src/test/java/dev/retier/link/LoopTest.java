package dev.retier.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class LoopTest {
    private final BlockingQueue<String> failures = new ArrayBlockingQueue<>(16);
    private final BlockingQueue<String> turns = new ArrayBlockingQueue<>(16);
    private final AtomicInteger freed = new AtomicInteger();
    private final CountDownLatch over = new CountDownLatch(1);
    /** Whether the thread that frees may wait, as a lock of this JDK does. */
    private final AtomicBoolean mayWait = new AtomicBoolean();

    /** Takes turns as long as there are some; then sleeps. */
    private Loop loop(LinkConfig.Pace pace, Loop.Turn turn) {
        return new Loop("a-loop", pace, turn, this::free, why -> failures.add(String.valueOf(why.getMessage())));
    }

    private void free() {
        mayWait.set(!Thread.currentThread().isInterrupted());
        freed.incrementAndGet();
        over.countDown();
    }

    private void sleep() throws IOException {
        turns.add(Thread.currentThread().getName() + (Thread.currentThread().isDaemon() ? " of no weight" : ""));
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while it slept", interrupted);
        }
    }

    @Test
    void shouldTakeTurnsUntilItIsClosed_whenItHasAThread() throws InterruptedException {
        AtomicInteger count = new AtomicInteger();
        Loop loop = loop(LinkConfig.Pace.SYSTEM, () -> {
            if (count.incrementAndGet() == 3) {
                sleep();
            }
        });
        assertThat(turns.take()).isEqualTo("a-loop of no weight");
        assertThat(freed).hasValue(0);
        loop.close();

        assertThat(count).hasValue(3);
        assertThat(freed).as("before close returns").hasValue(1);
        assertThat(mayWait).isTrue();
        assertThat(failures).as("to be stopped is no failure").isEmpty();
    }

    @Test
    void shouldEndSoon_whenItIsStopped() throws InterruptedException {
        Loop loop = loop(LinkConfig.Pace.SYSTEM, this::sleep);
        turns.take();
        loop.stop();

        assertThat(over.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(freed).hasValue(1);
    }

    @Test
    void shouldEndAfterTheTurn_whenTheTurnTakesNoNoticeOfTheInterrupt() throws InterruptedException {
        CountDownLatch stopped = new CountDownLatch(1);
        Loop loop = loop(LinkConfig.Pace.SYSTEM, () -> {
            turns.add("a turn");
            boolean isOver = false;
            while (!isOver) {
                try {
                    isOver = stopped.await(20, TimeUnit.SECONDS);
                } catch (InterruptedException ignored) {
                    turns.add("interrupted");
                }
            }
        });
        assertThat(turns.take()).isEqualTo("a turn");
        loop.stop();
        assertThat(turns.take()).isEqualTo("interrupted");
        stopped.countDown();

        assertThat(over.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(turns).isEmpty();
    }

    @Test
    void shouldFreeAndTellWhy_whenATurnFails() throws InterruptedException {
        loop(LinkConfig.Pace.SYSTEM, () -> {
            throw new IOException("the device is gone");
        });

        assertThat(over.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(failures).containsExactly("the device is gone");
    }

    @Test
    void shouldKeepTheInterrupt_whenItIsClosedByAThreadThatIsToEnd() throws InterruptedException {
        CountDownLatch left = new CountDownLatch(1);
        Loop loop = loop(LinkConfig.Pace.SYSTEM, () -> {
            turns.add("a turn");
            try {
                left.await();
            } catch (InterruptedException ignored) {
                turns.add("interrupted");
            }
        });
        turns.take();
        Thread.currentThread().interrupt();
        loop.close();

        assertThat(Thread.interrupted()).isTrue();
        left.countDown();
    }

    @Test
    void shouldOnlyFree_whenTurnsAreTakenByHand() {
        Loop loop = loop(LinkConfig.Pace.byHand(() -> 0), this::sleep);
        assertThat(freed).hasValue(0);
        loop.close();

        assertThat(freed).hasValue(1);
        assertThat(turns).isEmpty();
    }
}
