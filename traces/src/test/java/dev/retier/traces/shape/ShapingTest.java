package dev.retier.traces.shape;

import static dev.retier.traces.TraceReading.drain;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.testsupport.Seeded;
import dev.retier.traces.TimesOf;
import dev.retier.traces.Trace;
import dev.retier.traces.TraceEvent;
import dev.retier.traces.made.Catalogue;
import dev.retier.traces.made.GeneratedTrace;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ShapingTest {
    private static final long SECOND = 1_000_000_000L;
    private static final Trace MIX = GeneratedTrace.mixed(10_000, 0.5, Catalogue.DEFAULT, 1);

    @Test
    void shouldStartAtZero_whenAWindowIsTaken() {
        assertThat(offsets(Shaping.window(new TimesOf(0, 5, 6.5, 9), 5 * SECOND, 9 * SECOND)))
                .containsExactly(0L, SECOND * 3 / 2);
        assertThatThrownBy(() -> Shaping.window(MIX, 5, 5)).hasMessageContaining("is empty");
    }

    @Test
    void shouldShortenSilencesOnly_whenGapsAreClipped() {
        assertThat(offsets(Shaping.clipGaps(new TimesOf(0, 1, 3601, 3602, 9999), 2 * SECOND)))
                .containsExactly(0L, SECOND, 3 * SECOND, 4 * SECOND, 6 * SECOND);
    }

    @Test
    void shouldKeepWholeSessions_whenThinned() {
        List<TraceEvent> all = drain(MIX);
        List<TraceEvent> kept = drain(Shaping.thin(MIX, 4));

        var clients = kept.stream().map(TraceEvent::clientId).collect(Collectors.toSet());
        assertThat(clients).hasSizeBetween(200, 300);
        assertThat(kept)
                .isEqualTo(all.stream()
                        .filter(event -> clients.contains(event.clientId()))
                        .toList());
    }

    @Test
    void shouldMakeClientsOfTheirOwn_whenAmplified() {
        List<TraceEvent> copies = drain(Shaping.amplify(new TimesOf(0, 1), 3));

        assertThat(copies).hasSize(6);
        assertThat(copies.stream().map(TraceEvent::clientId).distinct()).hasSize(3);
        assertThat(copies).extracting(TraceEvent::offsetNanos).containsExactly(0L, 0L, 0L, SECOND, SECOND, SECOND);
        assertThatThrownBy(() -> Shaping.amplify(MIX, 0)).hasMessageContaining("1..1000");
    }

    @Test
    void shouldSpreadEvenly_whenPlacedEven() {
        assertThat(offsets(Shaping.place(new TimesOf(0, 0, 0, 0, 2, 2), Placement.EVEN, 0)))
                .containsExactly(0L, SECOND / 4, SECOND / 2, SECOND * 3 / 4, 2 * SECOND, 2 * SECOND + SECOND / 2);
    }

    @Seeded(tries = 30)
    void shouldStayInOrderAndInTheSecond_whenPlacedAtRandom(SplittableRandom random) {
        int count = random.nextInt(1, 500);
        double[] stamps = new double[count];
        int at = 0;
        for (int i = 0; i < count; i++) {
            at += random.nextInt(10) == 0 ? random.nextInt(3) : 0;
            stamps[i] = at;
        }
        Trace trace = new TimesOf(stamps);
        long seed = random.nextLong();

        List<Long> placed = offsets(Shaping.place(trace, Placement.UNIFORM, seed));

        assertThat(placed).isSorted().isEqualTo(offsets(Shaping.place(trace, Placement.UNIFORM, seed)));
        List<Long> logged = offsets(trace);
        for (int i = 0; i < count; i++) {
            assertThat(placed.get(i) / SECOND).isEqualTo(logged.get(i) / SECOND);
        }
    }

    @Test
    void shouldStayInOrder_whenASecondIsFullerThanTheMemory() {
        int many = PlacedEvents.MAX_HELD * 2 + 10;
        Trace crowded = new TimesOf(new double[many]);

        List<Long> placed = offsets(Shaping.place(crowded, Placement.EVEN, 0));

        assertThat(placed).hasSize(many).isSorted();
        assertThat(placed.getLast()).isLessThan(SECOND);
    }

    private static List<Long> offsets(Trace trace) {
        return drain(trace).stream().map(TraceEvent::offsetNanos).toList();
    }
}
