package dev.retier.agent.config;

import dev.retier.config.HostPort;
import dev.retier.link.NodeId;
import dev.retier.state.Role;
import dev.retier.state.Tier;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One node of the cluster.
 *
 * @param id its number in role words and locks
 * @param name as people and generated files call it
 * @param rdma where its slot is reached
 * @param server the server beside its agent: of two that of the proxy tier
 * @param appServer the one of the app tier; null where one server is all there is
 * @param agentAdmin where its agent serves status, targets, metrics and health
 * @param initialRole what it serves when no journal says otherwise
 */
public record NodeConfig(
        NodeId id,
        String name,
        HostPort rdma,
        ServerConfig server,
        @Nullable ServerConfig appServer,
        HostPort agentAdmin,
        Role initialRole) {
    /** All of its servers, one or two. */
    public List<ServerConfig> servers() {
        return Stream.concat(Stream.of(server), Stream.ofNullable(appServer)).toList();
    }

    /** The one that works in that role; of a spare that of the proxy tier. */
    public ServerConfig server(Role role) {
        return appServer != null && role instanceof Role.Serving(var _, Tier tier) && tier == Tier.APP
                ? appServer
                : server;
    }

    /** What people are told to look at: the generated file, or both. */
    public String roleFiles() {
        return servers().stream().map(one -> one.roleFile().toString()).collect(Collectors.joining(" and "));
    }

    /** Whether one of its servers can do the work. */
    public boolean canServe(Role role) {
        return server(role).canServe(role);
    }

    /** In which it may serve, by one server or another. */
    public Set<Tier> tiers() {
        return appServer == null ? server.tiers() : Set.of(Tier.values());
    }

    /** Where proxies reach it; empty when it cannot be an app. */
    public Optional<HostPort> appAddress() {
        ServerConfig app = appServer == null ? server : appServer;
        return app.canBeApp() ? Optional.of(app.address()) : Optional.empty();
    }

    /**
     * The tiers that it leaves for the other one of the same site without a gap: what comes late, sent to what it was,
     * is answered rightly, by a server that has both roles, or by one that is told nothing of any.
     */
    public Set<Tier> answersLate() {
        if (appServer == null) {
            return server.kind().answersLate();
        }
        return appServer.isTold() ? Set.of() : Set.of(Tier.APP);
    }
}
