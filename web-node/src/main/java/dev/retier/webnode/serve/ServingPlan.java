package dev.retier.webnode.serve;

import dev.retier.webnode.config.Role;
import dev.retier.webnode.config.RoleFile;
import dev.retier.webnode.upstream.UpstreamPool;
import java.util.Objects;

/**
 * The configuration in force. Each request keeps the plan that it began with. Immutable; its pool and store are
 * thread-safe.
 *
 * @param file the role file
 * @param sha256 its hash, hexadecimal
 * @param upstreams the app nodes, empty unless the role is proxy
 * @param store the memory of static answers, unused unless the role is proxy
 */
public record ServingPlan(RoleFile file, String sha256, UpstreamPool upstreams, StaticStore store) {
    /** True when requests of clients are to be forwarded or answered from memory. */
    boolean isProxy() {
        return file.role() == Role.PROXY;
    }

    /**
     * The plan for a newer file. The memory is kept only from proxy to proxy of the same site: a node that takes up
     * the role again starts cold, as a restarted server does.
     */
    public ServingPlan successor(RoleFile newer, String newerSha256, long cacheBytes) {
        boolean sameDuty = isProxy() && newer.role() == Role.PROXY && Objects.equals(file.site(), newer.site());
        StaticStore nextStore = sameDuty ? store : new StaticStore(cacheBytes);
        return new ServingPlan(newer, newerSha256, upstreams.successor(newer.apps()), nextStore);
    }
}
