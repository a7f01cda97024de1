package dev.retier.webnode.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.retier.testsupport.Seeded;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class WorkQueueTest {
    private static final long SECOND = 1_000_000_000L;

    @Test
    void shouldFinishAtOnceAfterItsOwnWork_whenIdle() {
        WorkQueue queue = new WorkQueue(1_000, 0);
        assertThat(queue.admit(5 * SECOND, 3)).isEqualTo(5 * SECOND + 3_000_000);
        assertThat(queue.busyNanos(5 * SECOND)).isZero();
        assertThat(queue.busyNanos(6 * SECOND)).isEqualTo(3_000_000);
    }

    @Test
    void shouldContinueWhereTheWorkBeforeEnded_whenBacklogged() {
        WorkQueue queue = new WorkQueue(1_000, 0);
        queue.admit(0, 10);
        assertThat(queue.admit(1_000_000, 10)).isEqualTo(20_000_000);
        assertThat(queue.backlogNanos(1_000_000)).isEqualTo(19_000_000);
        assertThat(queue.busyNanos(1_000_000)).isEqualTo(1_000_000);
    }

    @Test
    void shouldWork_whenTheClockWraps() {
        long start = Long.MAX_VALUE - 1_000;
        WorkQueue queue = new WorkQueue(1_000, start);
        long finish = queue.admit(start, 1);
        assertThat(finish - start).isEqualTo(1_000_000);
        assertThat(queue.backlogNanos(start + 400_000)).isEqualTo(600_000);
    }

    @Test
    void shouldRefuse_whenCapacityIsNoPositiveNumber() {
        assertThatThrownBy(() -> new WorkQueue(0, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new WorkQueue(Double.NaN, 0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Seeded(tries = 50)
    void shouldNeverBeBusyMoreThanTimePassedNorLoseWork(SplittableRandom random) {
        WorkQueue queue = new WorkQueue(1 + random.nextInt(5_000), 0);
        long now = 0;
        long lastFinish = 0;
        long lastBusy = 0;
        for (int i = 0; i < 500; i++) {
            long step = random.nextLong(20_000_000);
            now += step;
            long busy = queue.busyNanos(now);
            assertThat(busy - lastBusy).isBetween(0L, step);
            lastBusy = busy;
            long finish = queue.admit(now, random.nextDouble(40));
            assertThat(finish).isGreaterThanOrEqualTo(Math.max(now, lastFinish));
            assertThat(queue.busyNanos(now)).isEqualTo(busy);
            lastFinish = finish;
        }
    }

    /** Seven closed-loop clients of a node with 3 ms per request, each answer late by up to 3 ms by the timer. */
    @Seeded(tries = 20)
    void shouldReachStatedCapacityWithinTwoPercent_whenTimersAreLate(SplittableRandom random) {
        WorkQueue queue = new WorkQueue(1_000, 0);
        PriorityQueue<Long> arrivals = new PriorityQueue<>();
        for (int client = 0; client < 7; client++) {
            arrivals.add(random.nextLong(1_000_000));
        }
        int completed = 0;
        long end = 10 * SECOND;
        for (long now = arrivals.remove(); now < end; now = arrivals.remove()) {
            arrivals.add(queue.admit(now, 3) + random.nextLong(3_000_000));
            completed++;
        }
        double unitsPerSecond = completed * 3 / 10.0;
        assertThat(unitsPerSecond).isCloseTo(1_000, within(20.0));
        assertThat(queue.busyNanos(end) / (double) end).isGreaterThan(0.98);
    }
}
