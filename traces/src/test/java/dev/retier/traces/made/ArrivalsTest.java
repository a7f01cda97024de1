package dev.retier.traces.made;

import static dev.retier.traces.TraceReading.drain;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.retier.traces.RequestClass;
import dev.retier.traces.Trace;
import dev.retier.traces.TraceEvent;
import dev.retier.traces.shape.MergedTrace;
import dev.retier.traces.statistics.TraceStatistics;
import dev.retier.traces.text.CountSeries;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class ArrivalsTest {
    @Test
    void shouldBeNeitherBurstyNorEven_whenArrivalsArePoisson() {
        TraceStatistics statistics = statistics(new Arrivals.Poisson(200), 100_000);

        assertThat(statistics.meanPerSecond()).isCloseTo(200, within(3.0));
        assertThat(statistics.indexOfDispersion()).isCloseTo(1, within(0.15));
        assertThat(statistics.dynamicRequests() / 100_000.0).isCloseTo(0.2, within(0.01));
    }

    @Test
    void shouldBeBursty_whenTwoRatesTakeTurns() {
        TraceStatistics statistics = statistics(new Arrivals.OnOff(900, 100, 5, 15), 200_000);

        assertThat(statistics.meanPerSecond()).isCloseTo(300, within(60.0));
        assertThat(statistics.indexOfDispersion()).isGreaterThan(100);
        assertThat(statistics.peakPerSecond()).isBetween(900L, 1100L);
    }

    @Test
    void shouldHitEveryCount_whenASeriesIsGiven() {
        List<TraceEvent> events = drain(
                arriving(new Arrivals.Series(60, List.of(5L, 0L, 1000L, 1L), 1), 1_000_000, 0, Catalogue.DEFAULT, 1));

        assertThat(events).hasSize(1006);
        assertThat(events).extracting(TraceEvent::offsetNanos).isSorted();
        int[] perMinute = new int[4];
        events.forEach(event -> perMinute[(int) (event.offsetNanos() / 60_000_000_000L)]++);
        assertThat(perMinute).containsExactly(5, 0, 1000, 1);
        long inFirstHalf = events.stream()
                .filter(event -> event.offsetNanos() >= 120e9 && event.offsetNanos() < 150e9)
                .count();
        assertThat(inFirstHalf).isBetween(440L, 560L);
    }

    @Test
    void shouldKeepFractionsOnAverage_whenASeriesIsScaledDown() {
        List<Long> counts = java.util.Collections.nCopies(2000, 7L);
        assertThat(drain(arriving(new Arrivals.Series(60, counts, 0.1), 1_000_000, 0, Catalogue.DEFAULT, 1)))
                .hasSizeBetween(1300, 1500);
    }

    @Test
    void shouldBeTheSame_whenTheSeedIs() {
        for (Arrivals arrivals : List.of(new Arrivals.Poisson(10), new Arrivals.OnOff(9, 1, 1, 1))) {
            Trace trace = arriving(arrivals, 1000, 0.5, Catalogue.DEFAULT, 7);
            assertThat(drain(trace))
                    .hasSize(1000)
                    .isEqualTo(drain(trace))
                    .isNotEqualTo(drain(arriving(arrivals, 1000, 0.5, Catalogue.DEFAULT, 8)));
        }
    }

    @Test
    void shouldReadCounts_whenTheyComeAsPerMinuteSeries() throws IOException {
        assertThat(counts("period,count\n1998-04-30 21:30:00,2\n1998-04-30 21:31:00,11\n"))
                .containsExactly(2L, 11L);
        assertThatThrownBy(() -> counts("period,count\n1998,2\n1999,-3\n")).hasMessage("line 3 is not: period,count");
    }

    @Test
    void shouldGoInOrderOfTime_whenTracesAreMerged() {
        Trace one = arriving(new Arrivals.Poisson(100), 1000, 0, Catalogue.DEFAULT, 1);
        Trace other = arriving(new Arrivals.Poisson(300), 1000, 1, Catalogue.DEFAULT, 2);

        List<TraceEvent> merged = drain(new MergedTrace(List.of(one, other)));

        assertThat(merged).hasSize(2000);
        assertThat(merged).extracting(TraceEvent::offsetNanos).isSorted();
        assertThat(merged.stream()
                        .filter(event -> event.requestClass() == RequestClass.STATIC)
                        .toList())
                .isEqualTo(drain(one));
        assertThatThrownBy(() -> new MergedTrace(List.of())).hasMessageContaining("0 traces");
    }

    @Test
    void shouldRefuse_whenNumbersAreOutOfRange() {
        assertThatThrownBy(() -> new Arrivals.Poisson(0)).hasMessageContaining("rate 0.0/s");
        assertThatThrownBy(() -> new Arrivals.OnOff(1, 1, 0, 1)).hasMessageContaining("state lengths");
        assertThatThrownBy(() -> new Arrivals.Series(60, List.of(-1L), 1)).hasMessageContaining("negative");
        assertThatThrownBy(() -> new Arrivals.Series(0, List.of(), 1)).hasMessageContaining("period");
    }

    private static TraceStatistics statistics(Arrivals arrivals, long requests) {
        return TraceStatistics.of(arriving(arrivals, requests, 0.2, Catalogue.DEFAULT, 3));
    }

    private static List<Long> counts(String text) throws IOException {
        return CountSeries.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII)));
    }

    private static Trace arriving(Arrivals arrivals, long requests, double share, Catalogue catalogue, long seed) {
        return GeneratedTrace.arriving(arrivals, GeneratedTrace.mixed(requests, share, catalogue, seed), seed);
    }
}
