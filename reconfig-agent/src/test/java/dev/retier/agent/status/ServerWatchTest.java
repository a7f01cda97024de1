package dev.retier.agent.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.status.ServerWatch.News;
import dev.retier.agent.status.ServerWatch.Sample;
import dev.retier.agent.status.ServerWatch.Seen;
import dev.retier.state.LoadRecord;
import dev.retier.state.LoadRecord.Health;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ServerWatchTest {
    private static final long MS = 1_000_000;
    private static final int WORD = 7;

    private final ServerWatch watch = new ServerWatch(Duration.ofMillis(400), Duration.ofMillis(1_000), 0);
    private double busySeconds;
    private long nowNanos;

    private static Observation silent() {
        return new Observation.Silent("connection refused");
    }

    private static Observation mute() {
        return new Observation.Mute("no status");
    }

    /** Half busy since the look before. */
    private ServerStatus status() {
        busySeconds += 0.05;
        return new ServerStatus("app", "shop", 3, null, 1_000, busySeconds, 1, 0, 0.0, 7, 0, 0, null);
    }

    private Seen after(Observation look) {
        nowNanos += 100 * MS;
        return watch.after(look, nowNanos - MS, WORD, nowNanos);
    }

    private Seen whole() {
        return after(new Observation.Whole(status(), nowNanos, 0));
    }

    private static LoadRecord record(Seen seen) {
        return Objects.requireNonNull(seen.record(), "a record is published");
    }

    @Test
    void shouldPublishTheLoad_whenTwoLooksAreWhole() {
        assertThat(whole().record())
                .as("one alone would pass for an idle server")
                .isNull();

        LoadRecord load = record(whole());

        assertThat(load.serverHealth()).isEqualTo(Health.UP);
        assertThat(load.utilisation()).isBetween(0.49, 0.51);
        assertThat(load.operatorWord()).isEqualTo(WORD);
    }

    @Test
    void shouldSayOfWhenAndOfWhatASampleIs() {
        ServerStatus late = status();
        assertThat(after(new Observation.Partial(late, "late")).sample())
                .isEqualTo(new Sample(late, nowNanos - MS, false));
        ServerStatus whole = status();
        assertThat(after(new Observation.Whole(whole, 5, 1)).sample()).isEqualTo(new Sample(whole, 5, true));
        assertThat(after(mute()).sample()).isNull();
    }

    @Test
    void shouldLendNoHeartbeatToOldFigures_whenALookFails() {
        whole();
        whole();

        assertThat(after(silent()).record())
                .as("may have been starved: late, not idle")
                .isNull();
        assertThat(watch.isDown()).isFalse();
        Seen second = after(silent());

        assertThat(record(second).serverHealth()).isEqualTo(Health.DOWN);
        assertThat(second.news()).containsExactly(News.DOWN);
        assertThat(watch.lastRecord(WORD).serverHealth()).isEqualTo(Health.DOWN);
    }

    @Test
    void shouldMeasureAnew_whenItAnswersAgain() {
        whole();
        after(silent());
        after(silent());

        Seen first = whole();

        assertThat(first.news()).containsExactly(News.ANSWERS_AGAIN);
        assertThat(first.record()).as("what was before says nothing").isNull();
        assertThat(watch.lastRecord(WORD).serverHealth()).isEqualTo(Health.LEAVING);
    }

    @Test
    void shouldSayThatItIsMute_whenItHasToldNothingForTheStaleness() {
        whole();
        whole();

        for (int look = 0; look < 9; look++) {
            assertThat(after(mute()).record()).isNull();
        }
        assertThat(record(after(mute())).serverHealth()).isEqualTo(Health.MUTE);
    }

    @Test
    void shouldTellPeopleOnce_whenThePageIsNotWholeForLong() {
        List<News> told = new ArrayList<>();
        for (int look = 0; look < 50; look++) {
            told.addAll(after(mute()).news());
        }
        assertThat(told).containsExactly(News.DEGRADED);
        assertThat(whole().news()).containsExactly(News.WHOLE_AGAIN);
    }

    /** One that is asked once a second, and looked at more often than that. */
    @Test
    void shouldNotBeDegraded_whenItsPageWasNotAskedFor() {
        for (int i = 0; i < 50; i++) {
            assertThat(after(new Observation.Partial(status(), "")).news()).isEmpty();
        }
    }
}
