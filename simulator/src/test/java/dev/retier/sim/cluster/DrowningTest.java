package dev.retier.sim.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.sim.run.Shops;
import dev.retier.sim.service.Service;
import dev.retier.sim.time.VirtualTime;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One kind of requests alone saturates a tier of seven nodes, so that its agents get no time; the other tier idles. */
class DrowningTest {
    private static final long SECOND = 1_000_000_000L;

    private final VirtualTime time = new VirtualTime();
    private Service service = service(1);
    private Cluster cluster = cluster(4);

    private Service service(double dynamicShare) {
        return new Service(
                time,
                new Service.Parts(
                        Shops.HTTPD,
                        Collections.nCopies(7, Shops.HTTPD.capacityPerSecond()),
                        1,
                        List.of(Shops.mix(20_000, dynamicShare, 48)),
                        100_000));
    }

    private Cluster cluster(int proxies) {
        return new Cluster(
                time, Shops.cluster(proxies, 7 - proxies), service, new Cluster.Settings(Delays.MEASURED, 0, 1));
    }

    private void run(long untilMillis) {
        while (time.step(untilMillis * 1_000_000, service::on)) {}
    }

    private void untilSaturated() {
        service.beginAt(3 * SECOND);
        cluster.startAgents();
        run(3_900);
        assertThat(cluster.chronicle().moves()).as("not pressed for T yet").isEmpty();
    }

    private void drown(boolean isConnected) {
        untilSaturated();
        for (int app = 4; app < 7; app++) {
            cluster.pause(app, 60 * SECOND);
            for (int other = 0; other < 7 && !isConnected; other++) {
                cluster.cut(app, other, true);
                cluster.cut(other, app, true);
            }
        }
    }

    /** They prove late, and within the deadline, that they leave a node out, and the order stands already. */
    @Test
    void shouldGiveNodesToProxiesThatDrown_whileTheyAreLate() {
        service = service(0);
        cluster = cluster(2);
        untilSaturated();
        cluster.pause(0, 7 * SECOND);
        cluster.pause(1, 7 * SECOND);
        run(25_000);

        assertThat(cluster.chronicle().moves()).isNotEmpty().allMatch(MoveSeen::isComplete);
        assertThat(cluster.chronicle().moves().getFirst().orderedSeconds())
                .as("before they go on, which is 4 s after the clients began")
                .isLessThan(4);
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
