package dev.retier.agent.config;

import dev.retier.config.Fields;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What no single value shows: two nodes with one id, a tier that starts below its minimum. */
final class CrossChecks {
    private CrossChecks() {}

    static void check(Fields fields, List<SiteConfig> sites, List<NodeConfig> nodes, List<EdgeConfig> edges) {
        unique(fields, "sites", "id", sites, SiteConfig::id);
        unique(fields, "sites", "name", sites, SiteConfig::name);
        unique(
                fields,
                "sites",
                "but for . - and _ name",
                sites.stream().distinct().toList(),
                site -> site.name().replaceAll("[._-]", "_"));
        unique(fields, "nodes", "id", nodes, NodeConfig::id);
        unique(fields, "nodes", "name", nodes, NodeConfig::name);
        unique(fields, "nodes", "rdma", nodes, NodeConfig::rdma);
        unique(fields, "nodes", "server.address", nodes, node -> node.server().address());
        unique(
                fields,
                "nodes",
                "server.admin",
                nodes,
                node -> there(node, node.server().admin()));
        unique(
                fields,
                "nodes",
                "server.role-file",
                nodes,
                node -> there(node, node.server().roleFile()));
        unique(fields, "edges", "name", edges, EdgeConfig::name);
        unique(
                fields,
                "nodes",
                "agent",
                nodes.stream().filter(node -> node.agentAdmin().port() != 0).toList(),
                node -> there(node, node.agentAdmin()));
        for (NodeConfig node : nodes) {
            if (!node.server().kind().canServe(node.initialRole())) {
                String kind = node.server().kind().word();
                fields.problem(
                        "nodes", node.name() + " cannot be an app, as its server is " + kind + "; make it a proxy");
            }
        }
    }

    /** Each machine has its own files and loopback addresses; a machine is known by where its server is reached. */
    private static List<Object> there(NodeConfig node, Object what) {
        return List.of(what, "on " + node.server().address().host());
    }

    private static <T> void unique(
            Fields fields, String key, String what, List<T> items, Function<T, Object> property) {
        Set<Object> seen = new HashSet<>();
        for (T item : items) {
            Object value = property.apply(item);
            if (!seen.add(value) && !Objects.toString(value).isEmpty()) {
                fields.problem(key, "two items have " + what + " " + text(value) + "; give each its own");
            }
        }
    }

    private static String text(Object value) {
        return value instanceof List<?> parts
                ? parts.stream().map(Objects::toString).collect(Collectors.joining(" "))
                : Objects.toString(value);
    }
}
