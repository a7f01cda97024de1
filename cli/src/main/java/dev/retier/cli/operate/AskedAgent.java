package dev.retier.cli.operate;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.NodeConfig;
import dev.retier.cli.CommandFailure;
import dev.retier.cli.ExitCode;
import dev.retier.cli.options.AgentAccessOptions;
import dev.retier.cli.options.ClusterFile;
import dev.retier.config.HostPort;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** Whom a command asks that changes nothing: agents by their addresses, or those that a cluster file names. */
public final class AskedAgent {
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

    /** All agents of that cluster file. */
    public static AskedAgent of(Path config) {
        AskedAgent asked = new AskedAgent();
        InFile named = new InFile();
        named.config = config;
        asked.file = named;
        return asked;
    }

    /** The cluster file that names them, if one does. */
    public Optional<Path> config() {
        return Optional.ofNullable(file).map(named -> named.config);
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
        List<HostPort> addresses =
                nodes(cluster, named).stream().map(NodeConfig::agentAdmin).toList();
        return new AgentClient(addresses, access.credentials(cluster));
    }

    /** The same for each of them alone, by the names of their nodes, or their addresses where that is all they have. */
    Map<String, AgentClient> clients(AgentAccessOptions access) {
        InFile named = file;
        List<String> names = named == null
                ? agents.stream().map(agent -> address(agent).toString()).toList()
                : nodes(ClusterFile.read(named.config), named).stream()
                        .map(NodeConfig::name)
                        .toList();
        List<AgentClient> each = client(access).each();
        Map<String, AgentClient> clients = new LinkedHashMap<>();
        for (int i = 0; i < names.size(); i++) {
            clients.put(names.get(i), each.get(i));
        }
        return clients;
    }

    private static List<NodeConfig> nodes(ClusterConfig cluster, InFile named) {
        String node = named.node;
        return node == null ? cluster.nodes() : List.of(ClusterFile.node(cluster, "--node", node, named.config));
    }

    private static HostPort address(String agent) {
        return HostPort.parse(agent.startsWith(SECURED) ? agent.substring(SECURED.length()) : agent)
                .orElseThrow(() -> new CommandFailure(ExitCode.USAGE, "--agent " + agent + ": write HOST:PORT"));
    }
}
