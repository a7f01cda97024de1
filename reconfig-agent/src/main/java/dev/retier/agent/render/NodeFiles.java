package dev.retier.agent.render;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.config.ServerKind;
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
import java.util.stream.Collectors;

/** The generated file of one node, for its kind of server. Immutable. */
public final class NodeFiles {
    private final ClusterConfig config;
    private final NodeConfig node;
    private final Optional<TemplateFiles> files;

    private NodeFiles(ClusterConfig config, NodeConfig node, Optional<TemplateFiles> files) {
        this.config = config;
        this.node = node;
        this.files = files;
    }

    /** Files of a web-node, or of another kind with its built-in template. */
    public static NodeFiles of(ClusterConfig config, NodeConfig node) {
        ServerKind kind = node.server().kind();
        return kind == ServerKind.WEB_NODE
                ? new NodeFiles(config, node, Optional.empty())
                : of(config, node, BuiltInTemplates.of(kind));
    }

    /** Files with a template of the operator's. */
    public static NodeFiles of(ClusterConfig config, NodeConfig node, Template template) {
        return new NodeFiles(
                config, node, Optional.of(new TemplateFiles(config, node.name(), node.server(), template)));
    }

    /**
     * The file that makes the server serve {@code role}.
     *
     * @param stamp its number; see {@code Stamps}
     * @return empty for a proxy without any app node, and for a role that its kind cannot serve: such a file is never
     *     written, the one before stays
     * @throws IllegalArgumentException when the template is wrong; the message says how
     */
    public Optional<Rendering> render(ClusterView view, Role role, long stamp) {
        return render(view, Shares.EVEN, role, stamp);
    }

    /**
     * The same while work is not shared evenly: that some app nodes are given less only the file of a web-node can
     * say, and a kind that cannot let connections go keeps them.
     */
    public Optional<Rendering> render(ClusterView view, Shares shares, Role role, long stamp) {
        if (!node.server().kind().canServe(role)) {
            return Optional.empty();
        }
        if (files.isEmpty()) {
            return RoleFiles.content(config, view, shares, role, stamp);
        }
        return switch (role) {
            case Role.Spare _, Role.Drained _ -> Optional.of(render("spare", stamp, members(view, Set.of())));
            case Role.Serving(SiteId site, Tier tier)
            when tier == Tier.APP ->
                Optional.of(render(RoleText.tier(role), RoleText.site(site, config), stamp, members(view, Set.of())));
            case Role.Serving(SiteId site, Tier _) -> {
                List<Member> apps = members(view, apps(view, site));
                yield apps.stream().noneMatch(Member::isIn)
                        ? Optional.empty()
                        : Optional.of(render(RoleText.tier(role), RoleText.site(site, config), stamp, apps)
                                .lettingGo(shares.letGo()));
            }
        };
    }

    private Rendering render(String role, long stamp, List<Member> members) {
        return files.orElseThrow().render(new TemplateFiles.Model(stamp, role, null, members));
    }

    private Rendering render(String role, String site, long stamp, List<Member> members) {
        return files.orElseThrow().render(new TemplateFiles.Model(stamp, role, site, members));
    }

    private Set<String> apps(ClusterView view, SiteId site) {
        return view.serving(Role.serving(site, Tier.APP)).stream()
                .map(NodeView::id)
                .map(id -> config.node(id).name())
                .collect(Collectors.toSet());
    }

    /** Every node that could be an app, for kinds that take them in and out at run time; else those that are. */
    private List<Member> members(ClusterView view, Set<String> in) {
        boolean isWhole = node.server().kind().changesMembersAtRunTime();
        Map<NodeId, Integer> weights = weights(view);
        return config.nodes().stream()
                .filter(other -> !other.id().equals(node.id()))
                .filter(other -> other.server().kind().canBeApp())
                .filter(other -> isWhole || in.contains(other.name()))
                .map(other -> new Member(
                        other.name(),
                        other.server().address(),
                        in.contains(other.name()),
                        weights.getOrDefault(other.id(), Member.UNKNOWN)))
                .toList();
    }

    /** By what each says that it can do, whatever its role is: so they are the same before and after a move. */
    private static Map<NodeId, Integer> weights(ClusterView view) {
        Map<NodeId, Double> told = new HashMap<>();
        for (NodeView other : view.nodes().values()) {
            if (other instanceof NodeView.Known known && known.load().capacityUnitsPerSecond() > 0) {
                told.put(known.id(), known.load().capacityUnitsPerSecond());
            }
        }
        double least =
                told.values().stream().mapToDouble(Double::doubleValue).min().orElse(1);
        Map<NodeId, Integer> weights = new HashMap<>();
        told.forEach((id, power) ->
                weights.put(id, (int) Math.min(Member.MOST, Math.round(Member.LEAST * power / least))));
        return weights;
    }
}
