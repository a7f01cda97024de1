package dev.retier.cli.options;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.files.ConfigFile;
import dev.retier.cli.CommandFailure;
import dev.retier.cli.ExitCode;
import dev.retier.config.ConfigException;
import java.nio.file.Path;
import java.util.stream.Collectors;

/** The cluster file that a command is given, and what it names of it. Stateless. */
public final class ClusterFile {
    private ClusterFile() {}

    /** The cluster; problems of the file end the command. */
    public static ClusterConfig read(Path file) {
        try {
            return ConfigFile.read(file);
        } catch (ConfigException e) {
            throw new CommandFailure(ExitCode.CONFIG, String.valueOf(e.getMessage()), e);
        }
    }

    /**
     * The node of that name.
     *
     * @param option by which it is named, for the message that there is none such, which ends the command
     */
    public static NodeConfig node(ClusterConfig cluster, String option, String name, Path file) {
        return cluster.nodeNamed(name).orElseThrow(() -> {
            String known = cluster.nodes().stream().map(NodeConfig::name).collect(Collectors.joining(", "));
            return new CommandFailure(
                    ExitCode.USAGE, option + " " + name + " is not in " + file + ", which has " + known);
        });
    }
}
