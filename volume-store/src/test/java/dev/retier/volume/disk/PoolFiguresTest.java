package dev.retier.volume.disk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.volume.cache.CacheFigures;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PoolFiguresTest {
    private static PoolFigures figures(long free, long journal) {
        return new PoolFigures("", 0, free, journal, 1_000, CacheFigures.NONE, Map.of());
    }

    /** What the journal may become, and the clusters that all of it may need. */
    @Test
    void shouldSayThatRoomIsShort_beforeAFullJournalFindsNone() {
        assertThat(figures(2_000, 0).isShortOfRoom()).isFalse();
        assertThat(figures(1_999, 0).isShortOfRoom()).isTrue();
        assertThat(figures(1_100, 900).isShortOfRoom())
                .as("what it has takes room already")
                .isFalse();
        assertThat(figures(0, 0).neededBytes()).isEqualTo(2_000);
    }

    @Test
    void shouldSayThatTheJournalIsNearlyFull() {
        assertThat(figures(0, 900).isJournalShort()).isFalse();
        assertThat(figures(0, 901).isJournalShort()).isTrue();
    }
}
