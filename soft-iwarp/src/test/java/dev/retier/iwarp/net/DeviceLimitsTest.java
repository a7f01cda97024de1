package dev.retier.iwarp.net;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DeviceLimitsTest {
    private static final long MIB = 1 << 20;

    @Test
    void shouldTakeHalfOfTheDirectMemory_whenJvmIsSmall() {
        DeviceLimits limits = DeviceLimits.defaults(64 * MIB);
        assertThat(limits.maxDeviceBytes()).isEqualTo(32 * MIB);
        assertThat(limits.maxConnectionBytes()).isEqualTo(32 * MIB);
        assertThat(DeviceLimits.defaults(256 * MIB).maxDeviceBytes()).isEqualTo(128 * MIB);
    }

    @Test
    void shouldTakeAGibibyteAtMost_whenJvmIsLarge() {
        DeviceLimits limits = DeviceLimits.defaults(64 * 1024 * MIB);
        assertThat(limits.maxDeviceBytes()).isEqualTo(1024 * MIB);
        assertThat(limits.maxConnectionBytes()).isEqualTo(128 * MIB);
    }

    @Test
    void shouldKnowWhatTheJvmGives() {
        assertThat(DirectMemory.limitBytes()).isGreaterThan(MIB);
        assertThat(DeviceLimits.defaults().maxDeviceBytes()).isLessThanOrEqualTo(DirectMemory.limitBytes());
    }
}
