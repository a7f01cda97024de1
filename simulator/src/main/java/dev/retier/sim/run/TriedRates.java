package dev.retier.sim.run;

import dev.retier.sim.model.NodeCosts;
import dev.retier.sim.model.Split;
import dev.retier.sim.service.Clients;
import dev.retier.sim.service.Demand;
import dev.retier.sim.service.Service;
import dev.retier.sim.service.Workload;
import dev.retier.sim.time.VirtualTime;
import dev.retier.state.Role;
import dev.retier.state.SiteId;
import dev.retier.state.Tier;
import dev.retier.traces.made.BodySizes;
import dev.retier.traces.made.Catalogue;
import dev.retier.traces.made.GeneratedTrace;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a split of equal nodes answers, found by trying: some thousand requests of that mix from clients that ask as
 * fast as they are answered, on the simulated servers, with every object in every cache. It owes nothing to what
 * agents, or {@link NodeCosts}, think of a split. Not thread-safe.
 */
final class TriedRates implements Planner.Rates {
    private static final int REQUESTS = 4_000;
    /** Mixes closer than this are tried once. */
    private static final int MIX_STEPS = 50;

    private static final long SEED = 1;
    private static final SiteId SITE = new SiteId(1);
    private static final int CLIENTS_PER_NODE = 10;
    private static final Catalogue SINGLE = new Catalogue(1, 0, new BodySizes.Fixed(1024), new BodySizes.Fixed(1024));

    private final NodeCosts costs;
    private final int clients;
    private final Map<Try, Double> known = new HashMap<>();
    private final Map<Integer, Demand> demands = new HashMap<>();

    private record Try(Split split, int mix) {}

    private TriedRates(NodeCosts costs, int clients) {
        this.costs = costs;
        this.clients = clients;
    }

    /** Of the servers of {@code setup}, with as many clients as its largest closed load has. */
    static TriedRates of(Setup setup) {
        int own = setup.demands().stream()
                .mapToInt(demand -> demand.clients().count())
                .max()
                .orElse(0);
        return new TriedRates(
                setup.costs(),
                own > 0 ? own : CLIENTS_PER_NODE * setup.config().nodes().size());
    }

    @Override
    public double perSecond(Split split, double dynamicShare) {
        int mix = (int) Math.round(dynamicShare * MIX_STEPS);
        return known.computeIfAbsent(new Try(split, mix), this::answered);
    }

    private double answered(Try asked) {
        int nodes = asked.split.proxies() + asked.split.apps();
        VirtualTime time = new VirtualTime();
        Service service = new Service(
                time,
                new Service.Parts(
                        costs,
                        Collections.nCopies(nodes, costs.capacityPerSecond()),
                        1,
                        List.of(demands.computeIfAbsent(asked.mix, this::demand)),
                        Simulation.SERVICE_HOP_NANOS));
        for (int node = 0; node < nodes; node++) {
            service.station(node).warm();
        }
        List<Role> roles = new ArrayList<>(Collections.nCopies(asked.split.proxies(), Role.serving(SITE, Tier.PROXY)));
        roles.addAll(Collections.nCopies(asked.split.apps(), Role.serving(SITE, Tier.APP)));
        Simulation.assign(List.of(SITE), service, roles);
        service.beginAt(0);
        while (!service.isOver() && time.step(Long.MAX_VALUE, service::on)) {
            // Each step is one event.
        }
        return service.ledger(0).perSecond();
    }

    private Demand demand(int mix) {
        return new Demand(
                Workload.read(
                        GeneratedTrace.mixed(REQUESTS, (double) mix / MIX_STEPS, SINGLE, SEED), 0, Long.MAX_VALUE),
                Clients.closed(clients));
    }
}
