package dev.retier.iwarp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.iwarp.mpa.LargeFpdus;
import dev.retier.iwarp.net.DeviceConfig;
import java.time.Duration;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SystemSettingsTest {
    private static SystemSettings settings(String... pairs) {
        Properties properties = new Properties();
        for (int i = 0; i < pairs.length; i += 2) {
            properties.setProperty("retier.iwarp." + pairs[i], pairs[i + 1]);
        }
        return new SystemSettings(properties);
    }

    @Test
    void shouldBeTheDefaults_whenNothingIsSet() {
        assertThat(settings().deviceConfig()).isEqualTo(DeviceConfig.defaults());
    }

    @Test
    void shouldTakeEveryValue_whenSet() {
        DeviceConfig config = settings(
                        "crc",
                        "peer",
                        "large-fpdus",
                        "always",
                        "hold-millis",
                        "17",
                        "markers",
                        "true",
                        "revision",
                        "1",
                        "retry-revision-1",
                        "false",
                        "reads",
                        "7",
                        "max-connections",
                        "11",
                        "max-regions",
                        "12",
                        "max-receives",
                        "13",
                        "max-sends",
                        "14",
                        "max-elements",
                        "15",
                        "max-connection-bytes",
                        "100000",
                        "max-device-bytes",
                        "5000000000")
                .deviceConfig();
        assertThat(config.startup().crc()).isFalse();
        assertThat(config.startup().largeFpdus()).isEqualTo(LargeFpdus.ALWAYS);
        assertThat(config.responderHold()).isEqualTo(Duration.ofMillis(17));
        assertThat(config.startup().markers()).isTrue();
        assertThat(config.startup().revision()).isEqualTo(1);
        assertThat(config.startup().ird()).isEqualTo(7);
        assertThat(config.startup().ord()).isEqualTo(7);
        assertThat(config.retryRevision1()).isFalse();
        assertThat(config.limits().maxConnections()).isEqualTo(11);
        assertThat(config.limits().maxRegions()).isEqualTo(12);
        assertThat(config.limits().maxReceiveWork()).isEqualTo(13);
        assertThat(config.limits().maxSendWork()).isEqualTo(14);
        assertThat(config.limits().maxElements()).isEqualTo(15);
        assertThat(config.limits().maxConnectionBytes()).isEqualTo(100_000);
        assertThat(config.limits().maxDeviceBytes()).isEqualTo(5_000_000_000L);
    }

    @ParameterizedTest
    @CsvSource({
        "crc,false,use true or peer",
        "markers,yes,use true or false",
        "large-fpdus,true,use never or known or always",
        "hold-millis,86400001,from 0 to 86400000",
        "reads,many,a whole number",
        "reads,16383,a whole number from 0 to 16382",
        "revision,3,a whole number from 1 to 2",
        "hold-millis,-1,a whole number from 0 to 86400000",
        "max-sends,0,a whole number from 1 to 2147483647",
        "max-receives,-99999999999,a whole number from 1 to 2147483647",
        "max-connection-bytes,0,a whole number from 1 to 9223372036854775807",
        "max-regions,0,from 1 to",
        "max-device-bytes,5,no less per device"
    })
    void shouldRefuse_whenValueIsWrong(String name, String value, String why) {
        assertThatThrownBy(() -> settings(name, value).deviceConfig())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(why);
    }

    @Test
    void shouldRefuse_whenScopeIsUnknown() {
        assertThatThrownBy(() -> settings("device-scope", "galaxy").devices())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("process or event-channel");
    }

    @ParameterizedTest
    @CsvSource({
        "trace-bytes,1M,retier.iwarp.trace-bytes=1M; use a whole number",
        "trace-connection-bytes,0,retier.iwarp.trace-connection-bytes=0; use a whole number from 1",
        "trace-bytes,9,a system property retier.iwarp....: a trace of 9 bytes per connection",
        "trace,/dev/null/folder,retier.iwarp.trace=/dev/null/folder; use a directory that is there or can be made"
    })
    void shouldRefuse_whenTraceIsWrong(String name, String value, String why) {
        assertThatThrownBy(() -> settings(name, value).devices())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(why);
    }

    @Test
    void shouldRefuse_whenNameIsMisspelt() {
        assertThatThrownBy(() -> settings("max-connection", "3"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("retier.iwarp.max-connection is no setting")
                .hasMessageContaining("retier.iwarp.max-connections");
    }
}
