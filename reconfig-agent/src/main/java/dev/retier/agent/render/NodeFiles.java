package dev.retier.agent.render;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.view.ClusterView;
import dev.retier.agent.view.NodeView;
import dev.retier.agent.view.RoleText;
import dev.retier.link.NodeId;
import dev.retier.state.Role;
import dev.retier.state.SiteId;
import dev.retier.state.Tier;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The generated files of one node, for each of its servers. Immutable. */
public final class NodeFiles {
    private final ClusterConfig config;
    private final NodeConfig node;
    /** Of servers that are reloaded; a web-node has none. */
    private final Map<ServerConfig, TemplateFiles> files = new HashMap<>();

    private NodeFiles(ClusterConfig config, NodeConfig node, Function<ServerConfig, Template> templates) {
        this.config = config;
        this.node = node;
        for (ServerConfig server : node.servers()) {
            if (server.kind().isReloaded()) {
                files.put(server, new TemplateFiles(config, node.name(), server, templates.apply(server)));
            }
        }
    }

    /** With these templates of servers that are reloaded. */
    public static NodeFiles of(ClusterConfig config, NodeConfig node, Function<ServerConfig, Template> templates) {
        return new NodeFiles(config, node, templates);
    }

    /** The file that says of a server that it has nothing to do. */
    public Rendering idle(ServerConfig server, long stamp) {
        return file(server, ClusterView.of(List.of()), Shares.EVEN, Role.SPARE, stamp)
                .orElseThrow();
    }

    /**
     * The file that makes the server of {@code role} serve in it.
     *
     * @param stamp its number; see {@code Stamps}
     * @return empty for a proxy without any app node, and for a role that its kind cannot serve: such a file is never
     *     written, the one before stays
     * @throws IllegalArgumentException when the template is wrong; the message says how
     */
    public Optional<Rendering> render(ClusterView view, Role role, long stamp) {
        return render(view, Shares.evenFor(view), role, stamp);
    }

    /**
     * The same while work is not shared evenly: that some app nodes are given less only the file of a web-node can
     * say, and a kind that cannot let connections go keeps them.
     */
    public Optional<Rendering> render(ClusterView view, Shares shares, Role role, long stamp) {
        return node.canServe(role) ? file(node.server(role), view, shares, role, stamp) : Optional.empty();
    }

    private Optional<Rendering> file(ServerConfig server, ClusterView view, Shares shares, Role role, long stamp) {
        TemplateFiles own = files.get(server);
        if (own == null) {
            return RoleFiles.content(config, view, shares, role, stamp);
        }
        return switch (role) {
            case Role.Spare _, Role.Drained _ ->
                Optional.of(
                        own.render(new TemplateFiles.Model(stamp, "spare", null, members(server, shares, Set.of()))));
            case Role.Serving(SiteId site, Tier serving) -> {
                boolean isApp = serving == Tier.APP;
                List<Member> apps = members(server, shares, isApp ? Set.of() : apps(view, site));
                yield !isApp && apps.stream().noneMatch(Member::isIn)
                        ? Optional.empty()
                        : Optional.of(own.render(new TemplateFiles.Model(
                                        stamp, RoleText.tier(role), RoleText.site(site, config), apps))
                                .lettingGo(isApp ? LetGo.NONE : shares.letGo()));
            }
        };
    }

    private Set<String> apps(ClusterView view, SiteId site) {
        return view.serving(Role.serving(site, Tier.APP)).stream()
                .map(NodeView::id)
                .map(id -> config.node(id).name())
                .collect(Collectors.toSet());
    }

    /** Every node that could be an app, for kinds that take them in and out at run time; else those that are. */
    private List<Member> members(ServerConfig server, Shares shares, Set<String> in) {
        boolean isWhole = server.kind().changesMembersAtRunTime();
        // Whatever their roles are: so they are the same before and after a move.
        Map<NodeId, Integer> weights = shares.capacities().weights();
        return config.nodes().stream()
                .filter(other -> !other.id().equals(node.id()))
                .filter(other -> isWhole || in.contains(other.name()))
                .flatMap(other -> other.appAddress().stream()
                        .map(address -> new Member(
                                other.name(),
                                address,
                                in.contains(other.name()),
                                weights.getOrDefault(other.id(), Member.UNKNOWN))))
                .toList();
    }
}
