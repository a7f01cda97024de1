package dev.retier.agent.render;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.EdgeConfig;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.config.ServerConfig;
import dev.retier.config.HostPort;
import dev.retier.state.Role;
import dev.retier.state.Tier;
import java.util.List;
import java.util.Optional;

/** The generated file of what stands before the proxies of a site. Immutable. */
public final class EdgeFiles {
    private final ClusterConfig config;
    private final EdgeConfig edge;
    private final ServerConfig server;
    private final TemplateFiles files;

    /** Files of an edge that is a server, with that template. */
    public EdgeFiles(ClusterConfig config, EdgeConfig edge, ServerConfig server, Template template) {
        this.config = config;
        this.edge = edge;
        this.server = server;
        this.files = new TemplateFiles(config, edge.name(), server, template);
    }

    /**
     * The file that sends to these targets.
     *
     * @return empty when there is no target that is a node: such a file is never written, the one before stays
     * @throws IllegalArgumentException when the template is wrong; the message says how
     */
    public Optional<Rendering> render(TargetList targets) {
        List<Member> members = members(targets.targets());
        if (members.stream().noneMatch(Member::isIn)) {
            return Optional.empty();
        }
        return Optional.of(
                files.render(new TemplateFiles.Model(targets.stamp(), TemplateFiles.EDGE, targets.site(), members)));
    }

    private List<Member> members(List<HostPort> targets) {
        Role proxy = Role.serving(edge.site(), Tier.PROXY);
        boolean isWhole = server.kind().changesMembersAtRunTime();
        return config.nodes().stream()
                .filter(node -> node.server().canServe(proxy))
                .map(node -> member(node, targets))
                .filter(member -> isWhole || member.isIn())
                .toList();
    }

    private static Member member(NodeConfig node, List<HostPort> targets) {
        HostPort address = node.server().address();
        return new Member(node.name(), address, targets.contains(address), Member.UNKNOWN);
    }
}
