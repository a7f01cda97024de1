package dev.retier.bench.upgrade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class SightTest {
    private final Sight sight = new Sight();

    @Test
    void shouldHaveMissedNobody_whenAllWereKnown() {
        sight.saw(10, 0);
        sight.saw(20, 0);

        assertThat(sight.unseenNanos(30)).isZero();
        assertThat(sight.mostUnknown()).isZero();
    }

    @Test
    void shouldTellFromTheFirstMissUntilAllAreKnown() {
        sight.saw(10, 0);
        sight.saw(20, 0.25);
        sight.saw(30, 0.5);
        sight.saw(40, 0.25);
        sight.saw(55, 0);
        sight.saw(70, 0);

        assertThat(sight.unseenNanos(99)).isEqualTo(55 - 20);
        assertThat(sight.mostUnknown()).isCloseTo(0.5, within(1e-9));
    }

    /** Else a second absence would not count. */
    @Test
    void shouldCountUntilTheLast_whenANodeWasMissedTwice() {
        sight.saw(20, 0.25);
        sight.saw(30, 0);
        sight.saw(40, 0.25);
        sight.saw(60, 0);

        assertThat(sight.unseenNanos(99)).isEqualTo(60 - 20);
    }

    @Test
    void shouldCountUntilNow_whenANodeIsMissedStill() {
        sight.saw(20, 0.25);

        assertThat(sight.unseenNanos(99)).isEqualTo(99 - 20);
    }
}
