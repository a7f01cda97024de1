package dev.retier.sim.run;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.link.NodeId;
import dev.retier.sim.cluster.Cluster;
import dev.retier.sim.cluster.Delays;
import dev.retier.sim.model.NodeCosts;
import dev.retier.sim.service.Demand;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What is simulated.
 *
 * @param config the cluster file
 * @param costs what a request costs a node
 * @param factors capacity of single nodes, as a multiple of that in {@code costs}; 1 for those that are missing
 * @param demands who asks for what; at least one
 * @param settings of the agents' surroundings
 * @param interval over which a guarantee is judged; a multiple of 100 ms
 * @param limit of virtual time
 */
public record Setup(
        ClusterConfig config,
        NodeCosts costs,
        Map<NodeId, Double> factors,
        List<Demand> demands,
        Cluster.Settings settings,
        Duration interval,
        Duration limit) {
    private static final Duration DAY = Duration.ofHours(24);

    /** Copies the collections; refuses what cannot run. */
    public Setup {
        factors = Map.copyOf(factors);
        demands = List.copyOf(demands);
        if (demands.isEmpty()) {
            throw new IllegalArgumentException("nobody asks for anything");
        }
        if (!interval.isPositive() || interval.toMillis() % 100 != 0) {
            throw new IllegalArgumentException("interval " + interval + " is not a multiple of 100 ms");
        }
    }

    /** Equal nodes, with the delays that were measured, judged by the second. */
    public static Setup of(ClusterConfig config, NodeCosts costs, List<Demand> demands) {
        return new Setup(
                config,
                costs,
                Map.of(),
                demands,
                new Cluster.Settings(Delays.MEASURED, 0, 1),
                Duration.ofSeconds(1),
                DAY);
    }

    /** The same cluster and load, configured otherwise. */
    public Setup with(ClusterConfig other) {
        return new Setup(other, costs, factors, demands, settings, interval, limit);
    }

    /** The same with other surroundings. */
    public Setup with(Cluster.Settings other) {
        return new Setup(config, costs, factors, demands, other, interval, limit);
    }

    /** The same judged over another interval. */
    public Setup withInterval(Duration other) {
        return new Setup(config, costs, factors, demands, settings, other, limit);
    }

    List<Double> unitsPerSecond() {
        return config.nodes().stream()
                .map(node -> costs.capacityPerSecond() * factors.getOrDefault(node.id(), 1.0))
                .toList();
    }
}
