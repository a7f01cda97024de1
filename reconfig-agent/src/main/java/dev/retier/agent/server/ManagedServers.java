package dev.retier.agent.server;

import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.config.ServerKind;
import dev.retier.agent.render.Rendering;
import java.io.IOException;

/** From the configuration to the server it speaks of. Stateless. */
public final class ManagedServers {
    private ManagedServers() {}

    /** The server, for logs that of {@code name}; {@link ManagedServer#start} begins what runs by itself. */
    public static ManagedServer open(String name, ServerConfig server, InstallerEvents events) {
        return server.kind() == ServerKind.WEB_NODE ? new WebNodeServer(server) : new RealServer(name, server, events);
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
