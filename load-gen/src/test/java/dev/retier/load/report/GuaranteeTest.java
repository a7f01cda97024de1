package dev.retier.load.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.load.measure.Interval;
import dev.retier.load.report.Guarantee.Kept;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GuaranteeTest {
    @Test
    void shouldKeepNothingWhileAServerStandsStill_whenTheLoopIsOpen() {
        // 100/s for 8 s; the server stands still in the seconds 2 to 6, and then answers all at once.
        LoadResult run = Results.ofIntervals(
                true,
                1000,
                8010,
                IntStream.range(0, 10)
                        .mapToObj(i -> asked(i, i < 8 ? 100 : 0, i < 2 || i == 7 ? 100 : 0))
                        .toList());

        assertThat(judged(50, run)).isEqualTo(new Kept(shop(50), 1, 8, 3));
        assertThat(judged(400, run).kept())
                .as("asked for less than was promised")
                .isEqualTo(3);
    }

    @Test
    void shouldAskForNoMoreThanWasPromised_whenMoreIsDue() {
        LoadResult run =
                Results.ofIntervals(true, 1000, 3000, List.of(asked(0, 100, 60), asked(1, 100, 59), asked(2, 10, 9)));

        assertThat(judged(60, run).kept()).isEqualTo(1);
        assertThat(judged(59, run).kept()).isEqualTo(2);
        assertThat(judged(5, run).kept()).isEqualTo(3);
    }

    @Test
    void shouldCountAQuietTimeAsKept_whenNothingIsDue() {
        LoadResult run = Results.ofIntervals(true, 1000, 3000, List.of(asked(0, 9, 9), asked(1, 0, 0), asked(2, 9, 9)));

        assertThat(judged(100, run)).isEqualTo(new Kept(shop(100), 1, 3, 3));
    }

    @Test
    void shouldExcuseOnlyThinking_whenClientsWaitForTheirAnswers() {
        LoadResult run = Results.ofIntervals(
                false,
                1000,
                6000,
                List.of(
                        clients(0, 50, 50, 0),
                        clients(1, 0, 0, 0),
                        clients(2, 10, 9, 0),
                        clients(3, 0, 0, 0),
                        clients(4, 0, 0, 1),
                        clients(5, 0, 0, 0)));

        // Kept: the first, and the two in which nobody waited for anything.
        assertThat(judged(50, run)).isEqualTo(new Kept(shop(50), 1, 6, 3));
    }

    @Test
    void shouldJudgeSeconds_whenTheRunsIntervalsAreShorter() {
        List<Interval> quarters = IntStream.range(0, 11)
                .mapToObj(i -> clients(i, 25, i == 6 ? 24 : 25, 0))
                .toList();
        LoadResult run = Results.ofIntervals(false, 250, 2750, quarters);

        assertThat(judged(100, run)).as("the last seconds are not whole").isEqualTo(new Kept(shop(100), 1, 2, 1));
        assertThat(judged(99, run).kept()).isEqualTo(2);
        assertThat(judged(100, Results.ofIntervals(false, 300, 2750, quarters)).seconds())
                .isEqualTo(1.2);
        assertThat(judged(12, Results.ofIntervals(false, 2000, 22_000, quarters)))
                .isEqualTo(new Kept(shop(12), 2, 11, 11));
    }

    @Test
    void shouldRefuse_whenAPromiseMakesNoSense() {
        assertThatThrownBy(() -> new Guarantee("shop", 0, 1)).hasMessageContaining("priority 0");
        assertThatThrownBy(() -> new Guarantee("shop", 1, 0)).hasMessageContaining("rate 0.0/s");
    }

    private static Guarantee shop(double perSecond) {
        return new Guarantee("shop", 1, perSecond);
    }

    private static Kept judged(double perSecond, LoadResult run) {
        return shop(perSecond).judge(run);
    }

    private static Interval asked(int second, long due, long well) {
        return new Interval(second * 1000L, due, 0, 0, 0, 0, 0, due, well);
    }

    private static Interval clients(int index, long sent, long answered, long failed) {
        return new Interval(index * 1000L, sent, answered, 0, failed, 0, 0, 0, 0);
    }
}
