package dev.retier.agent.connect;

import dev.retier.agent.Agent;
import dev.retier.agent.config.AgentConfig;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.ConfigDigest;
import dev.retier.agent.config.Mode;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.config.SecretSource;
import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.config.Timing;
import dev.retier.agent.journal.BootNumber;
import dev.retier.agent.server.WithheldVariables;
import dev.retier.link.TransportException;
import dev.retier.state.SharedState;
import dev.retier.state.verbs.SharedStateConfig;
import dev.retier.state.verbs.VerbsSharedState;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** From the cluster file to an open shared state. Stateless. */
public final class SharedStates {
    private static final Logger LOG = LoggerFactory.getLogger("dev.retier.agent");

    private SharedStates() {}

    /**
     * Opens the shared state of this node over verbs: its slot starts with {@link Agent#initialWord} and the next
     * number of a start, and it listens at its {@code rdma} address. The caller closes it, after the agent.
     *
     * @param now by the wall clock
     *
     * @throws TransportException when the transport cannot be had here, or does not do what the mode needs
     * @throws dev.retier.link.StateException when the address cannot be listened at or the secret not be read
     * @throws IllegalArgumentException when the shared state refuses the configuration
     */
    public static SharedState open(AgentConfig config, Instant now) {
        BootNumber boot = BootNumber.next(config.journalDirectory(), now);
        if (boot.told() != null) {
            LOG.warn("{}: {}", config.node().name(), boot.told());
        }
        ClusterConfig cluster = config.cluster();
        Timing timing = cluster.timing();
        VerbsSharedState state = VerbsSharedState.open(new SharedStateConfig(
                config.self(),
                resolved(config.node()),
                cluster.nodes().stream().collect(Collectors.toMap(NodeConfig::id, SharedStates::resolved)),
                cluster.witnesses(),
                secret(cluster.secret()),
                cluster.transport(),
                timing.staleness(),
                timing.lease(),
                timing.readDeadline(),
                Agent.initialWord(config),
                boot.value(),
                cluster.sites().stream().map(SiteConfig::id).collect(Collectors.toSet()),
                ConfigDigest.of(cluster),
                cluster.formerHandshake(),
                NodeTls.of(cluster, config.node())));
        Optional<String> refusal = state.whyNoAtomics().flatMap(why -> refusal(cluster, why));
        if (refusal.isPresent()) {
            state.close();
            throw new TransportException(refusal.get());
        }
        return state;
    }

    /** Why an agent does not run without atomics, which {@code why} tells; empty if it moves nothing anyhow. */
    static Optional<String> refusal(ClusterConfig cluster, String why) {
        return cluster.mode() != Mode.ACT
                ? Optional.empty()
                : Optional.of("transport "
                        + cluster.transport().name().toLowerCase(Locale.ROOT) + ": " + why
                        + ", and without them no node is moved: use a device that has them (retier devices lists those"
                        + " of this machine), transport: iwarp, or mode: recommend");
    }

    private static InetSocketAddress resolved(NodeConfig node) {
        return new InetSocketAddress(node.rdma().host(), node.rdma().port());
    }

    /**
     * Where the cluster secret is, which no child of this process will see.
     *
     * @throws dev.retier.link.StateException when it cannot be read
     */
    public static dev.retier.link.SecretSource secret(SecretSource source) {
        WithheldVariables.withhold(source);
        return switch (source) {
            case SecretSource.InFile(Path path) -> dev.retier.link.SecretSource.fromFile(path);
            case SecretSource.InEnvironment(String variable) -> dev.retier.link.SecretSource.fromEnvironment(variable);
        };
    }
}
