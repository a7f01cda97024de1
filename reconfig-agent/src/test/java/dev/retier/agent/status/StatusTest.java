package dev.retier.agent.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.retier.state.LoadRecord;
import dev.retier.state.LoadRecord.Health;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StatusTest {
    private static final String JSON = """
            {"node": "n", "role": "proxy", "site": "shop", "applied_epoch": 13, "last_refusal": null,
             "capacity_units_per_second": 1000, "busy_seconds_total": 1.5, "backlog_seconds": 0.1, "in_flight": 4,
             "client_in_flight": 4, "last_client_request_age_seconds": 0.25,
             "requests_total": {"static": 7, "dynamic": 5},
             "cache": {"hits_total": 6, "misses_total": 1, "entries": 9}, "forwarded_total": 6,
             "upstreams": [{"node": "a", "in_flight": 2}, {"node": "b", "in_flight": 1}], "errors_total": 0}
            """;

    private static ServerStatus status(String role, double busy, long requests, long hits, @Nullable String refusal) {
        return new ServerStatus(role, "shop", 13, refusal, 1_000, busy, 4, 3, null, requests, hits, 0, null);
    }

    @Test
    void shouldReadWhatItNeeds_whenOtherKeysAreThereToo() {
        assertThat(StatusParser.parse(JSON))
                .contains(new ServerStatus("proxy", "shop", 13, null, 1_000, 1.5, 4, 3, 0.25, 12, 6, 1, null));
    }

    @Test
    void shouldReadNothing_whenAKeyIsMissingOrWrong() {
        assertThat(StatusParser.parse(JSON.replace("busy_seconds_total", "busy")))
                .isEmpty();
        assertThat(StatusParser.parse(JSON.replace("1.5", "-1.5"))).isEmpty();
        assertThat(StatusParser.parse(JSON.replace("\"proxy\"", "7"))).isEmpty();
        assertThat(StatusParser.parse(JSON.replace("\"in_flight\": 4", "\"in_flight\": \"4\"")))
                .isEmpty();
        assertThat(StatusParser.parse("{")).isEmpty();
        assertThat(StatusParser.parse("")).isEmpty();
        assertThat(StatusParser.parse("[]")).isEmpty();
    }

    @Test
    void shouldMeasureByGrowth_whenTwoSamplesAreThere() {
        LoadMeter meter = new LoadMeter(Duration.ofMillis(200));
        meter.record(status("proxy", 1.0, 100, 10, null), true, 0);
        meter.record(status("proxy", 1.05, 150, 30, null), true, 100_000_000);
        LoadRecord load = meter.load(Health.UP, 0);
        assertThat(load.utilisation()).isCloseTo(0.5, within(1e-9));
        assertThat(load.cacheShare()).isCloseTo(0.4, within(1e-9));
        assertThat(load.backEndShare()).isEqualTo(0.75);
        assertThat(load.requestsPerSecond()).isCloseTo(500, within(1e-6));
        assertThat(load.requestsInService()).isEqualTo(4);
        assertThat(load.appliedEpoch()).isEqualTo(13);
    }

    /** The page comes every 300 ms, the processor time every 100. */
    @Test
    void shouldKeepTheRate_whilePagesAreLate() {
        LoadMeter meter = new LoadMeter(Duration.ofMillis(200));
        for (int i = 0; i <= 30; i++) {
            int page = i - i % 3;
            meter.record(status("proxy", i * 0.1, 50L * page, 0, null), i % 3 == 0, i * 100_000_000L);
            if (i >= 3) {
                assertThat(meter.load(Health.UP, 0).requestsPerSecond())
                        .as("look %d", i)
                        .isCloseTo(500, within(1e-6));
            }
        }
        for (int i = 31; i <= 60; i++) {
            meter.record(status("proxy", i * 0.1, 1500, 0, null), false, i * 100_000_000L);
        }
        assertThat(meter.load(Health.UP, 0).requestsPerSecond())
                .as("late for good")
                .isCloseTo(500, within(1e-6));
        assertThat(meter.load(Health.UP, 0).utilisation()).isCloseTo(1, within(1e-6));
    }

    @Test
    void shouldForgetOldSamples_whenTheWindowSlides() {
        LoadMeter meter = new LoadMeter(Duration.ofMillis(200));
        for (int i = 0; i <= 10; i++) {
            meter.record(status("proxy", Math.max(0, i - 5) * 0.1, 0, 0, null), true, i * 100_000_000L);
        }
        assertThat(meter.load(Health.UP, 0).utilisation()).isCloseTo(1.0, within(1e-9));
    }

    @Test
    void shouldKeepAtLeastTwoSamples_whenTheyAreFurtherApartThanTheWindow() {
        LoadMeter meter = new LoadMeter(Duration.ofMillis(10));
        meter.record(status("proxy", 0, 0, 0, null), true, 0);
        meter.record(status("proxy", 0.5, 0, 0, null), true, 1_000_000_000);
        meter.record(status("proxy", 1.5, 0, 0, null), true, 2_000_000_000);
        assertThat(meter.load(Health.UP, 0).utilisation()).isEqualTo(1.0);
    }

    @Test
    void shouldStartAnew_whenTheSiteChanges() {
        LoadMeter meter = new LoadMeter(Duration.ofMillis(200));
        meter.record(status("app", 1, 100, 0, null), true, 0);
        meter.record(
                new ServerStatus("app", "blog", 13, null, 1_000, 1.1, 0, 0, null, 110, 0, 0, null), true, 100_000_000);
        assertThat(meter.isTelling()).isFalse();
    }

    @Test
    void shouldStartAnew_whenTheRoleChangesOrTheServerRestarts() {
        LoadMeter meter = new LoadMeter(Duration.ofMillis(200));
        meter.record(status("proxy", 1, 100, 0, null), true, 0);
        meter.record(status("app", 2, 200, 0, null), true, 100_000_000);
        assertThat(meter.load(Health.UP, 0).utilisation()).isZero();
        meter.record(status("app", 2.1, 200, 0, null), true, 200_000_000);
        assertThat(meter.load(Health.UP, 0).utilisation()).isCloseTo(1.0, within(1e-6));
        meter.record(status("app", 0.1, 1, 0, null), true, 300_000_000);
        assertThat(meter.load(Health.UP, 0).utilisation()).isZero();
    }

    @Test
    void shouldTellALoad_onlyFromTwoSamples() {
        LoadMeter meter = new LoadMeter(Duration.ofMillis(200));
        assertThat(meter.isTelling()).isFalse();
        meter.record(status("proxy", 1, 100, 0, null), true, 0);
        assertThat(meter.isTelling())
                .as("one alone would pass for an idle server")
                .isFalse();
        meter.record(status("proxy", 1.1, 110, 0, null), true, 100_000_000);
        assertThat(meter.isTelling()).isTrue();
        meter.record(status("proxy", 0.1, 1, 0, null), true, 200_000_000);
        assertThat(meter.isTelling()).as("the server was restarted").isFalse();
    }

    @Test
    void shouldRefuseCountsThatNoServerHas() {
        assertThat(StatusParser.parse(JSON.replace("\"in_flight\": 4", "\"in_flight\": 3000000000")))
                .isEmpty();
        assertThat(StatusParser.parse(JSON.replace("\"static\": 7", "\"static\": 9223372036854775807")))
                .isEmpty();
        assertThat(StatusParser.parse(
                        JSON.replace("\"static\": 7", "\"static\": 9007199254740991, \"dynamic\": 9007199254740991")))
                .as("each is possible, and their sum is not")
                .isEmpty();
        assertThat(StatusParser.parse(JSON.replace("\"in_flight\": 2", "\"in_flight\": -2")))
                .isEmpty();
    }

    @Test
    void shouldKnowAPageThatRepeatsItself_byItsUptime() {
        String young = JSON.replace("\"role\"", "\"uptime_seconds\": 1.25, \"role\"");
        ServerStatus first = StatusParser.parse(young).orElseThrow();
        assertThat(first.uptimeSeconds()).isEqualTo(1.25);
        assertThat(StatusParser.parse(young).orElseThrow().repeats(first)).isTrue();
        assertThat(StatusParser.parse(young.replace("1.25", "1.250000001"))
                        .orElseThrow()
                        .repeats(first))
                .isFalse();
        assertThat(first.repeats(null)).isFalse();
        ServerStatus silent = StatusParser.parse(JSON).orElseThrow();
        assertThat(silent.repeats(silent)).as("tells no uptime").isFalse();
    }

    @Test
    void shouldSayNothing_whenThereIsNoSample() {
        LoadMeter meter = new LoadMeter(Duration.ofMillis(200));
        assertThat(meter.load(Health.DOWN, 5)).isEqualTo(new LoadRecord(0, Health.DOWN, 0, 0, 0, 0, 0, 0, 5));
    }

    @Test
    void shouldStayBounded_whenTimeStandsStill() {
        LoadMeter meter = new LoadMeter(Duration.ofSeconds(10));
        for (int i = 0; i < 1_000; i++) {
            meter.record(status("app", i, i, 0, null), true, i * 1_000_000L);
        }
        assertThat(meter.load(Health.UP, 0).requestsPerSecond())
                .as("over the 64 newest samples only, so still the true rate")
                .isCloseTo(1_000, within(1e-6));
    }

    @Test
    void shouldTellANewRefusalFromAnOldOne_whenAFileWasWritten() {
        RefusalWatch watch = new RefusalWatch();
        assertThat(watch.isRefused(status("app", 0, 0, 0, "old"), 1)).isTrue();
        watch.written(10);
        assertThat(watch.isRefused(status("app", 0, 0, 0, "old"), 11)).isFalse();
        assertThat(watch.isRefused(status("app", 0, 0, 0, "new"), 9))
                .as("asked before")
                .isFalse();
        assertThat(watch.isRefused(status("app", 0, 0, 0, "new"), 12)).isTrue();
        assertThat(watch.isRefused(status("app", 0, 0, 0, null), 13)).isFalse();
    }
}
