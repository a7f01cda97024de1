package dev.retier.undertow.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class MeasuredLoadTest {
    private long usedNanos;
    private double processors = 2;
    private final MeasuredLoad load = new MeasuredLoad(() -> usedNanos, () -> processors, 0);

    @Test
    void shouldBeAsBusyAsItsProcessors() {
        usedNanos = millis(100);
        assertThat(load.busySeconds(millis(100))).isEqualTo(0.05, within(1e-9));
        usedNanos = millis(100 + 200);
        assertThat(load.busySeconds(millis(200))).as("both were full").isEqualTo(0.15, within(1e-9));
        assertThat(load.capacityUnitsPerSecond()).isEqualTo(2_000);
    }

    @Test
    void shouldBeAsBusyAsItsThreads_whenTheseAreTakenAndTheProcessorIdles() {
        load.sample(8, 16);
        load.sample(16, 16);
        assertThat(load.busySeconds(millis(100))).isEqualTo(0.075, within(1e-9));
        assertThat(load.busySeconds(millis(200))).as("samples count once").isEqualTo(0.075, within(1e-9));
    }

    @Test
    void shouldNeverBeBusierThanTime() {
        usedNanos = millis(900);
        assertThat(load.busySeconds(millis(100))).isEqualTo(0.1, within(1e-9));
    }

    @Test
    void shouldWait_whenTooLittleTimeHasPassedToTell() {
        usedNanos = millis(20);
        assertThat(load.busySeconds(millis(10))).isZero();
        assertThat(load.busySeconds(millis(50))).isEqualTo(0.01, within(1e-9));
    }

    @Test
    void shouldGoByAnotherQuota_onceItIsASecondOld() {
        processors = 0.1;
        usedNanos = millis(50);
        assertThat(load.busySeconds(millis(1_000)))
                .as("half of a tenth of a processor")
                .isEqualTo(0.5, within(1e-9));
        assertThat(load.capacityUnitsPerSecond()).isEqualTo(100);
    }

    private static long millis(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }
}
