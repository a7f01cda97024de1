package dev.retier.traces.made;

import static dev.retier.traces.TraceReading.drain;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.retier.traces.RequestClass;
import dev.retier.traces.RequestMethod;
import dev.retier.traces.Trace;
import dev.retier.traces.TraceEvent;
import dev.retier.traces.shape.LoopedTrace;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class GeneratedTraceTest {
    private static final BurstPlan BURSTS = BurstPlan.of(250, 4, RequestClass.STATIC);

    @Test
    void shouldGiveTheSameEventsForEver_whenTheSeedIsTheSame() {
        Catalogue catalogue =
                new Catalogue(500, 0.9, new BodySizes.LogNormal(949, 1.5, 1 << 20), new BodySizes.Fixed(100));

        assertThat(sha256(GeneratedTrace.alternating(BURSTS, catalogue, 42)))
                .isEqualTo("301d7b131bc32a8e111a3d6da9da34ef98745319ebdf7c8fc580fb4acfb0c9a9");
        assertThat(sha256(GeneratedTrace.mixed(1000, 0.2, catalogue, 42)))
                .isEqualTo("6d8c31e8838a908799da54babad232da7c15beb20a2b061be863dea2e2242940");
    }

    @Test
    void shouldGiveTheSameEventsAgain_whenOpenedTwice() {
        Trace trace = GeneratedTrace.alternating(BURSTS, Catalogue.DEFAULT, 1);

        assertThat(drain(trace))
                .isEqualTo(drain(trace))
                .isNotEqualTo(drain(GeneratedTrace.alternating(BURSTS, Catalogue.DEFAULT, 2)));
    }

    @Test
    void shouldAlternateInBurstsOfTheLength_whenDrained() {
        List<TraceEvent> events = drain(GeneratedTrace.alternating(BURSTS, Catalogue.DEFAULT, 7));

        assertThat(events).hasSize(1000);
        for (int i = 0; i < events.size(); i++) {
            int burst = i / 250;
            assertThat(events.get(i).segment()).isEqualTo(burst);
            assertThat(events.get(i).requestClass())
                    .isEqualTo(burst % 2 == 0 ? RequestClass.STATIC : RequestClass.DYNAMIC);
        }
        assertThat(events).extracting(TraceEvent::offsetNanos).isSorted();
    }

    @Test
    void shouldAlternateInBurstsOfTheirOwnLengths_whenUneven() {
        UnevenBursts plan = new UnevenBursts(List.of(3L, 1L, 5L), RequestClass.DYNAMIC);

        List<TraceEvent> events = drain(GeneratedTrace.uneven(plan, Catalogue.DEFAULT, 7));

        assertThat(events).extracting(TraceEvent::segment).containsExactly(0, 0, 0, 1, 2, 2, 2, 2, 2);
        assertThat(events.get(2).requestClass()).isEqualTo(RequestClass.DYNAMIC);
        assertThat(events.get(3).requestClass()).isEqualTo(RequestClass.STATIC);
        assertThat(events.getLast().requestClass()).isEqualTo(RequestClass.DYNAMIC);
        List<Long> even = List.of(250L, 250L, 250L, 250L);
        assertThat(drain(GeneratedTrace.uneven(new UnevenBursts(even, RequestClass.STATIC), Catalogue.DEFAULT, 42)))
                .isEqualTo(drain(GeneratedTrace.alternating(BURSTS, Catalogue.DEFAULT, 42)));
        assertThatThrownBy(() -> new UnevenBursts(List.of(2L, 0L), RequestClass.STATIC))
                .hasMessage("burst 1 has 0 requests, less than 1");
        assertThatThrownBy(() -> new UnevenBursts(List.of(), RequestClass.STATIC))
                .hasMessageContaining("0 bursts");
    }

    @Test
    void shouldHoldTheShare_whenMixed() {
        List<TraceEvent> events = drain(GeneratedTrace.mixed(20_000, 0.2, Catalogue.DEFAULT, 3));

        long dynamic = events.stream()
                .filter(event -> event.requestClass() == RequestClass.DYNAMIC)
                .count();
        assertThat(dynamic / 20_000.0).isCloseTo(0.2, within(0.01));
    }

    @Test
    void shouldFallWithTheExponent_whenRanksAreCounted() {
        for (double exponent : new double[] {0.5, 0.8, 1.2}) {
            ZipfRanks ranks = new ZipfRanks(1000, exponent);
            SplittableRandom random = new SplittableRandom(5);
            int[] counts = new int[1000];
            for (int i = 0; i < 1_000_000; i++) {
                counts[ranks.draw(random)]++;
            }
            assertThat(logLogSlope(counts, 100)).isCloseTo(-exponent, within(0.03));
        }
    }

    @Test
    void shouldDrawAllAlike_whenTheExponentIsZero() {
        ZipfRanks ranks = new ZipfRanks(4, 0);
        SplittableRandom random = new SplittableRandom(5);
        Map<Integer, Integer> counts = new HashMap<>();
        for (int i = 0; i < 40_000; i++) {
            counts.merge(ranks.draw(random), 1, Integer::sum);
        }
        assertThat(counts).hasSize(4);
        assertThat(counts.values()).allSatisfy(count -> assertThat(count).isBetween(9_700, 10_300));
    }

    @Test
    void shouldKeepTheSizeOfAnObject_whenSizesAreLogNormal() {
        BodySizes sizes = new BodySizes.LogNormal(949, 1.5, 50_000);
        List<Long> drawn = new ArrayList<>();
        for (int id = 0; id < 10_000; id++) {
            assertThat(sizes.sizeBytes(id)).isEqualTo(sizes.sizeBytes(id)).isBetween(0L, 50_000L);
            drawn.add(sizes.sizeBytes(id));
        }
        drawn.sort(null);
        assertThat(drawn.get(5_000)).isBetween(900L, 1000L);
        assertThat(drawn.get(9_000)).isBetween(5_500L, 7_500L);
    }

    @Test
    void shouldGoOnInTimeAndSegment_whenLooped() {
        Trace trace = new LoopedTrace(GeneratedTrace.alternating(BURSTS, Catalogue.DEFAULT, 1), 3);

        List<TraceEvent> events = drain(trace);

        assertThat(events).hasSize(3000);
        assertThat(trace.eventCount()).hasValue(3000);
        assertThat(events).extracting(TraceEvent::offsetNanos).isSorted();
        assertThat(events.get(1000).segment()).isEqualTo(4);
        assertThat(events.getLast().segment()).isEqualTo(11);
        assertThat(events.get(2000).target()).isEqualTo(events.getFirst().target());
    }

    @Test
    void shouldEndAtOnce_whenAnEmptyTraceIsLooped() {
        Trace empty = new GeneratedTrace("empty", 0, 0, _ -> index -> {
            throw new IllegalStateException("asked for event " + index);
        });

        assertThat(drain(new LoopedTrace(empty, Integer.MAX_VALUE))).isEmpty();
    }

    @Test
    void shouldRefuse_whenArgumentsAreOutOfRange() {
        assertThatThrownBy(() -> new ZipfRanks(0, 1)).hasMessageContaining("not within 1..");
        assertThatThrownBy(() -> new ZipfRanks(ZipfRanks.MAX_OBJECTS + 1, 1)).hasMessageContaining("not within 1..");
        assertThatThrownBy(() -> new ZipfRanks(1, -0.1)).hasMessageContaining("not within 0..10");
        assertThatThrownBy(() -> BurstPlan.of(0, 1, RequestClass.STATIC)).hasMessageContaining("at least 1");
        assertThatThrownBy(() -> new BodySizes.Fixed(-1)).hasMessageContaining("not within");
        assertThatThrownBy(() -> GeneratedTrace.mixed(0, 0.5, Catalogue.DEFAULT, 1))
                .hasMessageContaining("at least 1");
        assertThatThrownBy(() -> new LoopedTrace(GeneratedTrace.mixed(1, 0.5, Catalogue.DEFAULT, 1), 0))
                .hasMessageContaining("loop count 0");
    }

    @Test
    void shouldRefuse_whenATargetWouldBreakTheRequestLine() {
        for (String target : List.of("", "o1", "/a b", "/a\r\nX: y", "/\u00e4", "/\u0000")) {
            assertThatThrownBy(() ->
                            new TraceEvent(0, 0, target, RequestClass.STATIC, 0, RequestMethod.GET, false, 0, null))
                    .hasMessageContaining("printable ASCII");
        }
    }

    private static double logLogSlope(int[] counts, int ranks) {
        double sumX = 0;
        double sumY = 0;
        double sumXy = 0;
        double sumXx = 0;
        for (int rank = 1; rank <= ranks; rank++) {
            double x = Math.log(rank);
            double y = Math.log(counts[rank - 1]);
            sumX += x;
            sumY += y;
            sumXy += x * y;
            sumXx += x * x;
        }
        return (ranks * sumXy - sumX * sumY) / (ranks * sumXx - sumX * sumX);
    }

    private static String sha256(Trace trace) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            // Events had no body when the sums were taken.
            drain(trace)
                    .forEach(event -> digest.update(
                            (event.toString().replace(", body=null", "") + "\n").getBytes(StandardCharsets.UTF_8)));
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }
}
