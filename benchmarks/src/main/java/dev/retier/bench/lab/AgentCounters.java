package dev.retier.bench.lab;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the lab's agents have counted of their looks over a time, all together, by their metrics. */
final class AgentCounters {
    private static final Pattern BUCKET =
            Pattern.compile("retier_look_duration_seconds_bucket\\{le=\"([0-9.]+|\\+Inf)\"\\} ([0-9.E]+)");
    private static final Pattern SEEN = Pattern.compile("retier_nodes_seen_total\\{state=\"([a-z]+)\"\\} ([0-9.E]+)");
    private static final double MILLIS_PER_SECOND = 1_000;

    private final TreeMap<Double, Double> looks = new TreeMap<>();
    private final Map<String, Double> states = new HashMap<>();

    /** Nothing yet. */
    AgentCounters() {}

    /** All that they have counted since they began. */
    static AgentCounters read(int nodes) throws IOException, InterruptedException {
        AgentCounters all = new AgentCounters();
        for (int node = 1; node <= nodes; node++) {
            all.add(LabRuns.metrics(node));
        }
        return all;
    }

    private void add(String text) {
        for (Matcher match = BUCKET.matcher(text); match.find(); ) {
            double bound =
                    match.group(1).startsWith("+") ? Double.POSITIVE_INFINITY : Double.parseDouble(match.group(1));
            looks.merge(bound, Double.parseDouble(match.group(2)), Double::sum);
        }
        for (Matcher match = SEEN.matcher(text); match.find(); ) {
            states.merge(match.group(1), Double.parseDouble(match.group(2)), Double::sum);
        }
    }

    /** What they have counted since {@code earlier}. */
    AgentCounters since(AgentCounters earlier) {
        AgentCounters since = new AgentCounters();
        looks.forEach((bound, count) -> since.looks.put(bound, count - earlier.looks.getOrDefault(bound, 0.0)));
        states.forEach((state, count) -> since.states.put(state, count - earlier.states.getOrDefault(state, 0.0)));
        return since;
    }

    /** With those of another time. */
    void add(AgentCounters more) {
        more.looks.forEach((bound, count) -> looks.merge(bound, count, Double::sum));
        more.states.forEach((state, count) -> states.merge(state, count, Double::sum));
    }

    /** How many looks. */
    double looks() {
        return looks.isEmpty() ? 0 : looks.lastEntry().getValue();
    }

    /** The upper bound of the bucket in which that quantile of the looks is, in milliseconds. */
    double lookMillis(double quantile) {
        double wanted = quantile * looks();
        return looks.entrySet().stream()
                .filter(bucket -> bucket.getValue() >= wanted)
                .mapToDouble(bucket -> bucket.getKey() * MILLIS_PER_SECOND)
                .findFirst()
                .orElse(Double.NaN);
    }

    /** The share of the nodes in all looks that were in that state, in [0,1]. */
    double share(String state) {
        double all = states.values().stream().mapToDouble(Double::doubleValue).sum();
        return all == 0 ? Double.NaN : states.getOrDefault(state, 0.0) / all;
    }
}
