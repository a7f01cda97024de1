package dev.retier.agent.config;

import dev.retier.config.HostPort;
import dev.retier.state.Role;
import dev.retier.state.Tier;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The server beside one agent.
 *
 * @param kind what it is
 * @param address where clients and proxies reach it
 * @param admin where it tells its status; for HAProxy, which tells it by its socket, the same as {@code address}
 * @param roleFile the one file that the agent generates for it
 * @param provePath path of the request by which a node proves its role to itself
 * @param control how it is checked and reloaded; null for a kind that follows its file by itself
 * @param tiers in which it may serve: some of those of its kind, at least one
 */
public record ServerConfig(
        ServerKind kind,
        HostPort address,
        HostPort admin,
        Path roleFile,
        String provePath,
        @Nullable ServerControl control,
        Set<Tier> tiers) {
    /** A static file: a proxy must fetch it from an app, an app must produce it. */
    public static final String DEFAULT_PROVE_PATH = "/static/retier-proof";

    /** Keeps its own copy of the set. */
    public ServerConfig {
        tiers = Set.copyOf(tiers);
    }

    /** A web-node with the usual prove path. */
    public static ServerConfig webNode(HostPort address, HostPort admin, Path roleFile) {
        return new ServerConfig(
                ServerKind.WEB_NODE, address, admin, roleFile, DEFAULT_PROVE_PATH, null, ServerKind.WEB_NODE.tiers());
    }

    /** The longest that another role may take to come into force, by its own limits; zero for one that has none. */
    public Duration longestSwitch() {
        if (control == null) {
            return Duration.ZERO;
        }
        Duration longest = isTold() ? control.limits().longest() : Duration.ZERO;
        return control.commands().isStopped() ? longest.plus(control.limits().startDeadline()) : longest;
    }

    /** The same for other members in the same role; zero where they change at run time, or it has none. */
    public Duration longestChange() {
        return kind.changesMembersAtRunTime() || !tiers.contains(Tier.PROXY) ? Duration.ZERO : longestSwitch();
    }

    ServerConfig with(ServerControl other) {
        return new ServerConfig(kind, address, admin, roleFile, provePath, other, tiers);
    }

    /** Whether it may serve in that role; each may be spare. */
    public boolean canServe(Role role) {
        return !(role instanceof Role.Serving serving) || tiers.contains(serving.tier());
    }

    /** Whether it may be an app of a site. */
    public boolean canBeApp() {
        return tiers.contains(Tier.APP);
    }

    /**
     * Whether it reads the generated file. One of which nobody has said what its file looks like is told nothing: a
     * move changes nothing in it, and what it had to do it does to the end.
     */
    public boolean isTold() {
        return kind != ServerKind.OTHER || controlled().ownTemplate().isPresent();
    }

    /** Whether anybody knows how many requests come to it. */
    public boolean countsRequests() {
        return kind != ServerKind.OTHER;
    }

    /** How it is checked and reloaded; asking a kind that is not is a mistake of the caller. */
    public ServerControl controlled() {
        if (control == null) {
            throw new IllegalStateException("a " + kind.word() + " follows its file by itself");
        }
        return control;
    }
}
