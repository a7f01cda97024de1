package dev.retier.volume.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.volume.cache.SequentialRuns.Range;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SequentialRunsTest {
    private static final long END = 1_000_000;

    private final SequentialRuns runs = new SequentialRuns();

    private List<Range> after(long... reads) {
        List<Range> due = new ArrayList<>();
        for (long first : reads) {
            runs.read(first, first + 8, END).ifPresent(due::add);
        }
        return due;
    }

    /** The fourth read in a row; then 64 blocks when no more than 32 are left, 128 when no more than 64, and so on. */
    @Test
    void shouldReadAheadMoreAndMore_whenReadsGoOn() {
        assertThat(after(0, 8, 16)).isEmpty();
        assertThat(after(24)).containsExactly(new Range(32, 64));
        assertThat(after(32)).containsExactly(new Range(64, 104));
        assertThat(after(40)).containsExactly(new Range(104, 176));
        assertThat(after(48, 56, 64, 72)).containsExactly(new Range(176, 312));
    }

    @Test
    void shouldReadNothingAhead_whenReadsAreHereAndThere() {
        Random random = new Random(1);
        assertThat(after(random.longs(200, 0, END - 8).toArray())).isEmpty();
        assertThat(after(500, 500, 500, 500, 500, 500)).as("again and again").isEmpty();
    }

    /** As several threads of a server bring them. */
    @Test
    void shouldGoOn_whenReadsOfOneRowOvertakeEachOther() {
        assertThat(after(0, 16, 8, 24, 40, 32)).containsExactly(new Range(48, 80));
    }

    @Test
    void shouldFollowSeveralRows_whenTheyAreReadInTurn() {
        assertThat(after(0, 5000, 8, 5008, 16, 5016, 24, 5024))
                .containsExactly(new Range(32, 64), new Range(5032, 5064));
    }

    @Test
    void shouldEndWhereTheVolumeEnds() {
        long first = END - 40;
        assertThat(after(first, first + 8, first + 16, first + 24)).containsExactly(new Range(END - 8, END));
        assertThat(after(first + 32)).isEmpty();
    }

    /** Else one that begins row after row would take memory for each. */
    @Test
    void shouldForgetTheRowThatRestedLongest_whenThereAreTooMany() {
        after(0, 8, 16);
        for (int row = 1; row <= SequentialRuns.RUNS; row++) {
            after(row * 10_000L);
        }
        assertThat(after(24)).isEmpty();
    }
}
