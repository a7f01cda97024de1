package dev.retier.webnode.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.retier.testsupport.Seeded;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.LongUnaryOperator;
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

    @Test
    void shouldCountALateComerAsOnTime_whenItsAnswerWasLate() {
        WorkQueue queue = new WorkQueue(1_000, 0);
        long finish = queue.admit(0, 3);
        queue.delivered(finish + 20_000_000, finish);
        assertThat(queue.admit(finish + 21_000_000, 3)).isEqualTo(finish + 1_000_000 + 3_000_000);
    }

    @Test
    void shouldForgetLateness_whenMuchTimePassedOrAnAnswerWasOnTime() {
        WorkQueue queue = new WorkQueue(1_000, 0);
        queue.delivered(SECOND, SECOND - 20_000_000);
        assertThat(queue.admit(2 * SECOND, 3)).isEqualTo(2 * SECOND + 3_000_000);
        queue.delivered(3 * SECOND, 3 * SECOND - 20_000_000);
        queue.delivered(3 * SECOND, 3 * SECOND);
        assertThat(queue.admit(3 * SECOND, 3)).isEqualTo(3 * SECOND + 3_000_000);
    }

    @Test
    void shouldMakeGoodNoMoreThanTheLimit() {
        WorkQueue queue = new WorkQueue(1_000, 0);
        queue.delivered(SECOND, 0);
        assertThat(queue.admit(SECOND, 3)).isEqualTo(SECOND - WorkQueue.MAX_CREDIT_NANOS + 3_000_000);
    }

    @Seeded(tries = 50)
    void shouldNeverBeBusyMoreThanTimePassedNorLoseWork(SplittableRandom random) {
        WorkQueue queue = new WorkQueue(1 + random.nextInt(5_000), 0);
        long now = 0;
        long lastFinish = 0;
        long lastBusy = 0;
        for (int i = 0; i < 500; i++) {
            now += random.nextLong(20_000_000);
            assertThat(queue.busyNanos(now)).isBetween(lastBusy, now);
            lastBusy = queue.busyNanos(now);
            if (random.nextInt(4) == 0 && lastFinish <= now) {
                queue.delivered(now, lastFinish);
            }
            long finish = queue.admit(now, random.nextDouble(40));
            assertThat(finish).isGreaterThanOrEqualTo(lastFinish);
            assertThat(queue.busyNanos(now)).isBetween(lastBusy, now);
            lastFinish = finish;
        }
    }

    /** Seven closed-loop clients of a node with 3 ms per request; each answer is late by up to 3 ms by the timer. */
    @Seeded(tries = 20)
    void shouldReachStatedCapacityWithinTwoPercent_whenTimersAreLate(SplittableRandom random) {
        assertThat(unitsPerSecond(random, 7, finish -> finish + random.nextLong(3_000_000)))
                .isCloseTo(1_000, within(20.0));
    }

    /** The host stands still for 60 ms in every 200 ms: longer than all the work of seven clients. */
    @Seeded(tries = 20)
    void shouldReachStatedCapacityWithinTwoPercent_whenTheHostStalls(SplittableRandom random) {
        long period = 200_000_000;
        long stall = 60_000_000;
        assertThat(unitsPerSecond(random, 7, finish -> Math.max(finish, finish / period * period + stall)))
                .isCloseTo(1_000, within(20.0));
    }

    private record Event(long timeNanos, long finishNanos) {}

    /** What closed-loop clients get in 10 s at 3 units a request, when {@code delivery} maps finish to departure. */
    private static double unitsPerSecond(SplittableRandom random, int clients, LongUnaryOperator delivery) {
        WorkQueue queue = new WorkQueue(1_000, 0);
        PriorityQueue<Event> departures =
                new PriorityQueue<>(Comparator.comparingLong(Event::timeNanos).thenComparingLong(Event::finishNanos));
        for (int client = 0; client < clients; client++) {
            departures.add(new Event(random.nextLong(1_000_000), 0));
        }
        int completed = -clients;
        for (Event event = departures.remove(); event.timeNanos < 10 * SECOND; event = departures.remove()) {
            completed++;
            if (event.finishNanos > 0) {
                queue.delivered(event.timeNanos, event.finishNanos);
            }
            long finish = queue.admit(event.timeNanos, 3);
            departures.add(new Event(Math.max(event.timeNanos, delivery.applyAsLong(finish)), finish));
        }
        return completed * 3 / 10.0;
    }
}
