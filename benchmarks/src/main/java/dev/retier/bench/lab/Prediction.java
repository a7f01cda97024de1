package dev.retier.bench.lab;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.bench.Stats;
import dev.retier.sim.model.NodeCosts;
import dev.retier.sim.run.Allocation;
import dev.retier.sim.run.Approach;
import dev.retier.sim.run.Outcome;
import dev.retier.sim.run.Setup;
import dev.retier.sim.run.Simulation;
import dev.retier.sim.service.Clients;
import dev.retier.sim.service.Demand;
import dev.retier.sim.service.Workload;
import dev.retier.traces.RequestClass;
import dev.retier.traces.made.BurstPlan;
import dev.retier.traces.made.Catalogue;
import dev.retier.traces.made.GeneratedTrace;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * What the simulator says of a run of the lab: the lab's own cluster file, the very requests, as many clients, and
 * nodes that cost what the rigid splits of the same measurement say.
 *
 * @param rigid with the roles of the file kept
 * @param reconfigured by the agents, with the rules of the file
 */
record Prediction(Outcome rigid, Outcome reconfigured) {
    /** Of 10 % of a processor for 0.95 of the time, in microseconds per second, as in {@code simulator/README.md}. */
    static final double CAPACITY = 95_000;

    /** Of forwarding, where no split tells it: as on seven real httpd nodes. */
    private static final double USUAL_FORWARD = 97;

    private static final double LEAST_FORWARD = 1;
    /** By which apps must be able to do more than was seen, so that the proxies are what held it up. */
    private static final double CLEARLY = 1.1;

    private static final long SEED = 1;

    /** Runs both; {@code staying} clients keep their connections where they are. */
    static Prediction of(ClusterConfig config, NodeCosts costs, Demand demand) {
        Setup setup = Setup.of(config, costs, List.of(demand));
        Allocation first = Allocation.of(config);
        return new Prediction(
                Simulation.run(setup, new Approach.Rigid(first.roles(config))),
                Simulation.run(setup, new Approach.Reconfigured()));
    }

    /** The requests that {@code load --make bursts --objects} makes of these, with all else as usual there. */
    static Demand bursts(int burst, int count, int objects, Clients clients) {
        Catalogue usual = Catalogue.DEFAULT;
        Catalogue catalogue = new Catalogue(objects, usual.zipfExponent(), usual.staticSizes(), usual.dynamicSizes());
        return new Demand(
                Workload.read(
                        GeneratedTrace.alternating(BurstPlan.of(burst, count, RequestClass.STATIC), catalogue, SEED),
                        0,
                        Long.MAX_VALUE),
                clients);
    }

    /**
     * What requests cost the nodes of the lab.
     *
     * @param nodes of the lab
     * @param shares of dynamic requests; the first is 0, the last 1
     * @param rates requests per second by proxies, for each share
     */
    static NodeCosts costs(int nodes, List<Double> shares, Map<Integer, List<Double>> rates) {
        Stats hits = new Stats();
        Stats dynamics = new Stats();
        rates.forEach((proxies, row) -> {
            hits.add(CAPACITY * proxies / row.getFirst());
            dynamics.add(CAPACITY * (nodes - proxies) / row.getLast());
        });
        double hit = hits.median();
        double dynamic = dynamics.median();
        return new NodeCosts(CAPACITY, hit, hit, forward(nodes, shares, rates, dynamic), dynamic);
    }

    /** By the mixes that hold up the proxies where there are fewest of them. */
    private static double forward(int nodes, List<Double> shares, Map<Integer, List<Double>> rates, double dynamic) {
        Map.Entry<Integer, List<Double>> fewest = rates.entrySet().stream()
                .min(Comparator.comparingInt(Map.Entry::getKey))
                .orElseThrow();
        int proxies = fewest.getKey();
        List<Double> row = fewest.getValue();
        double hit = CAPACITY * proxies / row.getFirst();
        Stats forwards = new Stats();
        for (int mix = 1; mix < shares.size() - 1; mix++) {
            double share = shares.get(mix);
            double ofApps = CAPACITY * (nodes - proxies) / (share * dynamic);
            if (ofApps > CLEARLY * row.get(mix)) {
                forwards.add((CAPACITY * proxies / row.get(mix) - (1 - share) * hit) / share);
            }
        }
        return forwards.count() == 0 ? USUAL_FORWARD : Math.max(LEAST_FORWARD, forwards.median());
    }
}
