package dev.retier.sim.model;

import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** How many nodes each tier has. Each tier has at least one. */
public record Split(int proxies, int apps) {
    /** Refuses an empty tier with {@link IllegalArgumentException}. */
    public Split {
        if (proxies < 1 || apps < 1) {
            throw new IllegalArgumentException(proxies + " proxies and " + apps + " apps: each tier needs a node");
        }
    }

    /** A stretch of requests of one mix, such as a burst. */
    public record Stretch(long requests, double dynamicShare) {}

    /** All splits of {@code nodes} nodes, at least 2, the one with the fewest proxies first. */
    public static Stream<Split> of(int nodes) {
        return IntStream.range(1, nodes).mapToObj(proxies -> new Split(proxies, nodes - proxies));
    }

    /** Seconds in which this split, never changed, answers the stretches one after the other. */
    public double seconds(NodeCosts costs, List<Stretch> stretches) {
        return stretches.stream()
                .mapToDouble(
                        stretch -> (double) stretch.requests() / costs.requestsPerSecond(this, stretch.dynamicShare()))
                .sum();
    }

    /** The split that answers the stretches soonest when it is never changed: the best rigid one. */
    public static Split bestRigid(int nodes, NodeCosts costs, List<Stretch> stretches) {
        return of(nodes)
                .min(Comparator.comparingDouble(split -> split.seconds(costs, stretches)))
                .orElseThrow(() -> new IllegalArgumentException(nodes + " nodes cannot be split into two tiers"));
    }

    /** Seconds that the best split for each stretch would need if changing it cost nothing: the lower bound. */
    public static double oracleSeconds(int nodes, NodeCosts costs, List<Stretch> stretches) {
        return stretches.stream()
                .mapToDouble(
                        stretch -> bestRigid(nodes, costs, List.of(stretch)).seconds(costs, List.of(stretch)))
                .sum();
    }
}
