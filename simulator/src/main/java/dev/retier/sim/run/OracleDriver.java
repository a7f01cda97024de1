package dev.retier.sim.run;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.sim.service.Service;
import dev.retier.state.Role;
import java.util.List;

/** Gives each stretch of requests the roles that are best for it, at once. Not thread-safe. */
final class OracleDriver implements Service.Listener {
    private final ClusterConfig config;
    private final Service service;
    private final Planner planner;
    private final NeedsSeen needs;
    private List<Role> present = List.of();

    OracleDriver(Setup setup, Service service) {
        this.config = setup.config();
        this.service = service;
        this.planner = new Planner(config, TriedRates.of(setup));
        this.needs = new NeedsSeen(setup.demands(), config.sites().size());
        for (int node = 0; node < config.nodes().size(); node++) {
            service.station(node).warm();
        }
        adopt();
    }

    @Override
    public void sending(int demand, int index) {
        if (needs.isNew(demand, index)) {
            adopt();
        }
    }

    private void adopt() {
        List<Role> roles = planner.best(needs.now()).roles(config);
        if (!roles.equals(present)) {
            present = roles;
            Simulation.assign(config, service, roles);
        }
    }
}
