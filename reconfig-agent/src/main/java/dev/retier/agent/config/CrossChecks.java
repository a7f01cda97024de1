package dev.retier.agent.config;

import dev.retier.config.Fields;
import dev.retier.state.Role;
import dev.retier.state.Tier;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What no single value shows: two nodes with one id, a tier that starts below its minimum. */
final class CrossChecks {
    private CrossChecks() {}

    static void check(Fields fields, List<SiteConfig> sites, List<NodeConfig> nodes, List<EdgeConfig> edges) {
        unique(fields, "sites", "id", sites, SiteConfig::id);
        unique(fields, "sites", "name", sites, SiteConfig::name);
        unique(fields, "nodes", "id", nodes, NodeConfig::id);
        unique(fields, "nodes", "name", nodes, NodeConfig::name);
        unique(fields, "nodes", "rdma", nodes, NodeConfig::rdma);
        List<Placed> servers = nodes.stream()
                .flatMap(node -> node.servers().stream().map(server -> new Placed(node, server)))
                .toList();
        unique(fields, "nodes", "server.address", servers, one -> one.server.address());
        unique(fields, "nodes", "server.admin", servers, one -> there(one.node, one.server.admin()));
        unique(fields, "nodes", "server.role-file", servers, one -> there(one.node, one.server.roleFile()));
        unique(fields, "edges", "name", edges, EdgeConfig::name);
        agents(fields, nodes);
        if (nodes.size() > 1) {
            servers.forEach(one -> reachedByOthers(fields, one));
        }
        for (EdgeConfig edge : edges) {
            shared(fields, sites, edge, edges);
            Optional.ofNullable(edge.server())
                    .ifPresent(server -> stopped(fields, "edges", edge.name(), server, false));
        }
        for (NodeConfig node : nodes) {
            if (node.initialRole() instanceof Role.Serving(var _, Tier tier) && !node.canServe(node.initialRole())) {
                fields.problem("nodes", cannot(node, node.server(node.initialRole()), tier));
            }
            for (ServerConfig server : node.servers()) {
                stopped(fields, "nodes", node.name(), server, node.appServer() != null);
            }
            ServerConfig app = node.appServer();
            if (app != null && !node.server().kind().tiers().contains(Tier.PROXY)) {
                fields.problem(
                        "nodes",
                        "server of " + node.name() + " is "
                                + node.server().kind().word()
                                + ", which cannot be a proxy; make it the app-server, and haproxy, httpd or nginx the"
                                + " server");
            } else if (app != null && !node.server().tiers().contains(Tier.PROXY)) {
                fields.problem(
                        "nodes",
                        "the server of " + node.name() + " may be no proxy, and its app-server is the app; leave one"
                                + " of them out");
            } else if (app != null && app.kind() == node.server().kind()) {
                fields.problem(
                        "nodes",
                        "both servers of " + node.name() + " are " + app.kind().word()
                                + ": one of that kind is proxy and app by itself; leave app-server out");
            }
            if (app != null && !app.canBeApp()) {
                fields.problem(
                        "nodes",
                        "the app-server of " + node.name() + " is " + app.kind().word()
                                + (app.kind().tiers().contains(Tier.APP)
                                        ? ", whose tiers leave out app; write tiers: [app]"
                                        : ", which cannot be an app; use httpd, nginx, web-node or other"));
            }
        }
    }

    private static void reachedByOthers(Fields fields, Placed one) {
        String host = one.server.address().host();
        if (Literals.isLocal(host)
                && !Literals.isAny(host) // refused where it stands
                && !Literals.isLocal(one.node.rdma().host())) {
            fields.problem(
                    "nodes",
                    "server.address " + one.server.address() + " of " + one.node.name()
                            + " is a loopback address, at which other nodes reach themselves; write the one by"
                            + " which they reach this node, as in rdma");
        }
    }

    private static void agents(Fields fields, List<NodeConfig> nodes) {
        List<NodeConfig> chosen =
                nodes.stream().filter(node -> node.agentAdmin().port() != 0).toList();
        unique(
                fields,
                "nodes",
                "agent",
                chosen,
                node -> Literals.isLocal(node.agentAdmin().host())
                        ? there(node, node.agentAdmin())
                        : node.agentAdmin());
    }

    private static String cannot(NodeConfig node, ServerConfig server, Tier tier) {
        String kind = server.kind().word();
        if (server.kind().tiers().contains(tier)) {
            return node.name() + " cannot be " + (tier == Tier.APP ? "an app" : "a proxy")
                    + ", as the tiers of its server leave that out; give it another role, or write it into tiers";
        }
        return tier == Tier.APP
                ? node.name() + " cannot be an app, as its server is " + kind
                        + "; make it a proxy, or give it an app-server"
                : node.name() + " cannot be a proxy, as nobody knows how a server of kind " + kind
                        + " forwards; make it an app, or make that its app-server, and haproxy, httpd or nginx its"
                        + " server";
    }

    /** Edges that are one server are told apart by the paths and variables by which each tells its file. */
    private static void shared(Fields fields, List<SiteConfig> sites, EdgeConfig edge, List<EdgeConfig> all) {
        for (EdgeConfig other : all) {
            boolean isOnce = edge.name().compareTo(other.name()) < 0;
            if (isOnce && edge.hasFileOf(other) && !edge.site().equals(other.site())) {
                fields.problem(
                        "edges",
                        edge.name() + " and " + other.name() + " are of one machine and have the same file: give each"
                                + " its own, as each site has a list of its own");
            }
            if (!isOnce || !edge.sharesServer(other) || edge.server() == null || other.server() == null) {
                continue;
            }
            boolean isSamePage = edge.server().admin().equals(other.server().admin())
                    && edge.server()
                            .controlled()
                            .statusPath()
                            .equals(other.server().controlled().statusPath());
            if (isSamePage) {
                fields.problem(
                        "edges",
                        edge.name() + " and " + other.name()
                                + " are one server and have the same status-path: give each its own, such as"
                                + " /.retier/status/" + name(sites, edge));
            }
            if (name(sites, edge).equals(name(sites, other))) {
                fields.problem(
                        "edges",
                        edge.name() + " and " + other.name()
                                + " are one server and cannot be told apart by the names of their sites: let these"
                                + " differ in more than case and . _ -");
            }
        }
    }

    private static String name(List<SiteConfig> sites, EdgeConfig edge) {
        return sites.stream()
                .filter(site -> site.id().equals(edge.site()))
                .map(site -> site.name().replaceAll("[._-]", "_").toLowerCase(Locale.ROOT))
                .findFirst()
                .orElse("");
    }

    private static void stopped(Fields fields, String key, String name, ServerConfig server, boolean isOneOfTwo) {
        ServerControl control = server.control();
        if (control == null || !control.commands().isStopped()) {
            return;
        }
        if (!isOneOfTwo) {
            fields.problem(
                    key,
                    name + " has a command stop, but its server always has something to do: only of two servers one"
                            + " rests; leave stop out, or give it an app-server");
        } else if (control.commands().restart().isEmpty()) {
            fields.problem(key, name + " has a command stop and none that starts the server again: give it restart");
        }
    }

    /** A server of a node. */
    private record Placed(NodeConfig node, ServerConfig server) {}

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
