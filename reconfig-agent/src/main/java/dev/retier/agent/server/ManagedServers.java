package dev.retier.agent.server;

import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.config.ServerKind;

/** From the configuration to the server it speaks of. Stateless. */
public final class ManagedServers {
    private ManagedServers() {}

    /** The server, for logs that of {@code name}; {@link ManagedServer#start} begins what runs by itself. */
    public static ManagedServer open(String name, ServerConfig server, InstallerEvents events) {
        return server.kind() == ServerKind.WEB_NODE ? new WebNodeServer(server) : new RealServer(name, server, events);
    }
}
