package dev.retier.agent.daemon;

import dev.retier.agent.ReconfigException;
import dev.retier.agent.apply.AtomicFile;
import dev.retier.agent.config.AgentConfig;
import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.files.ServerTemplates;
import dev.retier.agent.render.ConfiguredView;
import dev.retier.agent.render.NodeFiles;
import dev.retier.agent.render.Rendering;
import dev.retier.agent.server.ManagedServers;
import dev.retier.agent.view.Stamps;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.RoleWord.Phase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The role file with which a server can start before any agent has looked. Stateless. */
public final class FirstRoleFile {
    private FirstRoleFile() {}

    /**
     * Writes it, for each of its servers, unless there is a file.
     *
     * @param word with which the node's slot starts
     * @throws ReconfigException when it cannot be written, or nothing can be rendered for the role
     */
    public static void write(AgentConfig config, RoleWord word) {
        config.node().servers().forEach(server -> write(config, server, word));
    }

    /** The same for one of its servers. */
    public static void write(AgentConfig config, ServerConfig server, RoleWord word) {
        if (!Files.exists(server.roleFile())) {
            Role role = word.phase() == Phase.ACTIVE ? word.to() : word.from();
            write(config, server, role, Stamps.of(word));
        }
    }

    private static void write(AgentConfig config, ServerConfig server, Role role, long stamp) {
        Path file = server.roleFile();
        NodeFiles files = ServerTemplates.nodeFiles(config.cluster(), config.node());
        try {
            Rendering rendering = server.equals(config.node().server(role))
                    ? files.render(ConfiguredView.of(config.cluster()), role, stamp)
                            .orElseThrow(() -> new IOException("a proxy needs an app node"))
                    : files.idle(server, stamp);
            AtomicFile.replace(file, rendering.content());
            ManagedServers.writeFlags(server, rendering);
        } catch (IOException | IllegalArgumentException e) {
            throw new ReconfigException(
                    ReconfigException.Category.FATAL,
                    file + ": the first role file of " + config.node().name() + " cannot be written (" + e.getMessage()
                            + "); check role-file, its folder and the roles of the nodes",
                    e);
        }
    }
}
