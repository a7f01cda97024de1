package dev.retier.load.target;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TargetHealthTest {
    private static final Target A = new Target("h", 1);
    private static final Target B = new Target("h", 2);
    private static final long REST = TargetHealth.FIRST_REST_NANOS;

    private final TargetHealth health = new TargetHealth();

    @Test
    void shouldLetOneTryAfterTheRest_whenATargetFailed() {
        assertThat(health.claim(A, 0)).isTrue();
        health.failed(A, 0);
        health.failed(A, 0);

        assertThat(health.claim(A, REST - 1)).isFalse();
        assertThat(health.claim(A, REST)).isTrue();
        assertThat(health.claim(A, REST)).isFalse();
        assertThat(health.claim(B, 0)).isTrue();
    }

    @Test
    void shouldLetAllIn_whenTheTrialSucceeded() {
        health.failed(A, 0);
        assertThat(health.claim(A, REST)).isTrue();

        health.succeeded(A);

        assertThat(health.claim(A, REST)).isTrue();
        assertThat(health.claim(A, REST)).isTrue();
    }

    @Test
    void shouldRestLongerUpToTheLimit_whenTrialsKeepFailing() {
        long now = 0;
        health.failed(A, now);
        for (int trial = 0; trial < 20; trial++) {
            long rest = health.nanosUntilAny(List.of(A), now);
            assertThat(rest).isEqualTo(Math.min(TargetHealth.LONGEST_REST_NANOS, REST << Math.min(trial, 10)));
            now += rest;
            assertThat(health.claim(A, now)).isTrue();
            health.failed(A, now);
        }
    }

    @Test
    void shouldWaitForTheFirst_whenSeveralRest() {
        health.failed(A, 0);
        health.failed(B, 10);

        assertThat(health.nanosUntilAny(List.of(A, B), 20)).isEqualTo(REST - 20);
        health.retain(List.of(B));
        assertThat(health.nanosUntilAny(List.of(A, B), 20)).isZero();
    }
}
