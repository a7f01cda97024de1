package dev.retier.sim.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.sim.run.Shops;
import dev.retier.sim.service.Service;
import dev.retier.sim.time.VirtualTime;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Dynamic requests alone saturate three apps of seven nodes, so that their agents get no time; four proxies idle. */
class DrowningTest {
    private static final long SECOND = 1_000_000_000L;
    private static final ClusterConfig SEVEN = Shops.cluster(4, 3);

    private final VirtualTime time = new VirtualTime();
    private final Service service = new Service(
            time,
            new Service.Parts(
                    Shops.HTTPD,
                    Collections.nCopies(7, Shops.HTTPD.capacityPerSecond()),
                    1,
                    List.of(Shops.mix(20_000, 1, 48)),
                    100_000));
    private final Cluster cluster = new Cluster(time, SEVEN, service, new Cluster.Settings(Delays.MEASURED, 0, 1));

    private void run(long untilMillis) {
        while (time.step(untilMillis * 1_000_000, service::on)) {}
    }

    private void drown(boolean isConnected) {
        service.beginAt(3 * SECOND);
        cluster.startAgents();
        run(3_900);
        assertThat(cluster.chronicle().moves()).as("not pressed for T yet").isEmpty();
        for (int app = 4; app < 7; app++) {
            cluster.pause(app, 60 * SECOND);
            for (int other = 0; other < 7 && !isConnected; other++) {
                cluster.cut(app, other, true);
                cluster.cut(other, app, true);
            }
        }
    }

    @Test
    void shouldGiveNodesToThoseThatDrown_whileTheyAreLate() {
        drown(true);
        run(14_000);

        assertThat(cluster.chronicle().moves()).isNotEmpty().allMatch(MoveSeen::isComplete);
    }

    @Test
    void shouldMoveNothing_whenTheyCannotBeReached() {
        drown(false);
        run(20_000);

        assertThat(cluster.chronicle().moves()).isEmpty();
        assertThat(cluster.reasons()).containsKey("TOO_MUCH_UNKNOWN");
    }
}
