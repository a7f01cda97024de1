package dev.retier.load.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.load.schedule.Pacing.Rates;
import dev.retier.traces.RequestClass;
import dev.retier.traces.SyntheticObject;
import dev.retier.traces.TraceEvent;
import java.util.List;
import org.junit.jupiter.api.Test;

class PacingTest {
    private static final long SECOND = 1_000_000_000L;
    private static final TraceEvent AT_3_S =
            TraceEvent.get(3 * SECOND, 0, new SyntheticObject(1, RequestClass.STATIC, 1), 0);

    @Test
    void shouldScaleTheTracesTime_whenASpeedIsGiven() {
        assertThat(new Pacing.TraceTime(1).dueNanos(0, AT_3_S)).isEqualTo(3 * SECOND);
        assertThat(new Pacing.TraceTime(60).dueNanos(0, AT_3_S)).isEqualTo(50_000_000L);
        assertThat(new Pacing.TraceTime(0.5).dueNanos(0, AT_3_S)).isEqualTo(6 * SECOND);
    }

    @Test
    void shouldNotDrift_whenARateIsHeldForADay() {
        Pacing.OpenLoop pacing = Rates.constant(3);

        assertThat(pacing.dueNanos(0, AT_3_S)).isZero();
        assertThat(pacing.dueNanos(3L * 86_400, AT_3_S)).isEqualTo(86_400 * SECOND);
    }

    @Test
    void shouldChangeTheRate_whenAStepEnds() {
        Pacing.OpenLoop pacing =
                new Rates(List.of(new Rates.Step(10, SECOND), new Rates.Step(2, 2 * SECOND), new Rates.Step(100, 1)));

        assertThat(pacing.dueNanos(9, AT_3_S)).isEqualTo(SECOND * 9 / 10);
        assertThat(pacing.dueNanos(10, AT_3_S)).isEqualTo(SECOND);
        assertThat(pacing.dueNanos(13, AT_3_S)).isEqualTo(SECOND * 5 / 2);
        assertThat(pacing.dueNanos(14, AT_3_S)).isEqualTo(3 * SECOND);
        assertThat(pacing.dueNanos(114, AT_3_S)).isEqualTo(4 * SECOND);
    }

    @Test
    void shouldRefuse_whenNumbersAreOutOfRange() {
        assertThatThrownBy(() -> new Pacing.TraceTime(0)).hasMessageContaining("speed 0.0");
        assertThatThrownBy(() -> new Pacing.TraceTime(Double.NaN)).hasMessageContaining("speed NaN");
        assertThatThrownBy(() -> Rates.constant(-1)).hasMessageContaining("rate -1.0/s");
        assertThatThrownBy(() -> new Rates(List.of())).hasMessageContaining("at least one rate");
        assertThatThrownBy(() -> new Pacing.ClosedLoop(-1)).hasMessageContaining("think time");
    }
}
