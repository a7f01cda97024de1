package dev.retier.sim.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.sim.run.Shops;
import dev.retier.sim.service.Demand;
import dev.retier.sim.service.Service;
import dev.retier.sim.time.VirtualTime;
import java.util.List;
import org.junit.jupiter.api.Test;

class SamplingTest {
    private static final int NODES = 24;
    private static final int SAMPLED = 4;
    private static final long BEGIN_NANOS = 3_000_000_000L;
    private static final ClusterConfig CLUSTER = Shops.cluster(NODES / 2, NODES / 2);

    private final VirtualTime time = new VirtualTime();
    private Service service = service(Shops.mix(1, 0.2, 1));

    private Cluster start(Looks looks, Demand demand) {
        service = service(demand);
        service.beginAt(BEGIN_NANOS);
        Cluster cluster = new Cluster(time, CLUSTER, service, new Cluster.Settings(Delays.MEASURED, 0, 1, looks));
        cluster.startAgents();
        return cluster;
    }

    private Service service(Demand demand) {
        List<Double> capacities = CLUSTER.nodes().stream()
                .map(_ -> Shops.HTTPD.capacityPerSecond())
                .toList();
        return new Service(time, new Service.Parts(Shops.HTTPD, capacities, 1, List.of(demand), 100_000));
    }

    private void advance(long secondsOfLoad) {
        boolean isMore = true;
        while (isMore) {
            isMore = time.step(BEGIN_NANOS + secondsOfLoad * 1_000_000_000L, service::on);
        }
    }

    private Cluster run(Looks looks, Demand demand, long seconds) {
        Cluster cluster = start(looks, demand);
        advance(seconds);
        return cluster;
    }

    @Test
    void shouldReadItsSampleAndTheWitness_whileAllIsCalm() {
        Traffic traffic =
                run(new Looks(SAMPLED, 0), Shops.mix(4_000, 0.2, 4), 10).traffic();

        double slotsPerLook = (double) traffic.slotReads() / traffic.looks();
        assertThat(slotsPerLook).isBetween((double) SAMPLED, SAMPLED + 2.0);
    }

    @Test
    void shouldReadAll_whenLooksAreNotSampled() {
        Traffic traffic = run(Looks.ALL, Shops.mix(4_000, 0.2, 4), 10).traffic();

        assertThat(traffic.slotReads()).isEqualTo((NODES - 1) * traffic.looks());
    }

    @Test
    void shouldMeetAChangedLoadAsWell_whenLooksAreSampled() {
        Demand changed = Shops.mix(60_000, 0.5, 8 * NODES);

        int all = moved(run(Looks.ALL, changed, 20));
        int sampled = moved(new SamplingTest().run(new Looks(SAMPLED, 0), changed, 20));

        assertThat(all).isGreaterThan(4);
        assertThat(sampled).isBetween(all - 1, all + 1);
    }

    private static int moved(Cluster cluster) {
        return (int) cluster.chronicle().moves().stream()
                .filter(MoveSeen::isComplete)
                .count();
    }

    @Test
    void shouldLeaveOutAMachineThatDies_whenNobodySampledItAtOnce() {
        int dead = NODES - 1;
        Demand demand = Shops.mix(20_000, 0.2, 4);
        Cluster cluster = run(new Looks(SAMPLED, 0), demand, 5);

        cluster.crash(dead, true);
        advance(15);

        assertThat(cluster.node(0).station.plan().apps()).hasSize(NODES / 2 - 1).doesNotContain(dead);
    }
}
