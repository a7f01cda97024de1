package dev.retier.agent.render;

import static dev.retier.agent.fixture.Clusters.APP;
import static dev.retier.agent.fixture.Clusters.PROXY;
import static dev.retier.agent.fixture.Clusters.node;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.view.ClusterView;
import dev.retier.agent.view.NodeView;
import dev.retier.state.LoadRecord;
import dev.retier.state.LoadRecord.Health;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The own node is the first one. */
class SpreadTest {
    private static final Duration ROUND = Duration.ofMillis(750);
    private static final long LOOK = 200_000_000;
    private static final long SECOND = 1_000_000_000;

    @Test
    void shouldLetGoWhatIsTooMuch_whenTheNewestOfSixProxiesHasNothing() {
        Spread grown = Spread.none().after(tier(1, 1, 1, 1, 1, -1), node(1), ROUND, 0);
        assertThat(grown.letGo()).isEqualTo(LetGo.NONE);

        Spread joined = grown.after(tier(1, 1, 1, 1, 1, 0), node(1), ROUND, SECOND);
        assertThat(joined.letGo()).as("it may fill by itself").isEqualTo(LetGo.NONE);

        Spread begun = joined.after(tier(1, 1, 1, 1, 1, 0), node(1), ROUND, 2 * SECOND);
        assertThat(begun.letGo()).as("one sixth of what it has").isEqualTo(new LetGo(1, 17));
        Spread same = begun.after(tier(1, 1, 1, 1, 1, 0.1), node(1), ROUND, 2 * SECOND + LOOK);
        assertThat(same.letGo()).as("the round goes on").isEqualTo(new LetGo(1, 17));
        Spread next = same.after(tier(1, 1, 1, 1, 1, 0.4), node(1), ROUND, 3 * SECOND);
        assertThat(next.letGo()).isEqualTo(new LetGo(2, 10));

        Spread fed = next.after(tier(1, 1, 1, 1, 1, 0.9), node(1), ROUND, 3 * SECOND + LOOK);
        assertThat(fed.letGo().isAny()).isFalse();
        Spread later = fed.after(tier(1, 1, 1, 1, 1, 0.1), node(1), ROUND, 9 * SECOND);
        assertThat(later.letGo().isAny()).as("it is no newcomer any more").isFalse();
    }

    @Test
    void shouldLetNothingGo_whenItHasNoMoreThanTheOthers() {
        assertThat(joinedAs(0.4, 1, 1, 1, 1).letGo().isAny()).isFalse();
        assertThat(joinedAs(0.7, 1, 1, 1, 0).letGo().isAny())
                .as("its share is below the mean")
                .isFalse();
    }

    @Test
    void shouldLetNothingGo_whenNobodyWaits() {
        assertThat(joinedAs(0.3, 0.3, 0.3, 0.3, 0).letGo().isAny()).isFalse();
    }

    /** An edge that heard of one proxy before the others gave it all clients, and they stay. */
    @Test
    void shouldLetGo_whenTheOneWithNothingWasThereFromTheStart() {
        Spread begun = Spread.none().after(tier(1, 0), node(1), ROUND, 0);
        assertThat(begun.letGo()).isEqualTo(LetGo.NONE);
        assertThat(begun.after(tier(1, 0), node(1), ROUND, SECOND).letGo()).isEqualTo(new LetGo(1, 50));
    }

    /** For a window its utilisation is that of the tier that it came from. */
    @Test
    void shouldLetGo_whenTheNewcomerWasBusyUntilItCame() {
        Spread joined = Spread.none()
                .after(tier(1, 1, -1), node(1), ROUND, 0)
                .after(tier(1, 1, 0.9), node(1), ROUND, SECOND)
                .after(tier(1, 1, 0), node(1), ROUND, 2 * SECOND);
        assertThat(joined.letGo()).isEqualTo(new LetGo(1, 34));
    }

    @Test
    void shouldLetNothingGo_whenTheNewcomerIsSlowOrDownOrUnknown() {
        assertThat(joinedAs(1, 1, 1, 1, 0.85).letGo().isAny()).isFalse();
        Spread joined =
                Spread.none().after(tier(1, 1, -1), node(1), ROUND, 0).after(tier(1, 1, 0), node(1), ROUND, SECOND);
        ClusterView down = view(known(1, 1, PROXY), known(2, 1, PROXY), known(3, 0, PROXY, Health.DOWN));
        assertThat(joined.after(down, node(1), ROUND, 5 * SECOND).letGo().isAny())
                .isFalse();
        NodeView.Known third = known(3, 0, PROXY);
        NodeView silent = new NodeView.Silent(
                third.id(),
                third.word(),
                third.load(),
                dev.retier.state.SlotReading.Reason.STALE,
                NodeView.Silence.UNKNOWN);
        ClusterView unknown = view(known(1, 1, PROXY), known(2, 1, PROXY), silent);
        assertThat(joined.after(unknown, node(1), ROUND, 5 * SECOND).letGo().isAny())
                .isFalse();
    }

    @Test
    void shouldGiveUp_whenNoClientEverGoesElsewhere() {
        Spread spread = Spread.none().after(tier(1, 1, -1), node(1), ROUND, 0);
        long rounds = 0;
        for (int look = 1; look < 1_000; look++) {
            spread = spread.after(tier(1, 1, 0), node(1), ROUND, look * LOOK);
            rounds = Math.max(rounds, spread.letGo().round());
        }
        assertThat(rounds).as("twice as many as there are proxies, and four").isEqualTo(10);
        assertThat(spread.letGo().isAny()).isFalse();
    }

