package dev.retier.cli.operate;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.NodeConfig;
import dev.retier.cli.options.ClusterFile;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** Whom a command asks that changes nothing: agents by their addresses, or those that a cluster file names. */
final class AskedAgent {
    @Option(
            names = "--agent",
            paramLabel = "HOST:PORT",
            required = true,
            description = "The admin address of any agent of the cluster; of several, the first that answers is asked.")
    private List<String> agents = List.of();

    @ArgGroup(exclusive = false)
    private @Nullable InFile file;

    /** Agents that a cluster file names. */
    static final class InFile {
        @Option(
                names = "--config",
                paramLabel = "FILE",
                required = true,
                description = "The cluster file; of its agents the first that answers is asked.")
        @SuppressWarnings("NullAway.Init") // set by picocli
        private Path config;

        @Option(names = "--node", paramLabel = "NAME", description = "Ask the agent of this node and no other.")
        private @Nullable String node;
    }

    /** Their admin addresses, in the order in which they are to be asked. */
    List<String> addresses() {
        InFile named = file;
        if (named == null) {
            return agents;
        }
        ClusterConfig cluster = ClusterFile.read(named.config);
        String node = named.node;
        List<NodeConfig> known =
                node == null ? cluster.nodes() : List.of(ClusterFile.node(cluster, "--node", node, named.config));
        return known.stream().map(any -> any.agentAdmin().toString()).toList();
    }
}
