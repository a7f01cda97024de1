package dev.retier.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.state.LoadRecord.Health;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoadRecordTest {
    private static final double LARGEST = Double.MAX_VALUE;

    @Test
    void shouldTakeEveryFigure_whenItIsAtAnEndOfItsRange() {
        LoadRecord least = new LoadRecord(0, Health.UP, 0, 0, 0, 0, 0, 0, 0);
        LoadRecord most = new LoadRecord(Long.MAX_VALUE, Health.UP, 1, 1, 1, LARGEST, Integer.MAX_VALUE, LARGEST, 0);

        assertThat(least.operatorWord()).isZero();
        assertThat(most.capacityUnitsPerSecond()).isEqualTo(LARGEST);
    }

    @ParameterizedTest
    @ValueSource(doubles = {-0.001, 1.001, Double.NaN})
    void shouldNameTheShare_whenItIsNone(double share) {
        assertThatThrownBy(() -> new LoadRecord(0, Health.UP, share, 0, 0, 0, 0, 0, 0))
                .hasMessage("utilisation " + share + " is not in [0,1]");
        assertThatThrownBy(() -> new LoadRecord(0, Health.UP, 0, share, 0, 0, 0, 0, 0))
                .hasMessage("cacheShare " + share + " is not in [0,1]");
        assertThatThrownBy(() -> new LoadRecord(0, Health.UP, 0, 0, share, 0, 0, 0, 0))
                .hasMessage("backEndShare " + share + " is not in [0,1]");
    }

    @ParameterizedTest
    @ValueSource(doubles = {-0.001, Double.POSITIVE_INFINITY, Double.NaN})
    void shouldNameTheRate_whenItIsNone(double rate) {
        assertThatThrownBy(() -> new LoadRecord(0, Health.UP, 0, 0, 0, rate, 0, 0, 0))
                .hasMessageStartingWith("requestsPerSecond " + rate);
        assertThatThrownBy(() -> new LoadRecord(0, Health.UP, 0, 0, 0, 0, 0, rate, 0))
                .hasMessageStartingWith("capacityUnitsPerSecond " + rate);
    }

    @Test
    void shouldNameTheCount_whenItIsNegative() {
        assertThatThrownBy(() -> new LoadRecord(-1, Health.UP, 0, 0, 0, 0, 0, 0, 0))
                .hasMessageStartingWith("appliedEpoch -1");
        assertThatThrownBy(() -> new LoadRecord(0, Health.UP, 0, 0, 0, 0, -1, 0, 0))
                .hasMessageStartingWith("requestsInService -1");
    }

    @Test
    void shouldSayAllElseAsBefore_whenOperatorsHaveSpoken() {
        assertThat(new LoadRecord(3, Health.DOWN, 0.5, 0.25, 0.125, 7, 8, 9, -5))
                .isEqualTo(new LoadRecord(3, Health.DOWN, 0.5, 0.25, 0.125, 7, 8, 9, -5));
    }
}
