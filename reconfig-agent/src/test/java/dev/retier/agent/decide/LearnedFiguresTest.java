package dev.retier.agent.decide;

import static dev.retier.agent.fixture.Clusters.APP;
import static dev.retier.agent.fixture.Clusters.PROXY;
import static dev.retier.agent.fixture.Clusters.node;
import static dev.retier.agent.fixture.Clusters.view;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.view.NodeView;
import dev.retier.state.LoadRecord;
import dev.retier.state.LoadRecord.Health;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.Tier;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What nodes and sites can do, learnt from what they do. */
class LearnedFiguresTest {
    private static LoadRecord load(double utilisation, double requestsPerSecond, double capacity) {
        return new LoadRecord(0, Health.UP, utilisation, 0, 0, requestsPerSecond, 0, capacity, 0);
    }

    private static NodeView working(Role role, double utilisation, double requestsPerSecond) {
        return new NodeView.Known(node(1), RoleWord.active(0, 0, role), load(utilisation, requestsPerSecond, 0));
    }

    private static double weight(LearntCapacity learnt, Role role, double told) {
        return learnt.weight(node(1), role, load(0, 0, told));
    }

    @Test
    void shouldLearnWhatANodeCanDo_fromWhatItDoes() {
        LearntCapacity learnt = LearntCapacity.none().after(view(working(PROXY, 0.5, 300)));
        assertThat(weight(learnt, PROXY, 0)).isEqualTo(600);
        assertThat(weight(learnt, PROXY, 1_000)).as("it says so itself").isEqualTo(1_000);
        assertThat(weight(learnt, APP, 0)).as("in another role").isZero();
        assertThat(weight(learnt.after(view(working(APP, 0.1, 0))), PROXY, 0))
                .as("it has another role now")
                .isZero();
    }

    @Test
    void shouldLearnNothing_fromANodeThatHardlyWorks() {
        LearntCapacity learnt = LearntCapacity.none().after(view(working(PROXY, 0.19, 300)));
        assertThat(weight(learnt, PROXY, 0)).isZero();
        assertThat(weight(learnt.after(view(working(PROXY, 0.2, 30))), PROXY, 0))
                .isEqualTo(150);
    }

    private static TierTrend trend(double mean, TierTrend.Direction direction, long sinceNanos) {
        return new TierTrend(
                Set.of(node(1)),
                0,
                mean,
                mean,
                Map.of(node(1), 1_000.0),
                direction,
                sinceNanos,
                true,
                RecentPeak.none(0),
                false);
    }

    /** At the first look of a peak the figures are still those of before. */
    @Test
    void shouldLearnWhatABusyTierCarries_onceItHasBeenPressedForMoreThanOneLook() {
        TierTrend idle = trend(0.1, TierTrend.Direction.CALM, 0);
        TierTrend busy = trend(0.9, TierTrend.Direction.PRESSED, 10);
        SiteTrend first = SiteTrend.none(0).after(new SiteTrend.Look(90, null, busy, idle, 10));
        assertThat(first.carried(Tier.PROXY, 1_000)).isEqualTo(100);
        assertThat(first.carried(Tier.APP, 1_000)).as("it hardly works").isZero();
        assertThat(first.carriedWhenBusy(Tier.PROXY, 1_000)).isZero();

        SiteTrend second = first.after(new SiteTrend.Look(180, null, busy, idle, 11));
        assertThat(second.carriedWhenBusy(Tier.PROXY, 1_000)).isEqualTo(200);
    }
}
