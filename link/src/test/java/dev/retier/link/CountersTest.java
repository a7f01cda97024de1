package dev.retier.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CountersTest {
    private final Counters counters = new Counters(List.of(LinkMetric.values()));

    @Test
    void shouldCountEachByItself_whenSomethingHappens() {
        counters.count(LinkMetric.CONNECTIONS_LOST);
        counters.count(LinkMetric.CONNECTIONS_LOST);
        counters.count(LinkMetric.KEYS_REFUSED);

        Map<Metric, Long> counted = counters.counted();
        assertThat(counted)
                .containsEntry(LinkMetric.CONNECTIONS_LOST, 2L)
                .containsEntry(LinkMetric.KEYS_REFUSED, 1L)
                .containsEntry(LinkMetric.CONNECTIONS_LEFT, 0L);
    }

    @Test
    void shouldRefuseToCount_whenTheFigureGoesUpAndDown() {
        assertThat(counters.counted()).doesNotContainKey(LinkMetric.CONNECTIONS);
        assertThatThrownBy(() -> counters.count(LinkMetric.CONNECTIONS))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("CONNECTIONS is not counted");
    }

    @Test
    void shouldHaveANameAndASentenceOfItsOwn_whenAFigureIsShown() {
        assertThat(LinkMetric.CONNECTIONS_LOST.id()).isEqualTo("state.connections.lost");
        assertThat(LinkMetric.CONNECTIONS_LOST.sentence()).startsWith("Connections to other nodes that broke");
        assertThat(Arrays.stream(LinkMetric.values()).map(Metric::id)).doesNotHaveDuplicates();
        assertThat(Arrays.stream(LinkMetric.values()).map(Metric::sentence)).doesNotHaveDuplicates();
    }
}
