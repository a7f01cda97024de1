package dev.retier.undertow.forward;

import dev.retier.undertow.role.RoleFile;
import dev.retier.undertow.status.NodeStatus;
import dev.retier.undertow.upstream.UpstreamPool;
import io.undertow.server.HttpHandler;
import org.jspecify.annotations.Nullable;

/** What a program does while its node is proxy. Used by one thread at a time, but for {@link #cache}. */
public interface ProxyRole {
    /**
     * What answers clients under that file; each request is answered by the handler of the file under which it came.
     *
     * @param file whose role is proxy
     * @param apps the app nodes in it
     * @param before the handler of the file before, if that was a proxy's, too; else null
     */
    HttpHandler handler(RoleFile file, UpstreamPool apps, @Nullable HttpHandler before);

    /**
     * What is kept in memory, for the status. Thread-safe.
     *
     * @param current the handler in force; null while the node is no proxy
     */
    default NodeStatus.Cache cache(@Nullable HttpHandler current) {
        return NodeStatus.Cache.NONE;
    }
}
