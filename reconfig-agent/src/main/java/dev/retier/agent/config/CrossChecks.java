package dev.retier.agent.config;

import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;

/** What no single value shows: two nodes with one id, a tier that starts below its minimum. */
final class CrossChecks {
    private CrossChecks() {}

    static void check(Fields fields, List<SiteConfig> sites, List<NodeConfig> nodes) {
        unique(fields, "sites", "id", sites, SiteConfig::id);
        unique(fields, "sites", "name", sites, SiteConfig::name);
        unique(fields, "nodes", "id", nodes, NodeConfig::id);
        unique(fields, "nodes", "name", nodes, NodeConfig::name);
        unique(fields, "nodes", "rdma", nodes, NodeConfig::rdma);
        unique(fields, "nodes", "server.address", nodes, node -> node.server().address());
        unique(fields, "nodes", "server.admin", nodes, node -> node.server().admin());
        unique(fields, "nodes", "server.role-file", nodes, node -> node.server().roleFile());
        unique(
                fields,
                "nodes",
                "agent",
                nodes.stream().filter(node -> node.agentAdmin().port() != 0).toList(),
                NodeConfig::agentAdmin);
    }

    private static <T> void unique(
            Fields fields, String key, String what, List<T> items, Function<T, Object> property) {
        Set<Object> seen = new HashSet<>();
        for (T item : items) {
            Object value = property.apply(item);
            if (!seen.add(value) && !Objects.toString(value).isEmpty()) {
                fields.problem(key, "two items have " + what + " " + value + "; give each its own");
            }
        }
    }
}
