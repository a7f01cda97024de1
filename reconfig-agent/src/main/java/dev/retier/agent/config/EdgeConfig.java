package dev.retier.agent.config;

import dev.retier.state.SiteId;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What stands before the proxies of one site.
 *
 * @param name as commands and logs call it
 * @param site whose proxies it sends to
 * @param kind what it is
 * @param file the one file that is generated for it
 * @param server the server, null for a target list
 */
public record EdgeConfig(
        String name,
        SiteId site,
        EdgeKind kind,
        Path file,
        @Nullable ServerConfig server) {
    /** Whether that one is the same server, of the same machine, with another file: that of another site. */
    public boolean sharesServer(EdgeConfig other) {
        return isServerOf(other) && !file.equals(other.file);
    }

    /**
     * Whether the address of its server means the same machine at that node as at the edge: a loopback address does so
     * only where the node has one itself.
     */
    public boolean isAddressedFrom(NodeConfig node) {
        return server != null
                && (!Literals.isLocal(server.address().host())
                        || Literals.isLocal(node.rdma().host()));
    }

    /** Whether that one writes the same file of the same machine. */
    boolean hasFileOf(EdgeConfig other) {
        return server != null
                && other.server != null
                && server.address().host().equals(other.server.address().host())
                && file.equals(other.file);
    }

    private boolean isServerOf(EdgeConfig other) {
        return server != null
                && other.server != null
                && kind == other.kind
                && server.address().host().equals(other.server.address().host())
                && server.controlled()
                        .pidFile()
                        .equals(other.server.controlled().pidFile());
    }

    /** The host names of its site, one a line, for HAProxy's front end to route by. */
    public Path hostsFile() {
        return file.resolveSibling(file.getFileName() + ".hosts");
    }

    EdgeConfig with(ServerConfig other) {
        return new EdgeConfig(name, site, kind, file, other);
    }
}
