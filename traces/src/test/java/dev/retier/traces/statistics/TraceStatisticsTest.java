package dev.retier.traces.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.retier.testsupport.Repeats;
import dev.retier.traces.TimesOf;
import dev.retier.traces.Trace;
import dev.retier.traces.made.Arrivals;
import dev.retier.traces.made.BodySizes;
import dev.retier.traces.made.Catalogue;
import dev.retier.traces.made.GeneratedTrace;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TraceStatisticsTest {
    private static final int PER_SECOND = 500;

    @Test
    void shouldDescribeATrace_whenItIsBursty() {
        TraceStatistics statistics = TraceStatistics.of(new TimesOf(0, 0, 0, 0, 1, 2, 2, 3));

        assertThat(statistics.requests()).isEqualTo(8);
        assertThat(statistics.spanSeconds()).isEqualTo(3);
        assertThat(statistics.meanPerSecond()).isEqualTo(7 / 3.0);
        assertThat(statistics.peakPerSecond()).isEqualTo(4);
        assertThat(statistics.peakToMean()).isCloseTo(12 / 7.0, within(1e-12));
        assertThat(statistics.indexOfDispersion()).isCloseTo(1, within(1e-12));
    }

    @Test
    void shouldSayWhatItCan_whenATraceIsShorterThanItsUnits() {
        assertThat(TraceStatistics.of(new TimesOf(0, 0.2, 0.9)))
                .extracting(TraceStatistics::meanPerSecond, TraceStatistics::indexOfDispersion)
                .containsExactly(3.0, 0.0);
        assertThat(TraceStatistics.of(new TimesOf(0, 0.2, 1.9)))
                .extracting(TraceStatistics::meanPerSecond, TraceStatistics::indexOfDispersion)
                .containsExactly(2.0, 0.0);
        assertThat(TraceStatistics.of(new TimesOf()).peakToMean()).isZero();
    }

    /** The interval is that of chi-square over its degrees of freedom, at 99.9 %. */
    @ParameterizedTest
    @CsvSource({"20, 200, 0.1, 0.26, 2.42", "200, 20, 0.05, 0.70, 1.36", "1000, 4, 0.02, 0.86, 1.15"})
    void shouldFindNoBursts_whenArrivalsArePoisson(int seconds, int seeds, double off, double least, double most) {
        double[] found = IntStream.range(0, Math.min(200, Repeats.of(seeds)))
                .mapToDouble(seed -> TraceStatistics.of(poisson(seconds, seed)).indexOfDispersion())
                .toArray();

        assertThat(IntStream.range(0, found.length).filter(i -> found[i] < least || found[i] > most))
                .hasSizeLessThanOrEqualTo(found.length / 100);
        // A mean of fewer seeds is as much further off.
        double wide = off * Math.max(1, Math.sqrt(200.0 / found.length));
        assertThat(IntStream.range(0, found.length)
                        .mapToDouble(i -> found[i])
                        .average()
                        .orElseThrow())
                .isCloseTo(1, within(wide));
    }

    @Test
    void shouldFindTheExponent_whenATraceIsZipf() {
        TraceStatistics statistics = TraceStatistics.of(GeneratedTrace.mixed(
                300_000, 0, new Catalogue(1000, 0.8, new BodySizes.Fixed(1), new BodySizes.Fixed(1)), 4));

        assertThat(statistics.zipfSlope()).isBetween(-0.83, -0.77);
        assertThat(statistics.objects()).isEqualTo(1000);
        assertThat(statistics.clients()).isEqualTo(GeneratedTrace.CLIENTS);
    }

    private static Trace poisson(int seconds, int seed) {
        long requests = (long) PER_SECOND * seconds + PER_SECOND / 2;
        return GeneratedTrace.arriving(
                new Arrivals.Poisson(PER_SECOND), GeneratedTrace.mixed(requests, 0, Catalogue.DEFAULT, seed), seed);
    }
}
