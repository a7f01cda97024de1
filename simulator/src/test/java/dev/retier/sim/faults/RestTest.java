package dev.retier.sim.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.sim.cluster.Cluster;
import dev.retier.sim.cluster.Delays;
import dev.retier.sim.run.Shops;
import dev.retier.sim.service.Plan;
import dev.retier.sim.service.Service;
import dev.retier.sim.time.VirtualTime;
import dev.retier.state.Role;
import dev.retier.state.Tier;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Clusters without agents, so nothing is put right. */
class RestTest {
    private static final long SECOND = 1_000_000_000L;

    private final VirtualTime time = new VirtualTime();

    private Service service() {
        return new Service(
                time,
                new Service.Parts(
                        Shops.HTTPD,
                        Collections.nCopies(7, Shops.HTTPD.capacityPerSecond()),
                        1,
                        List.of(Shops.mix(100_000, 0, 48)),
                        0));
    }

    private Rest judged(ClusterConfig config, Service service) {
        Cluster cluster = new Cluster(time, config, service, new Cluster.Settings(Delays.MEASURED, 0, 1));
        service.beginAt(0);
        while (time.step(SECOND, service::on)) {}
        return new Rest(config, cluster, service);
    }

    @Test
    void shouldFindAServerThatDoesNotRunItsRole_orHasOtherMembers() {
        Service service = service();
        Rest rest = judged(Shops.cluster(2, 5), service);

        assertThat(rest.disorder()).isEmpty();
        service.station(0).run(new Plan(1, role(Tier.PROXY), List.of(2)));
        assertThat(rest.disorder().orElse("nothing")).contains("node-1 forwards to [2] instead of [2, 3, 4, 5, 6]");
        service.station(0).run(new Plan(1, role(Tier.APP), List.of()));
        assertThat(rest.disorder().orElse("nothing")).contains("is site-1/proxy and runs site-1/app");
        service.station(0).crash();
        assertThat(rest.disorder().orElse("nothing")).contains("not at rest");
    }

    private static Role role(Tier tier) {
        return Role.serving(Shops.SHOP, tier);
    }
}
