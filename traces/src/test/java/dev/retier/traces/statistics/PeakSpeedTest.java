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

        assertThat(PeakSpeed.of(more, 5, 6)).isEqualTo(PeakSpeed.of(first, 5));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PeakSpeed.of(more, 7, 6))
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

    /** Counted one by one. */
    private static long busiest(Trace trace, double speed) {
        List<TraceEvent> events = TraceReading.drain(trace);
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
