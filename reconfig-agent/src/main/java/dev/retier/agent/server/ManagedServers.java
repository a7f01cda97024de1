package dev.retier.agent.server;

import dev.retier.agent.config.AgentConfig;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.config.ServerKind;
import dev.retier.agent.render.NodeFiles;
import dev.retier.agent.render.Rendering;
import dev.retier.state.Role;
import java.io.IOException;

/** From the configuration to the server it speaks of. Stateless. */
public final class ManagedServers {
    private ManagedServers() {}

    /**
     * The servers of a node; {@link ManagedServer#start} begins what runs by itself.
     *
     * @param role in which they are
     * @param files what each of them reads
     */
    public static ManagedServer open(AgentConfig config, Role role, NodeFiles files, InstallerEvents events) {
        NodeConfig node = config.node();
        ServerConfig app = node.appServer();
        return app == null
                ? open(node.name(), node.server(), config.cluster().anyHost(node.server()), events)
                : new TieredServers(config, app, role, files, events);
    }

    /** The server, for logs that of {@code name}; {@link ManagedServer#start} begins what runs by itself. */
    public static ManagedServer open(String name, ServerConfig server, InstallerEvents events) {
        return open(name, server, server.address().toString(), events);
    }

    /**
     * The same of a server of a node.
     *
     * @param host that it serves
     */
    static ManagedServer open(String name, ServerConfig server, String host, InstallerEvents events) {
        return server.kind() == ServerKind.WEB_NODE
                ? new WebNodeServer(server)
                : new RealServer(name, server, host, events);
    }

    /**
     * Writes what a server of that kind reads with each request beside its file, if it reads anything; it need not run.
     *
     * @throws IOException when it cannot be written
     */
    public static void writeFlags(ServerConfig server, Rendering file) throws IOException {
        if (server.kind() == ServerKind.HTTPD) {
            new HttpdDialect(server).writeFlags(file.mark(), file.role());
        }
    }
}
