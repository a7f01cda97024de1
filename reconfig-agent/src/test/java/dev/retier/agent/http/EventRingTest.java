package dev.retier.agent.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.http.EventRing.Event;
import dev.retier.agent.http.EventRing.Kind;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventRingTest {
    private final EventRing ring = new EventRing("l1");

    private void add(int events) {
        IntStream.range(0, events).forEach(i -> ring.add(Kind.MOVE, "{\"n\":" + i + "}"));
    }

    @Test
    void shouldGiveWhatIsLater_inOrder() {
        add(3);

        assertThat(ring.after(1)).extracting(Event::number).containsExactly(2L, 3L);
        assertThat(ring.after(3)).isEmpty();
    }

    @Test
    void shouldFindItsPlaceById() {
        add(3);
        Event second = ring.after(1).getFirst();

        assertThat(ring.number(ring.id(second))).hasValue(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"l2-2", "l1-4", "l1-", "l1", "", "l1--1", "l1-99999999999999999999", "l1-2x", "l1-٢"})
    void shouldKnowNoPlace_whenAnIdIsNoneOfItsOwn(String id) {
        add(3);

        assertThat(ring.number(id)).isEmpty();
    }

    @Test
    void shouldKeepAThousand() {
        add(1_002);

        List<Event> kept = ring.after(0);
        assertThat(kept).hasSize(1_000);
        assertThat(kept.getFirst().json()).isEqualTo("{\"n\":2}");
        assertThat(ring.hasLost(1)).isTrue();
        assertThat(ring.hasLost(2)).isFalse();
    }
}
