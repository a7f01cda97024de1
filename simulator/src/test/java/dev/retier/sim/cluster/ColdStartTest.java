package dev.retier.sim.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.decide.MoveReason;
import dev.retier.sim.run.Shops;
import dev.retier.sim.service.Service;
import dev.retier.sim.time.VirtualTime;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Two proxies and the only app of a site, whose server is not up yet when the agents start; nearly nobody asks. */
class ColdStartTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int APP = 2;

    private final VirtualTime time = new VirtualTime();
    private final Service service = new Service(
            time,
            new Service.Parts(
                    Shops.HTTPD,
                    Collections.nCopies(3, Shops.HTTPD.capacityPerSecond()),
                    1,
                    List.of(Shops.mix(100, 0, 1)),
                    100_000));
    private final Cluster cluster =
            new Cluster(time, Shops.cluster(2, 1), service, new Cluster.Settings(Delays.MEASURED, 0, 1));

    private void run(long untilSeconds) {
        while (time.step(untilSeconds * SECOND, service::on)) {}
    }

    private void start() {
        cluster.crashServer(APP);
        cluster.startAgents();
    }

    @Test
    void shouldMoveNobody_whileAServerStarts() {
        start();
        run(25);
        cluster.restartServer(APP);
        run(60);

        assertThat(cluster.chronicle().moves()).isEmpty();
    }

    @Test
    void shouldMakeUpForTheServer_whenItDoesNotComeInTime() {
        start();
        run(30);
        assertThat(cluster.chronicle().moves()).isEmpty();
        run(35);

        assertThat(cluster.chronicle().moves()).hasSize(1);
        assertThat(cluster.chronicle().moves().getFirst().reason()).isEqualTo(MoveReason.BELOW_MINIMUM);
    }

    @Test
    void shouldMakeUpForTheServer_whenItIsLostAfterItsStart() {
        start();
        cluster.restartServer(APP);
        run(5);
        cluster.crashServer(APP);
        run(10);

        assertThat(cluster.chronicle().moves()).hasSize(1);
    }
}