    /** What it says of itself is still of the tier that it came from. */
    @Test
    void shouldLetNothingGo_whenTheOwnNodeHasOnlyJustJoined() {
        Spread app = Spread.none().after(tier(-1, 0.3, 0.3), node(1), ROUND, 0);
        Spread joined = app.after(tier(0.9, 0.3, 0.3), node(1), ROUND, 5 * SECOND);
        assertThat(joined.letGo()).isEqualTo(LetGo.NONE);
        assertThat(joined.after(tier(0.9, 0.3, 0.3), node(1), ROUND, 6 * SECOND).letGo())
                .as("once it is of its own")
                .isEqualTo(new LetGo(1, 45));
    }

    @Test
    void shouldCountCapacity_whenNodesAreUnequal() {
        Spread spread = Spread.none().after(view(known(1, 1, PROXY), sized(2, 0, APP, 3_000)), node(1), ROUND, 0);
        ClusterView grown = view(known(1, 1, PROXY), sized(2, 0, PROXY, 3_000));
        spread = spread.after(grown, node(1), ROUND, SECOND).after(grown, node(1), ROUND, 3 * SECOND);
        assertThat(spread.letGo().percent()).isEqualTo(75);
    }

    /** Each client sends 30 a second; whoever is let go comes back in turn or at random. */
    @Test
    void shouldSpreadAlmostEvenly_withFewConnectionsClosed() {
        for (boolean isRandom : new boolean[] {false, true}) {
            Clients clients = new Clients(240, 6, isRandom);
            assertThat(clients.secondsUntilSpread()).isLessThan(12);
            assertThat(clients.closed).isLessThan(2 * 240);
            assertThat(Arrays.stream(clients.at).min().orElseThrow()).isGreaterThan(240 / 6 * 7 / 10);
        }
    }

    private static Spread joinedAs(double... utilisations) {
        double[] before = utilisations.clone();
        before[before.length - 1] = -1;
        return Spread.none()
                .after(tier(before), node(1), ROUND, 0)
                .after(tier(utilisations), node(1), ROUND, SECOND)
                .after(tier(utilisations), node(1), ROUND, 3 * SECOND);
    }

    private static final class Clients {
        final int[] at;
        int closed;
        private final int count;
        private final boolean isRandom;
        private final SplittableRandom random = new SplittableRandom(1);
        private int turn;

        Clients(int count, int proxies, boolean isRandom) {
            this.count = count;
            this.isRandom = isRandom;
            this.at = new int[proxies];
            for (int client = 0; client < count; client++) {
                at[client % (proxies - 1)]++;
            }
        }

        double secondsUntilSpread() {
            Spread[] agents = new Spread[at.length];
            double[] before = loads();
            before[at.length - 1] = -1;
            for (int agent = 0; agent < at.length; agent++) {
                agents[agent] = Spread.none().after(tier(before), node(agent + 1), ROUND, 0);
            }
            long[] rounds = new long[at.length];
            for (int look = 1; look < 1_000; look++) {
                double[] loads = loads();
                boolean isAny = false;
                for (int agent = 0; agent < at.length; agent++) {
                    agents[agent] = agents[agent].after(tier(loads), node(agent + 1), ROUND, look * LOOK);
                    LetGo letGo = agents[agent].letGo();
                    isAny |= letGo.isAny();
                    if (letGo.isAny() && letGo.round() != rounds[agent]) {
                        rounds[agent] = letGo.round();
                        letGo(agent, letGo.percent());
                    }
                }
                if (!isAny && look * LOOK > 2 * SECOND) {
                    return look * LOOK / 1e9;
                }
            }
            return Double.POSITIVE_INFINITY;
        }

        private void letGo(int proxy, int percent) {
            int asked = at[proxy];
            for (int connection = 0; connection < asked; connection++) {
                if (random.nextInt(100) < percent) {
                    closed++;
                    at[proxy]--;
                    at[isRandom ? random.nextInt(at.length) : turn++ % at.length]++;
                }
            }
        }

        private double[] loads() {
            return IntStream.of(at)
                    .mapToDouble(clients -> Math.min(1, clients * 0.8 * at.length / count))
                    .toArray();
        }
    }

    /** Proxies from 1 on with these utilisations; below 0 for a node that is an app. */
    private static ClusterView tier(double... utilisations) {
        List<NodeView> nodes = new ArrayList<>();
        for (int index = 0; index < utilisations.length; index++) {
            double utilisation = utilisations[index];
            nodes.add(known(index + 1, Math.max(0, utilisation), utilisation < 0 ? APP : PROXY));
        }
        return ClusterView.of(nodes);
    }

    private static ClusterView view(NodeView... nodes) {
        return ClusterView.of(List.of(nodes));
    }

    private static NodeView.Known known(int id, double utilisation, Role role) {
        return known(id, utilisation, role, Health.UP);
    }

    private static NodeView.Known known(int id, double utilisation, Role role, Health health) {
        return new NodeView.Known(
                node(id), RoleWord.active(0, 0, role), new LoadRecord(0, health, utilisation, 0, 0, 0, 0, 1_000, 0));
    }

    private static NodeView.Known sized(int id, double utilisation, Role role, double capacity) {
        return new NodeView.Known(
                node(id),
                RoleWord.active(0, 0, role),
                new LoadRecord(0, Health.UP, utilisation, 0, 0, 0, 0, capacity, 0));
    }
}
