package dev.retier.load.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.retier.load.LoadException;
import dev.retier.load.measure.Interval;
import dev.retier.load.measure.Latency;
import dev.retier.load.measure.LatencyHistograms;
import dev.retier.load.measure.LatencyInterval;
import dev.retier.load.measure.StreamFigures;
import dev.retier.load.measure.StreamInterval;
import dev.retier.load.measure.TargetTotals;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReportTextsTest {
    private static final LoadResult SHOP = Results.of("shop", 200, 1_000_000);

    @Test
    void shouldReadBackWhatItWrote_whenResultsBecomeJson() {
        List<LoadResult> runs = List.of(SHOP, Results.of("news", 10, 1_000_000));

        assertThat(ResultJson.read("a.json", ResultJson.write(runs))).isEqualTo(runs);
        assertThatThrownBy(() -> ResultJson.read("a.json", "[{\"site\":7]"))
                .isInstanceOf(LoadException.class)
                .satisfies(e -> assertThat(e.getMessage())
                        .startsWith("result a.json, line 1: is no result that this version")
                        .doesNotContain("\n", "Exception", "Cannot", "java"));
        String old = ResultJson.write(runs).replaceFirst("\"causes\"", "\"reasons\"");
        assertThatThrownBy(() -> ResultJson.read("old.json", old))
                .isInstanceOf(LoadException.class)
                .hasMessageStartingWith("result old.json, line ")
                .hasMessageContaining("this version");
    }

    @Test
    void shouldHaveALinePerInterval_whenResultsBecomeCsv() {
        List<String> lines = ResultCsv.of(List.of(SHOP)).lines().toList();

        assertThat(lines).hasSize(1 + SHOP.intervals().size()).first().isEqualTo(ResultCsv.HEADING);
        assertThat(lines.get(1)).isEqualTo("shop,0,100.0,11,7,2,1,1,90");
    }

    @Test
    void shouldBeReadableByHdrHistogram_whenWrittenAsLog() {
        String log = HistogramLog.of(List.of(SHOP));

        HistogramLogReader reader =
                new HistogramLogReader(new ByteArrayInputStream(log.getBytes(StandardCharsets.US_ASCII)));
        Histogram whole = Latency.newHistogram();
        EncodableHistogram next = reader.nextIntervalHistogram();
        while ("shop".equals(next.getTag())) {
            whole.add((Histogram) next);
            next = reader.nextIntervalHistogram();
        }
        assertThat(whole.getTotalCount()).as("with those never answered").isEqualTo(202);
        assertThat((double) whole.getValueAtPercentile(99))
                .isCloseTo((double) SHOP.latency().p99Nanos(), withinPercentage(1));
        assertThat(next.getTag()).isEqualTo("shop-response");
        assertThat(((Histogram) next).getValueAtPercentile(99))
                .isEqualTo(SHOP.latency().p99Nanos());
        assertThat(reader.nextIntervalHistogram().getTag()).isEqualTo("shop-service");
    }

    @Test
    void shouldAddExactly_whenGeneratorsRanTogether() {
        LoadResult later = Results.of("shop", 100, 1_000_250);

        LoadResult merged = ResultMerge.merge(List.of(SHOP, later));

        assertThat(merged.totals().sent()).isEqualTo(304);
        assertThat(merged.totals().answered()).isEqualTo(300);
        assertThat(merged.clients()).isEqualTo(16);
        assertThat(merged.latency().count()).as("with those never answered").isEqualTo(304);
        assertThat(merged.latencyOverTime().intervals().stream()
                        .mapToLong(LatencyInterval::count)
                        .sum())
                .isEqualTo(304);
        assertThat(merged.latency().maxNanos()).isEqualTo(SHOP.latency().maxNanos());
        assertThat(merged.intervals().stream().mapToLong(Interval::answered).sum())
                .isEqualTo(300);
        assertThat(merged.intervals()).extracting(Interval::startMillis).isSorted();
        assertThat(merged.intervals().getFirst()).isEqualTo(SHOP.intervals().getFirst());
        assertThat(merged.targets().stream().mapToLong(TargetTotals::answered).sum())
                .isEqualTo(300);
        assertThat(merged.bursts().stream().mapToLong(burst -> burst.sent()).sum())
                .isEqualTo(304);
        assertThat(merged.elapsedMillis()).isEqualTo(2000);
    }

    @Test
    void shouldSayOfHowMany_whenLatenciesAreShown() {
        List<List<String>> cells = ResultTable.of(
                        List.of(new NamedRun("one", SHOP), new NamedRun("none", Results.of("shop", 0, 0))))
                .cells();

        assertThat(cells)
                .contains(List.of("latency of", "samples", "" + SHOP.latency().count(), "2"))
                .contains(List.of("dynamic latency of", "samples", "50", "0"));
        assertThat(cells)
                .filteredOn(row -> row.getFirst().equals("dynamic latency p99"))
                .singleElement()
                .satisfies(row -> assertThat(row.get(2)).isNotEmpty())
                .extracting(row -> row.get(3))
                .as("not 0 ms")
                .isEqualTo("");
    }

    @Test
    void shouldRefuse_whenResultsDoNotAddUp() {
        assertThatThrownBy(() -> ResultMerge.merge(List.of())).hasMessageContaining("at least one");
        assertThatThrownBy(() -> ResultMerge.merge(List.of(SHOP, Results.of("news", 1, 0))))
                .hasMessageContaining("sites shop and news");
        assertThatThrownBy(() -> ResultMerge.merge(List.of(SHOP, Results.withLateness(SHOP))))
                .hasMessageContaining("open loop (with due times) and of a closed loop do not add up");
    }

    @Test
    void shouldWarn_whenOneIsCountedTwiceOrTheyDidNotRunTogether() {
        LoadResult tomorrow = Results.of("shop", 100, 87_400_000);

        assertThat(ResultMerge.merge(List.of(SHOP, SHOP)).health().warnings())
                .contains("results 1 and 2 are the same: one was counted twice");
        assertThat(ResultMerge.merge(List.of(SHOP, tomorrow)).health().warnings())
                .contains("results 1 and 2 did not run at the same time: their rates do not add up");
        assertThat(ResultMerge.merge(List.of(SHOP, Results.of("shop", 100, 1_000_250)))
                        .health()
                        .warnings())
                .isEqualTo(SHOP.health().warnings());
    }

    @Test
    void shouldSayWhetherARunFails_whenThresholdsAreGiven() {
        assertThat(Threshold.parse("p99>197ms").isCrossedBy(SHOP)).isTrue();
        assertThat(Threshold.parse("p99>199ms").isCrossedBy(SHOP)).isFalse();
        assertThat(Threshold.parse("p50 > 0.2 s").isCrossedBy(SHOP)).isFalse();
        assertThat(Threshold.parse("max>1us").isCrossedBy(SHOP)).isTrue();
        assertThat(Threshold.parse("mean<1ms").isCrossedBy(SHOP)).isFalse();
        assertThat(Threshold.parse("failed>0").isCrossedBy(SHOP)).isTrue();
        assertThat(Threshold.parse("failed>1%").isCrossedBy(SHOP)).isFalse();
        assertThat(Threshold.parse("dropped>0.4%").isCrossedBy(SHOP)).isTrue();
        assertThat(Threshold.parse("late>0").isCrossedBy(SHOP)).isFalse();
        assertThat(Threshold.parse("rate<1000").isCrossedBy(SHOP)).isTrue();
        assertThat(Threshold.parse("p99.9>1ms").value(SHOP)).isCloseTo(200e6, within(1e6));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "p99",
                "p99>50",
                "p101>1ms",
                "failed>5ms",
                "rate<5%",
                "speed>1",
                "p99=5ms",
                "p99>1.2.3ms",
                "p9.>1ms"
            })
    void shouldShowTheForm_whenAThresholdIsNone(String text) {
        assertThatThrownBy(() -> Threshold.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("threshold '" + text + "': ")
                .hasMessageContaining("for example p99>50ms");
    }

    @Test
    void shouldRefuse_whenAHistogramIsDamaged() {
        String text = SHOP.latency().histogramBase64();
        String damaged = text.substring(0, text.length() / 2);
        var latency = new Latency(1, 1, 1, 1, 1, 1, 1, 1, damaged);

        assertThatThrownBy(() -> LatencyHistograms.decode(latency)).hasMessageContaining("damaged");
    }

    @Test
    void shouldLastUntilTheLatestEnd_whenGeneratorsStartedOneAfterTheOther() {
        LoadResult merged = ResultMerge.merge(List.of(SHOP, Results.of("shop", 200, 1_000_250)));

        assertThat(merged.elapsedMillis()).isEqualTo(2250);
        assertThat(merged.sendingMillis()).isEqualTo(2250);
        assertThat(merged.answeredPerSecond()).isCloseTo(400 / 2.25, within(1e-9));
    }

    @Test
    void shouldCountTheStreamsOfAll_whenGeneratorsHeldThemTogether() {
        StreamFigures streams = Objects.requireNonNull(
                ResultMerge.merge(List.of(Results.ofStreams(1_000_000), Results.ofStreams(1_000_200)))
                        .streams());

        assertThat(streams.opened()).isEqualTo(2);
        assertThat(streams.mostOpen()).isEqualTo(2);
        assertThat(streams.intervals()).extracting(StreamInterval::open).containsExactly(1L, 1L, 2L, 1L, 1L, 0L);
    }
}
