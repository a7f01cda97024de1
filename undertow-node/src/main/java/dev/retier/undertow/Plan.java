package dev.retier.undertow;

import dev.retier.undertow.forward.ProxyRole;
import dev.retier.undertow.role.Role;
import dev.retier.undertow.role.RoleFile;
import dev.retier.undertow.upstream.UpstreamPool;
import io.undertow.server.HttpHandler;
import org.jspecify.annotations.Nullable;

/**
 * What is in force. Each request keeps the plan that it began with. Immutable; its pool is thread-safe.
 *
 * @param file the role file
 * @param sha256 its hash, hexadecimal
 * @param upstreams the app nodes, empty unless the role is proxy
 * @param proxy what answers clients, null unless the role is proxy
 * @param nodes who is believed to have forwarded a request
 */
record Plan(
        RoleFile file,
        String sha256,
        UpstreamPool upstreams,
        @Nullable HttpHandler proxy,
        KnownNodes nodes) {
    /** The plan for a newer file. */
    Plan successor(RoleFile newer, String newerSha256, ProxyRole role) {
        UpstreamPool apps = upstreams.successor(newer.apps());
        HttpHandler next = newer.role() == Role.PROXY ? role.handler(newer, apps, proxy) : null;
        return new Plan(newer, newerSha256, apps, next, nodes.successor(newer.nodes()));
    }
}
