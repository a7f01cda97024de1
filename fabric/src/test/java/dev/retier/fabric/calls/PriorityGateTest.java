package dev.retier.fabric.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class PriorityGateTest {
    private static final long BUSY = 100;

    private final PriorityGate gate = new PriorityGate(2, BUSY);

    @Test
    void shouldLetAllLowThrough_whenNothingUrgentWasThere() {
        for (int i = 0; i < 50; i++) {
            assertThat(gate.tryBegin(Priority.LOW, 0)).isTrue();
        }
    }

    @Test
    void shouldLetAFewLowThrough_whileUrgentOnesAreUnderWayAndShortlyAfter() {
        gate.tryBegin(Priority.HIGH, 0);
        assertThat(gate.tryBegin(Priority.LOW, 1)).isTrue();
        assertThat(gate.tryBegin(Priority.LOW, 1)).isTrue();
        assertThat(gate.tryBegin(Priority.LOW, 1000)).isFalse();

        gate.end(Priority.HIGH, 1000);
        assertThat(gate.tryBegin(Priority.LOW, 1000 + BUSY - 1)).isFalse();
        assertThat(gate.tryBegin(Priority.LOW, 1000 + BUSY)).isTrue();
    }

    @Test
    void shouldLetTheNextLowThrough_whenOneHasEnded() {
        gate.tryBegin(Priority.HIGH, 0);
        gate.tryBegin(Priority.LOW, 0);
        gate.tryBegin(Priority.LOW, 0);
        gate.end(Priority.LOW, 1);

        assertThat(gate.tryBegin(Priority.LOW, 1)).isTrue();
        assertThat(gate.tryBegin(Priority.HIGH, 1)).isTrue();
    }

    @Test
    void shouldRefuse_whenItsLimitsCannotWork() {
        assertThatThrownBy(() -> new PriorityGate(0, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new PriorityGate(1, -1)).isInstanceOf(IllegalArgumentException.class);
    }
}
