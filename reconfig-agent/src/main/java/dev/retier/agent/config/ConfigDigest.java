package dev.retier.agent.config;

import dev.retier.state.Role;
import dev.retier.state.SiteId;
import dev.retier.state.Tier;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * What must be the same in the cluster files of all agents, as 32 bytes: two agents whose digests differ would write
 * files for other names, hold other locks, send requests elsewhere, or undo each other's moves. Pure.
 *
 * <p>In it is, in this order, whatever the order in the file:
 *
 * <ul>
 *   <li>the name of the cluster, and {@code timing.lease}, by which locks are taken over;
 *   <li>of each site, by id: name, priority, guarantee, the bounds of both tiers, and the hold of its proxies;
 *   <li>of each node, by id: name, kind and address of its server, and configured role; of one that may serve in fewer
 *       tiers than its kind can, in which;
 *   <li>the witnesses;
 *   <li>of each edge, by name: its site. A proxy of an agent whose file has no such edge would not wait for it;
 *   <li>the nodes that serve volumes. An agent that does not know of one would move it.
 * </ul>
 *
 * <p>What a running agent takes over by SIGHUP is in it as far as it must agree: priorities, guarantees, bounds,
 * holds and edges. Then the agent tells its peers the new digest. Not in it is what one agent may have otherwise:
 * {@code mode}, {@code decision}, {@code move}, all other times, host names, which go into files alone, RDMA addresses,
 * which are as seen from here, admin addresses, paths and commands of one machine, also of that of an edge.
 */
public final class ConfigDigest {
    /** Another text is another digest: a later version of this list says so itself. */
    private static final String FORM = "retier cluster 1\n";

    private ConfigDigest() {}

    /** SHA-256 over {@link #text}. */
    public static ByteBuffer of(ClusterConfig config) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256").digest(text(config).getBytes(StandardCharsets.UTF_8));
            return ByteBuffer.wrap(digest).asReadOnlyBuffer();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** What is digested, one line for each part; no value has a blank in it. */
    static String text(ClusterConfig config) {
        StringBuilder text = new StringBuilder(FORM);
        line(text, "cluster", config.name(), "lease", config.timing().lease());
        config.sites().stream()
                .sorted(Comparator.comparing(SiteConfig::id))
                .forEach(site -> line(
                        text,
                        "site",
                        site.id().value(),
                        site.name(),
                        site.priority(),
                        String.valueOf(site.guaranteeRequestsPerSecond()),
                        bounds(site.proxy()),
                        bounds(site.app()),
                        site.hold()));
        config.nodes().stream()
                .sorted(Comparator.comparing(NodeConfig::id))
                .forEach(node -> line(
                        text,
                        "node",
                        node.id().value(),
                        node.name(),
                        node.server().kind().word(),
                        node.server().address(),
                        role(node.initialRole())));
        config.nodes().stream()
                .sorted(Comparator.comparing(NodeConfig::id))
                .forEach(node -> node.servers().stream()
                        .skip(1)
                        .forEach(app -> line(
                                text,
                                "app-server",
                                node.id().value(),
                                app.kind().word(),
                                app.address())));
        config.nodes().stream()
                .sorted(Comparator.comparing(NodeConfig::id))
                .filter(node -> node.appServer() == null
                        && !node.server().tiers().equals(node.server().kind().tiers()))
                .forEach(node -> node.server().tiers().stream()
                        .sorted()
                        .forEach(tier -> line(text, "tier", node.id().value(), tier)));
        config.witnesses().stream().sorted().forEach(witness -> line(text, "witness", witness.value()));
        config.edges().stream()
                .sorted(Comparator.comparing(EdgeConfig::name))
                .forEach(edge -> line(text, "edge", edge.name(), edge.site().value()));
        config.volumes()
                .servers()
                .forEach(server -> line(text, "volume-server", server.node().value()));
        return text.toString();
    }

    private static void line(StringBuilder text, Object... parts) {
        text.append(String.join(" ", Stream.of(parts).map(String::valueOf).toList()))
                .append('\n');
    }

    private static String bounds(TierBounds bounds) {
        return bounds.min() + ".." + bounds.max();
    }

    private static String role(Role role) {
        return switch (role) {
            case Role.Spare _ -> "spare";
            case Role.Drained _ -> "drained";
            case Role.Serving(SiteId site, Tier tier) -> site.value() + "/" + tier;
        };
    }
}
