package dev.retier.agent.render;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.view.ClusterView;
import dev.retier.config.HostPort;
import dev.retier.state.Role;
import dev.retier.state.Tier;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Where the edge sends the requests of a site: its active proxies whose server can be given work.
 *
 * @param stamp the number of the rendering; of two lists the one with the higher stamp is the newer
 * @param site name of the site
 * @param targets in order of node id
 */
public record TargetList(long stamp, String site, List<HostPort> targets) {
    private static final JsonMapper MAPPER = new JsonMapper();

    /** Keeps its own copy of the list. */
    public TargetList {
        targets = List.copyOf(targets);
    }

    /** The list that this view asks for; it is empty when no proxy is known, and then not to be published. */
    public static TargetList of(ClusterConfig config, ClusterView view, SiteConfig site) {
        List<HostPort> targets = view.serving(Role.serving(site.id(), Tier.PROXY)).stream()
                .map(node -> config.node(node.id()).server().address())
                .toList();
        return new TargetList(view.stamp(site.id(), config.epochs()), site.name(), targets);
    }

    /** {@code {"epoch": stamp, "site": name, "targets": ["host:port", ...]}}. */
    public String json() {
        ObjectNode root = MAPPER.createObjectNode();
        root.put("epoch", stamp);
        root.put("site", site);
        ArrayNode list = root.putArray("targets");
        targets.forEach(target -> list.add(target.toString()));
        return MAPPER.writeValueAsString(root);
    }

    /** The list in this JSON, or empty if it is none. */
    public static Optional<TargetList> parse(String json) {
        try {
            JsonNode root = MAPPER.readTree(json);
            List<HostPort> targets = root.path("targets")
                    .valueStream()
                    .map(target -> HostPort.parse(target.asString("")).orElseThrow())
                    .toList();
            boolean isWhole = root.path("epoch").canConvertToLong()
                    && root.path("targets").isArray();
            return isWhole
                    ? Optional.of(new TargetList(
                            root.path("epoch").longValue(), root.path("site").asString(""), targets))
                    : Optional.empty();
        } catch (JacksonException | NoSuchElementException e) {
            return Optional.empty();
        }
    }

    /** A strong entity tag (RFC 9110, section 8.8.3): the stamp, and a hash, as failures change the list alone. */
    public String entityTag() {
        return "\"" + stamp + "-" + Integer.toHexString(targets.hashCode()) + "\"";
    }
}
