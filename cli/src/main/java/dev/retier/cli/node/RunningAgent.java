package dev.retier.cli.node;

import dev.retier.agent.Agent;
import dev.retier.agent.config.AgentConfig;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.config.SecretSource;
import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.event.AgentListener;
import dev.retier.state.SharedState;
import dev.retier.state.auth.ClusterSecret;
import dev.retier.state.verbs.SharedStateConfig;
import dev.retier.state.verbs.Transport;
import dev.retier.state.verbs.VerbsSharedState;
import java.net.InetSocketAddress;
import java.util.stream.Collectors;

/**
 * An agent and the shared state under it, opened and closed together. Thread-safe.
 *
 * @param agent the agent
 * @param state its shared state
 */
public record RunningAgent(Agent agent, SharedState state) implements AutoCloseable {
    /**
     * Opens the slot of the node with the role that its journal or its configuration says, and starts the agent.
     *
     * @param listener hears what the agent does, from its threads
     * @throws dev.retier.state.verbs.StateException when the secret cannot be read or the address cannot be used
     * @throws dev.retier.agent.ReconfigException when the journal or the admin address cannot be used
     */
    public static RunningAgent start(AgentConfig config, AgentListener listener) {
        SharedState state = VerbsSharedState.open(stateConfig(config));
        try {
            return new RunningAgent(Agent.start(config, state, listener), state);
        } catch (RuntimeException e) {
            state.close();
            throw e;
        }
    }

    private static SharedStateConfig stateConfig(AgentConfig config) {
        ClusterConfig cluster = config.cluster();
        return new SharedStateConfig(
                config.self(),
                resolved(config.node()),
                cluster.nodes().stream().collect(Collectors.toMap(NodeConfig::id, RunningAgent::resolved)),
                cluster.witnesses(),
                secret(cluster.secret()),
                Transport.IWARP,
                cluster.timing().staleness(),
                cluster.timing().lease(),
                cluster.timing().readDeadline(),
                Agent.initialWord(config),
                cluster.sites().stream().map(SiteConfig::id).collect(Collectors.toSet()));
    }

    private static InetSocketAddress resolved(NodeConfig node) {
        return new InetSocketAddress(node.rdma().host(), node.rdma().port());
    }

    private static ClusterSecret secret(SecretSource source) {
        return switch (source) {
            case SecretSource.InFile file -> dev.retier.state.verbs.SecretSource.fromFile(file.path());
            case SecretSource.InEnvironment variable ->
                dev.retier.state.verbs.SecretSource.fromEnvironment(variable.variable());
        };
    }

    /** Ends the agent in good order, then leaves the shared state. The server goes on. Idempotent. */
    @Override
    public void close() {
        agent.close();
        state.close();
    }
}
