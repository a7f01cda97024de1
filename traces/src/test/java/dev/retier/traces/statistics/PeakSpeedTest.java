package dev.retier.traces.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.retier.testsupport.Seeded;
import dev.retier.traces.TimesOf;
import dev.retier.traces.Trace;
import dev.retier.traces.TraceEvent;
import dev.retier.traces.TraceReading;
import dev.retier.traces.made.Arrivals;
import dev.retier.traces.made.Catalogue;
import dev.retier.traces.made.GeneratedTrace;
import dev.retier.traces.shape.Placement;
import dev.retier.traces.shape.Shaping;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PeakSpeedTest {
    private static final Trace LOG = new TimesOf(0, 0, 0, 1, 2, 2, 2, 2, 2, 3, 9);

    @Seeded(tries = 20)
    void shouldHaveTheWantedPeak_whenArrivalsAreRandom(SplittableRandom random) {
        int wanted = random.nextInt(2, 400);
        Arrivals arrivals = new Arrivals.OnOff(900, 100, 2, 5);
        long seed = random.nextLong();
        Trace trace = GeneratedTrace.arriving(
                arrivals, GeneratedTrace.mixed(20L * wanted, 0.1, Catalogue.DEFAULT, seed), seed);

        PeakSpeed found = PeakSpeed.of(trace, wanted);

        assertThat(found.requests()).isEqualTo(busiest(trace, found.speed()));
        assertThat((double) found.requests()).isBetween(wanted * 0.98, wanted * 1.02);
    }

    @Test
    void shouldLookOnlyAtWhatIsSent_whenThereIsALimit() {
        Trace first = new TimesOf(0, 0, 0, 1, 2, 2);
        Trace more = new TimesOf(0, 0, 0, 1, 2, 2, 2, 3, 3, 3, 3, 3);

        PeakSpeed.Sent sixOfThem = new PeakSpeed.Sent(6, null);

        assertThat(PeakSpeed.of(more, 5, sixOfThem)).isEqualTo(PeakSpeed.of(first, 5));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PeakSpeed.of(more, 7, sixOfThem))
                .withMessageContaining("fewer than 7 requests among the first 6");
    }

    @Test
    void shouldTakeTheNearest_whenTheLogCountsInWholeSeconds() {
        assertThat(PeakSpeed.of(LOG, 6)).isEqualTo(new PeakSpeed(1.000000001, 6));
        assertThat(PeakSpeed.of(LOG, 7)).isEqualTo(new PeakSpeed(2, 6));
        assertThat(PeakSpeed.of(LOG, 8)).isEqualTo(new PeakSpeed(2.000000001, 9));
        assertThat(PeakSpeed.of(LOG, 9)).isEqualTo(new PeakSpeed(2.000000001, 9));
        assertThat(PeakSpeed.of(LOG, 11).requests()).isEqualTo(11);
    }

    @Test
    void shouldHitIt_whenTheSecondsOfALogAreSpread() {
        Trace spread = Shaping.place(LOG, Placement.EVEN, 1);
        PeakSpeed found = PeakSpeed.of(spread, 5);
        assertThat(found.requests()).isEqualTo(5);
        assertThat(busiest(spread, found.speed())).isEqualTo(5);
    }

    @Test
    void shouldSayWhatToDo_whenThePeakCannotBeHad() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PeakSpeed.of(LOG, 4))
                .withMessageContaining("4 requests or more at one instant")
                .withMessageContaining("--place");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PeakSpeed.of(LOG, 12))
                .withMessage("trace times has fewer than 12 requests, the wanted peak");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PeakSpeed.of(LOG, 0))
                .withMessageContaining("1 to");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PeakSpeed.of(LOG, 1))
                .withMessageContaining("--rate");
    }

    @Seeded(tries = 20)
    void shouldHaveTheWantedPeakBeforeTheEnd_whenTheReplayIsCut(SplittableRandom random) {
        Trace trace = GeneratedTrace.arriving(
                new Arrivals.OnOff(900, 100, 2, 5),
                GeneratedTrace.mixed(20_000, 0.1, Catalogue.DEFAULT, random.nextLong()),
                random.nextLong());
        int wanted = random.nextInt(20, 2000);
        int seconds = random.nextInt(1, 10);

        PeakSpeed found = PeakSpeed.of(trace, wanted, new PeakSpeed.Sent(Long.MAX_VALUE, Duration.ofSeconds(seconds)));

        assertThat(found.requests()).isEqualTo(busiest(trace, found.speed(), seconds));
        assertThat((double) found.requests()).isBetween(wanted * 0.98 - 1, wanted * 1.02 + 1);
        assertThat(found.speed())
                .as("the last of those that are left out must not be missed")
                .isGreaterThanOrEqualTo(PeakSpeed.of(trace, wanted).speed());
    }

    @Test
    void shouldBeSoFastThatThePeakIsSent_whenItComesAfterTheEnd() {
        Trace late = new TimesOf(0, 10, 20, 30, 40, 40, 41);

        assertThat(PeakSpeed.of(late, 3, new PeakSpeed.Sent(Long.MAX_VALUE, Duration.ofSeconds(10))))
                .as("41 s of the trace within 10 s")
                .isEqualTo(new PeakSpeed(4.100000001, 3));
    }

    private static long busiest(Trace trace, double speed) {
        return busiest(trace, speed, Double.POSITIVE_INFINITY);
    }

    /** Counted one by one. */
    private static long busiest(Trace trace, double speed, double seconds) {
        List<TraceEvent> events = TraceReading.drain(trace).stream()
                .filter(event -> event.offsetNanos() < speed * seconds * 1e9)
                .toList();
        long most = 0;
        for (int first = 0; first < events.size(); first++) {
            double end = events.get(first).offsetNanos() + speed * 1e9;
            int next = first;
            while (next < events.size() && events.get(next).offsetNanos() < end) {
                next++;
            }
            most = Math.max(most, next - first);
        }
        return most;
    }
}
