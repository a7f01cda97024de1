package dev.retier.sim.run;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.sim.run.Planner.Need;
import dev.retier.sim.service.Service;
import dev.retier.state.Role;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Gives each stretch of requests the roles that are best for it, at once. Not thread-safe. */
final class OracleDriver implements Service.Listener {
    private final ClusterConfig config;
    private final Service service;
    private final Planner planner;
    private final List<Pieces> pieces;
    private final List<Need> needs;
    private List<Role> present = List.of();
    private int changes;

    OracleDriver(Setup setup, Service service) {
        this.config = setup.config();
        this.service = service;
        this.planner = new Planner(config, setup.costs());
        this.pieces = setup.demands().stream().map(Pieces::new).toList();
        this.needs = new ArrayList<>(Collections.nCopies(config.sites().size(), Need.NOTHING));
        for (int node = 0; node < config.nodes().size(); node++) {
            service.station(node).warm();
        }
        pieces.forEach(this::take);
        adopt();
    }

    /** How often roles were changed. */
    int changes() {
        return changes;
    }

    @Override
    public void sending(int demand, int index) {
        Pieces asked = pieces.get(demand);
        if (asked.isNew(index)) {
            take(asked);
            adopt();
        }
    }

    /** One load on several sites in turn asks one of them at a time. */
    private void take(Pieces asked) {
        if (pieces.size() == 1) {
            Collections.fill(needs, Need.NOTHING);
        }
        needs.set(asked.current().site(), asked.need(asked.current()));
    }

    private void adopt() {
        List<Role> roles = planner.best(List.copyOf(needs)).roles(config);
        if (!roles.equals(present)) {
            present = roles;
            changes++;
            Simulation.assign(config, service, roles);
        }
    }
}
