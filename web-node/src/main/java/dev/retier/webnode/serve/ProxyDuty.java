package dev.retier.webnode.serve;

import dev.retier.undertow.forward.ProxyRole;
import dev.retier.undertow.role.RoleFile;
import dev.retier.undertow.status.NodeStatus;
import dev.retier.undertow.upstream.UpstreamPool;
import dev.retier.webnode.config.WebNodeSettings;
import dev.retier.webnode.measure.CacheCounters;
import dev.retier.webnode.measure.Durations;
import io.undertow.server.HttpHandler;
import org.jspecify.annotations.Nullable;

/**
 * Answers static requests from memory and fetches the rest whole, as only what is whole can be kept. The memory lives
 * on only from proxy to proxy of the same site: a node that takes up the role again starts cold, as a restarted server
 * does. Thread-safe.
 *
 * @param settings of the node
 * @param workLine the emulated server of the node
 * @param durations where the time of each request is counted
 * @param cacheCounters where hits and misses are counted
 */
public record ProxyDuty(WebNodeSettings settings, WorkLine workLine, Durations durations, CacheCounters cacheCounters)
        implements ProxyRole {
    @Override
    public HttpHandler handler(RoleFile file, UpstreamPool apps, @Nullable HttpHandler before) {
        StaticStore store = before instanceof Proxy proxy && proxy.serves(file.site())
                ? proxy.store()
                : new StaticStore(settings.cacheBytes());
        return new Proxy(this, file.site(), apps, store);
    }

    @Override
    public NodeStatus.Cache cache(@Nullable HttpHandler current) {
        long hits = cacheCounters.hits();
        long misses = cacheCounters.misses();
        return current instanceof Proxy proxy
                ? new NodeStatus.Cache(proxy.store().entries(), proxy.store().bytes(), hits, misses)
                : new NodeStatus.Cache(0, 0, hits, misses);
    }
}
