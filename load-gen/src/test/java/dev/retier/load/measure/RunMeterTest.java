package dev.retier.load.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.retier.testsupport.Seeded;
import dev.retier.traces.RequestClass;
import dev.retier.traces.SyntheticObject;
import dev.retier.traces.TraceEvent;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class RunMeterTest {
    private static final long MS = 1_000_000;

    @Test
    void shouldKeepTheAccount_whenRequestsEndInAllWays() {
        RunMeter meter = new RunMeter(250 * MS, 1000 * MS, false);
        TraceEvent page = event(RequestClass.STATIC, 0);
        TraceEvent script = event(RequestClass.DYNAMIC, 1);
        for (int i = 0; i < 5; i++) {
            meter.sent(i < 3 ? page : script, i * MS, i * MS);
        }

        meter.over(Outcomes.answered(page, 4096, 2 * MS, 2 * MS, 10 * MS));
        meter.over(Outcomes.failed(page, "b:1", FailureKind.TIMEOUT, 299 * MS, 300 * MS));
        meter.over(Outcomes.answered(script, 100, 5 * MS, 5 * MS, 400 * MS));
        meter.over(Outcomes.dropped(page, 498 * MS, 500 * MS));

        Totals totals = meter.totals();
        assertThat(totals).isEqualTo(new Totals(5, 2, 1, 1, 1, 1, 1, 4196, Map.of(FailureKind.TIMEOUT, 1L)));
        assertThat(meter.intervals())
                .containsExactly(
                        new Interval(0, 5, 1, 0, 0, 0, 4096, 5, 1),
                        new Interval(250, 0, 0, 1, 1, 0, 100, 0, 1),
                        new Interval(500, 0, 0, 0, 0, 1, 0, 0, 0));
        assertThat(meter.targets()).containsExactly(new TargetTotals("a:1", 2, 0), new TargetTotals("b:1", 0, 1));
        assertThat(meter.latency().count()).as("with those never answered").isEqualTo(4);
        assertThat(meter.latency().maxNanos() / MS).isEqualTo(498);
        assertThat(meter.latency(RequestClass.STATIC).count()).isEqualTo(3);
        assertThat(meter.service().count()).isEqualTo(2);
    }

    @Test
    void shouldCountSilenceOnlyWhileSomethingIsUnderWay_whenTheTracePauses() {
        RunMeter meter = new RunMeter(250 * MS, 1000 * MS, false);
        TraceEvent page = event(RequestClass.STATIC, 0);
        assertThat(meter.silentNanos(99 * MS)).isEmpty();
        meter.sent(page, 100 * MS, 100 * MS);
        assertThat(meter.silentNanos(130 * MS)).hasValue(30 * MS);
        meter.over(Outcomes.failed(page, "a:1", FailureKind.TIMEOUT, 50 * MS, 150 * MS));
        assertThat(meter.silentNanos(1000 * MS)).hasValue(50 * MS);
        meter.sent(page, 1000 * MS, 1000 * MS);
        meter.sent(page, 1010 * MS, 1010 * MS);
        assertThat(meter.silentNanos(1020 * MS)).hasValue(70 * MS);
        meter.over(Outcomes.failed(page, "a:1", FailureKind.STATUS_4XX, 20 * MS, 1020 * MS));
        assertThat(meter.silentNanos(1025 * MS)).hasValue(5 * MS);
        meter.over(Outcomes.answered(page, 1, MS, MS, 1030 * MS));
        assertThat(meter.silentNanos(99_000 * MS)).isEmpty();
    }

    @Test
    void shouldCountSilenceWhileClientsRest_whenNobodyCanBeReached() {
        RunMeter meter = new RunMeter(250 * MS, 1000 * MS, false);
        TraceEvent page = event(RequestClass.STATIC, 0);
        meter.sent(page, 0, 0);
        meter.over(Outcomes.failed(page, "a:1", FailureKind.CONNECT_REFUSED, MS, MS));
        meter.rests(MS);
        assertThat(meter.silentNanos(501 * MS)).hasValue(501 * MS);
        meter.hasRested(500 * MS, 501 * MS);
        assertThat(meter.restedNanos()).isEqualTo(500 * MS);
        meter.sent(page, 600 * MS, 600 * MS);
        meter.over(Outcomes.answered(page, 1, MS, MS, 601 * MS));
        assertThat(meter.silentNanos(9_000 * MS)).isEmpty();
    }

    @Test
    void shouldTellItsOwnLateness_whenRequestsWaitForClientsThatRest() {
        RunMeter meter = new RunMeter(250 * MS, 1000 * MS, true);
        TraceEvent page = event(RequestClass.STATIC, 0);
        for (Work work : List.of(
                Work.due(page, 0).late(MS),
                Work.due(page, 0).late(MS).rested(9 * MS),
                Work.due(page, 0).rested(30 * MS))) {
            meter.sent(page, 0, MS);
            meter.over(new Attempt(work, "a:1", 40 * MS, 41 * MS).answered(200, 1));
        }

        assertThat(meter.late()).isEqualTo(2);
        assertThat(meter.waitedForRest()).isEqualTo(1);
        assertThat(meter.lateness().maxNanos() / MS).isEqualTo(30);
    }

    @Test
    void shouldFollowTheBursts_whenTheyOverlap() {
        RunMeter meter = new RunMeter(250 * MS, 1000 * MS, false);
        TraceEvent first = event(RequestClass.STATIC, 0);
        TraceEvent second = event(RequestClass.DYNAMIC, 1);
        meter.sent(first, 10 * MS, 10 * MS);
        meter.sent(first, 20 * MS, 20 * MS);
        meter.sent(second, 30 * MS, 30 * MS);
        meter.over(Outcomes.answered(first, 1, MS, MS, 40 * MS));
        meter.over(Outcomes.answered(second, 1, MS, MS, 50 * MS));
        meter.over(Outcomes.failed(first, "a:1", FailureKind.RESET, 40 * MS, 60 * MS));
        meter.sent(event(RequestClass.STATIC, 1), 70 * MS, 70 * MS);

        assertThat(meter.bursts())
                .containsExactly(
                        new Burst(0, Burst.Kind.STATIC, 10, 60, 2, 1, 1),
                        new Burst(1, Burst.Kind.MIXED, 30, 50, 2, 1, 0));
        assertThat(meter.bursts().getFirst().answeredPerSecond()).isCloseTo(20, within(1e-9));
        assertThat(meter.latestSegment()).isEqualTo(1);
        assertThat(meter.latestKind()).isEqualTo(Burst.Kind.MIXED);
    }

    @Test
    void shouldOnlyCount_whenThereAreTooManySegments() {
        RunMeter meter = new RunMeter(250 * MS, 1000 * MS, false);
        for (int segment = 0; segment < BurstLedger.MAX_SEGMENTS + 3; segment++) {
            meter.sent(event(RequestClass.STATIC, segment), MS, MS);
        }

        assertThat(meter.bursts()).hasSize(BurstLedger.MAX_SEGMENTS);
        assertThat(meter.requestsNotListed()).isEqualTo(3);
    }

    @Seeded(tries = 20)
    void shouldBeTheSame_whenOneMeterCountsOrTwoAreAdded(SplittableRandom random) {
        RunMeter one = new RunMeter(250 * MS, 1000 * MS, false);
        RunMeter two = new RunMeter(250 * MS, 1000 * MS, false);
        RunMeter whole = new RunMeter(250 * MS, 1000 * MS, false);
        for (int i = 0; i < 300; i++) {
            List<RunMeter> both = List.of(random.nextBoolean() ? one : two, whole);
            TraceEvent event =
                    event(random.nextBoolean() ? RequestClass.STATIC : RequestClass.DYNAMIC, random.nextInt(3));
            long at = random.nextLong(5000 * MS);
            long waited = random.nextLong(3000 * MS);
            Outcome outcome = switch (random.nextInt(4)) {
                case 0 -> Outcomes.failed(event, "t:1", FailureKind.TIMEOUT, waited, at + MS);
                case 1 -> Outcomes.dropped(event, waited, at + MS);
                default -> Outcomes.answered(event, random.nextInt(100), MS, waited, at + MS);
            };
            both.forEach(meter -> {
                meter.sent(event, at, at);
                meter.over(outcome);
            });
        }

        RunMeter sum = RunMeter.sum(List.of(one, two));

        assertThat(sum.totals()).isEqualTo(whole.totals());
        assertThat(sum.totals().sent())
                .isEqualTo(sum.totals().answered()
                        + sum.totals().failed()
                        + sum.totals().dropped());
        assertThat(sum.intervals()).isEqualTo(whole.intervals());
        assertThat(sum.bursts()).isEqualTo(whole.bursts());
        assertThat(sum.targets()).isEqualTo(whole.targets());
        assertThat(sum.latency())
                .usingRecursiveComparison()
                .ignoringFields("histogramBase64")
                .isEqualTo(whole.latency());
        long end = 5100 * MS;
        assertThat(Glance.of(List.of(one, two), end)).isEqualTo(Glance.of(List.of(whole), end));
        assertThat(Glance.of(List.of(one, two), end).totals()).isEqualTo(whole.totals());
    }

    @Test
    void shouldCarryTheWholeHistogram_whenLatencyIsSummarised() throws DataFormatException {
        RunMeter meter = new RunMeter(250 * MS, 1000 * MS, false);
        TraceEvent page = event(RequestClass.STATIC, 0);
        for (int i = 1; i <= 1000; i++) {
            meter.sent(page, 0, 0);
            meter.over(Outcomes.answered(page, 0, 0, i * MS, i * MS));
        }

        Latency latency = meter.latency(RequestClass.STATIC);

        assertThat(latency.count()).isEqualTo(1000);
        assertThat((double) latency.p50Nanos()).isCloseTo(500e6, within(1e6));
        assertThat((double) latency.p99Nanos()).isCloseTo(990e6, within(1.5e6));
        Histogram decoded = Histogram.decodeFromCompressedByteBuffer(
                ByteBuffer.wrap(Base64.getDecoder().decode(latency.histogramBase64())), 0);
        assertThat(decoded.getTotalCount()).isEqualTo(1000);
        assertThat(meter.latency(RequestClass.DYNAMIC).maxNanos()).isZero();
    }

    private static TraceEvent event(RequestClass requestClass, int segment) {
        return TraceEvent.get(0, 0, new SyntheticObject(1, requestClass, 1), segment);
    }

    @Test
    void shouldAddAllThatStreamsDid_whenSeveralLoopsHeldThem() {
        RunMeter one = new RunMeter(250 * MS, 1000 * MS, false);
        StreamMeter streams = one.streams();
        streams.opened(MS);
        streams.over(true, 2 * MS);
        streams.came(3, 4, 2 * MS);
        for (int i = 0; i < 9; i++) {
            streams.text();
            if (i < 8) {
                streams.ping();
            }
            if (i < 7) {
                streams.messageLeftOut();
            }
            if (i < 6) {
                streams.unmatched();
            }
            if (i < 5) {
                streams.closeUnanswered();
            }
            if (i < 2) {
                streams.queued();
            }
        }

        StreamFigures sum = RunMeter.sum(List.of(one, one)).streams().figures();

        assertThat(List.of(sum.opened(), sum.ended(), sum.events(), sum.bytes(), sum.texts(), sum.pings()))
                .containsExactly(2L, 2L, 6L, 8L, 18L, 16L);
        assertThat(List.of(sum.messagesLeftOut(), sum.unmatched(), sum.closesUnanswered(), sum.queued()))
                .containsExactly(14L, 12L, 10L, 4L);
    }
}
