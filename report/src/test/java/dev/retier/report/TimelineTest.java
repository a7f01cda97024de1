package dev.retier.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.report.Plot.Mark;
import dev.retier.report.Plot.Point;
import dev.retier.report.Plot.Series;
import dev.retier.report.Plot.Shape;
import java.util.List;
import org.junit.jupiter.api.Test;

class TimelineTest {
    private static final Series LOW = new Series("low", "a", Shape.LINE, List.of(new Point(1, 0.2)));
    private static final Series HIGH = new Series("high", "b", Shape.LINE, List.of(new Point(1, 0), new Point(9, 200)));

    @Test
    void shouldLineUp_whateverIsShown() {
        Timeline run = Timeline.of(12.5).withMarks(List.of(new Mark(3, "a move")));

        Plot rates = run.rates("Throughput", List.of(HIGH));
        Plot nodes = run.nodes("Nodes", List.of(LOW));

        assertThat(rates.across()).isEqualTo(nodes.across()).isEqualTo(Axis.linear("s", 12.5));
        assertThat(rates.marks()).isEqualTo(nodes.marks()).hasSize(1);
        assertThat(rates.up()).isEqualTo(Axis.linear("requests/s", 210));
        assertThat(nodes.up().to()).as("little is not made to look like much").isEqualTo(1.05);
    }

    @Test
    void shouldHaveALength_whenARunHasNone() {
        assertThat(Timeline.of(0).seconds()).isPositive();
    }

    @Test
    void shouldLeaveOutTheIntervalThatTheEndCutsShort() {
        assertThat(Timeline.rate(3, 0.5, 1.2, i -> 10.0 * i)).containsExactly(new Point(0.25, 0), new Point(0.75, 10));
        assertThat(Timeline.rate(2, 0.5, 1.0, i -> 1)).hasSize(2);
        assertThat(Timeline.rate(1, 0.5, 0.2, i -> 7)).as("there is no other").containsExactly(new Point(0.25, 7));
    }

    @Test
    void shouldHoldACountUntilTheEnd() {
        Series steps = Timeline.steps("proxy", Timeline.STATIC, List.of(new Point(0, 3), new Point(4, 2)), 10);

        assertThat(steps.shape()).isEqualTo(Shape.STEP);
        assertThat(steps.points()).containsExactly(new Point(0, 3), new Point(4, 2), new Point(10, 2));
        assertThat(Timeline.steps("none", "a", List.of(), 10).points()).isEmpty();
    }
}
