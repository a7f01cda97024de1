package dev.retier.cli.operate;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.NodeConfig;
import dev.retier.cli.CommandFailure;
import dev.retier.cli.ExitCode;
import dev.retier.cli.options.AgentAccessOptions;
import dev.retier.cli.options.ClusterFile;
import dev.retier.config.HostPort;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** Whom a command asks that changes nothing: agents by their addresses, or those that a cluster file names. */
final class AskedAgent {
    private static final String SECURED = "https://";

    @Option(
            names = "--agent",
            paramLabel = "HOST:PORT",
            required = true,
            description = "The admin address of any agent of the cluster, with https:// before it for TLS; of several,"
                    + " the first that answers is asked.")
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

    /** A client of them, that shows what {@code access} says. */
    AgentClient client(AgentAccessOptions access) {
        InFile named = file;
        if (named == null) {
            List<HostPort> addresses = agents.stream().map(AskedAgent::address).toList();
            return new AgentClient(
                    addresses,
                    access.credentials(addresses, agents.stream().anyMatch(agent -> agent.startsWith(SECURED))));
        }
        ClusterConfig cluster = ClusterFile.read(named.config);
        String node = named.node;
        List<NodeConfig> known =
                node == null ? cluster.nodes() : List.of(ClusterFile.node(cluster, "--node", node, named.config));
        return new AgentClient(known.stream().map(NodeConfig::agentAdmin).toList(), access.credentials(cluster));
    }

    private static HostPort address(String agent) {
        return HostPort.parse(agent.startsWith(SECURED) ? agent.substring(SECURED.length()) : agent)
                .orElseThrow(() -> new CommandFailure(ExitCode.USAGE, "--agent " + agent + ": write HOST:PORT"));
    }
}
