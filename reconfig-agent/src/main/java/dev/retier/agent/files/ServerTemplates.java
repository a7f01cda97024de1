package dev.retier.agent.files;

import dev.retier.agent.ReconfigException;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.config.ServerControl;
import dev.retier.agent.render.BuiltInTemplates;
import dev.retier.agent.render.NodeFiles;
import dev.retier.agent.render.Template;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The templates of generated files: the operator's, else the built-in ones. Stateless. */
public final class ServerTemplates {
    private ServerTemplates() {}

    /**
     * The files of a node.
     *
     * @throws ReconfigException when the operator's template cannot be read
     */
    public static NodeFiles nodeFiles(ClusterConfig config, NodeConfig node) {
        return NodeFiles.of(config, node, ServerTemplates::of);
    }

    /**
     * The template of a server that is reloaded.
     *
     * @throws ReconfigException when the operator's cannot be read
     */
    public static Template of(ServerConfig server) {
        Optional<Path> own = Optional.ofNullable(server.control()).flatMap(ServerControl::ownTemplate);
        return own.map(ServerTemplates::read).orElseGet(() -> BuiltInTemplates.of(server.kind()));
    }

    private static Template read(Path file) {
        try {
            return Template.parse(Files.readString(file));
        } catch (IOException | IllegalArgumentException e) {
            String message =
                    file + ": the template cannot be used (" + e.getMessage() + "); see reconfig-agent/README.md";
            throw new ReconfigException(ReconfigException.Category.FATAL, message, e);
        }
    }
}
