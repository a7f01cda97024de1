package dev.retier.sim.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.sim.model.NodeCosts;
import dev.retier.sim.run.Shops;
import dev.retier.sim.service.Service;
import dev.retier.sim.time.VirtualTime;
import dev.retier.state.Role;
import dev.retier.state.Tier;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two of seven nodes cannot move, of two proxies and five apps that are asked for static requests alone, by the shipped
 * defaults: the others must find their best split as if the two were not asked, and nothing may ever freeze.
 */
class BadNodesTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int NODES = 7;
    private static final int[] BAD = {2, 3};
    /** Nodes of a twentieth of the usual speed: an hour of them is soon simulated. */
    private static final NodeCosts SLOW = new NodeCosts(4_750, 363, 363, 97, 1570);

    private final VirtualTime time = new VirtualTime();
    private final Service service = new Service(
            time,
            new Service.Parts(
                    SLOW,
                    Collections.nCopies(NODES, SLOW.capacityPerSecond()),
                    1,
                    List.of(Shops.mix(400_000, 0, 48)),
                    100_000));
    private final Cluster cluster =
            new Cluster(time, Shops.cluster(2, 5), service, new Cluster.Settings(Delays.MEASURED, 0, 1));

    private void run(long untilSeconds) {
        while (time.step(untilSeconds * SECOND, service::on)) {}
    }

    private double secondsUntil(int proxies) {
        Role proxy = Role.serving(Shops.SHOP, Tier.PROXY);
        while (IntStream.range(0, NODES)
                        .filter(node -> cluster.word(node).serves(proxy))
                        .count()
                < proxies) {
            assertThat(time.step(120 * SECOND, service::on))
                    .as("has so many proxies in time")
                    .isTrue();
        }
        return time.nowNanos() / 1e9;
    }

    private double healthySeconds() {
        return new BadNodesTest().begun().secondsUntil(6);
    }

    private BadNodesTest begun() {
        service.beginAt(0);
        cluster.startAgents();
        return this;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldSplitTheRestAndNeverFreeze_whenTwoOfSevenCannotMove(boolean isRefusing) {
        double healthy = healthySeconds();
        for (int node : BAD) {
            cluster.trouble(node).refuse(isRefusing);
            cluster.trouble(node).ignoreFiles(!isRefusing);
        }
        begun();

        assertThat(secondsUntil(5)).isLessThan(3 * healthy);
        run(3_600);

        assertThat(cluster.chronicle().moves().stream().filter(move -> move.undone() != null))
                .hasSizeBetween(2, 10);
        int toAndFro = 2; // as in ClusterTest, while caches are cold
        assertThat(cluster.chronicle().moves()).hasSizeLessThanOrEqualTo(3 + toAndFro + 10);
        assertThat(cluster.reasons()).containsKey("NODE_RESTS").doesNotContainKey("MOVE_BUDGET_SPENT");
    }
}
