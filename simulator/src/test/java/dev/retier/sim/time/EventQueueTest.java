package dev.retier.sim.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.testsupport.Seeded;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class EventQueueTest {
    private record Event(long at, int kind, int subject) {}

    @Seeded
    void shouldGiveEventsInOrderOfTimeAndThenOfAdding(SplittableRandom random) {
        EventQueue queue = new EventQueue();
        List<Event> added = new ArrayList<>();
        for (int index = 0; index < 5_000; index++) {
            Event event = new Event(random.nextLong(500), random.nextInt(16), random.nextInt(1 << 20));
            queue.add(event.at, event.kind, event.subject);
            added.add(event);
        }
        List<Event> seen = new ArrayList<>();
        while (queue.advance()) {
            seen.add(new Event(queue.nowNanos(), queue.kind(), queue.subject()));
        }
        added.sort(Comparator.comparingLong(Event::at)); // stable: equal times stay in the order of adding
        assertThat(seen).isEqualTo(added);
    }

    @Test
    void shouldMakeAnEventOfThePastDueNow() {
        EventQueue queue = new EventQueue();
        queue.add(100, 1, 1);
        assertThat(queue.advance()).isTrue();
        queue.add(50, 2, 2);
        assertThat(queue.nextNanos()).isEqualTo(100);
    }

    @Test
    void shouldRefuseWhatDoesNotFitIntoItsNumbers() {
        EventQueue queue = new EventQueue();
        assertThatThrownBy(() -> queue.add(0, EventQueue.MAX_KIND + 1, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> queue.add(0, 0, EventQueue.MAX_SUBJECT + 1))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
