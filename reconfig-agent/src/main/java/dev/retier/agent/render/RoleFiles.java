package dev.retier.agent.render;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.view.ClusterView;
import dev.retier.agent.view.NodeView;
import dev.retier.agent.view.RoleText;
import dev.retier.config.HostPort;
import dev.retier.state.Role;
import dev.retier.state.SiteId;
import dev.retier.state.Tier;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Role files of web-nodes. Stateless. */
final class RoleFiles {
    private static final JsonMapper MAPPER = new JsonMapper();

    private RoleFiles() {}

    /**
     * The file that makes a server serve {@code role}.
     *
     * @param shares how a proxy shares its work
     * @param stamp its number; see {@code Stamps}
     * @return empty for a proxy without any app node: such a file is never written, the one before stays
     */
    static Optional<Rendering> content(ClusterConfig config, ClusterView view, Shares shares, Role role, long stamp) {
        ObjectNode file = MAPPER.createObjectNode();
        file.put("epoch", stamp);
        file.put("managed-by", "retier, cluster " + config.name() + "; do not edit");
        file.put("role", RoleText.tier(role));
        ArrayNode hosts = file.putArray("nodes");
        hosts(config).forEach(hosts::add);
        return switch (role) {
            case Role.Spare _, Role.Drained _ -> Optional.of(rendering(file, null, role, stamp));
            case Role.Serving(SiteId site, Tier tier) -> {
                file.put("site", RoleText.site(site, config));
                List<NodeView> apps = view.serving(Role.serving(site, Tier.APP));
                boolean isWhole = tier == Tier.APP || addWork(file, config, apps, shares);
                yield isWhole
                        ? Optional.of(rendering(file, RoleText.site(site, config), role, stamp))
                        : Optional.empty();
            }
        };
    }

    /** What a connection from a node may come from. Not its admin address: that may be loopback, which is everybody. */
    private static Stream<String> hosts(ClusterConfig config) {
        return config.nodes().stream()
                .flatMap(node ->
                        Stream.concat(node.servers().stream().map(ServerConfig::address), Stream.of(node.rdma())))
                .map(HostPort::host)
                .distinct();
    }

    private static boolean addWork(ObjectNode file, ClusterConfig config, List<NodeView> apps, Shares shares) {
        ArrayNode list = file.putArray("apps");
        for (NodeView app : apps) {
            NodeConfig node = config.node(app.id());
            ObjectNode item = list.addObject();
            item.put("node", node.name());
            item.put("address", node.appAddress().orElseThrow().toString());
            item.put("weight", shares.weights().getOrDefault(app.id(), SlowStart.FULL));
        }
        if (shares.letGo().isAny()) {
            ObjectNode letGo = file.putObject("let-go");
            letGo.put("round", shares.letGo().round());
            letGo.put("percent", shares.letGo().percent());
        }
        return !apps.isEmpty();
    }

    /** A web-node takes a file whole, and tells by itself what it has taken. */
    private static Rendering rendering(ObjectNode file, @Nullable String site, Role role, long stamp) {
        String text = MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(file) + "\n";
        return new Rendering(stamp, RoleText.tier(role), site, text, "", "", List.of(), LetGo.NONE);
    }
}
