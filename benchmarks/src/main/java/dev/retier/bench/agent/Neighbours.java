package dev.retier.bench.agent;

import dev.retier.agent.Agent;
import dev.retier.agent.config.AgentConfig;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.ConfigDigest;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.connect.SharedStates;
import dev.retier.link.NodeId;
import dev.retier.state.LoadRecord;
import dev.retier.state.SharedState;
import dev.retier.state.verbs.SharedStateConfig;
import dev.retier.state.verbs.VerbsSharedState;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Nodes as the agent of the first one meets them, without agents and servers of their own: each has a slot, connects
 * with the first node alone, and publishes loads that always change. Closes all. Not thread-safe.
 */
final class Neighbours implements AutoCloseable {
    private static final double CAPACITY = 2_000;

    private final List<SharedState> states = new ArrayList<>();
    private final ScheduledExecutorService publisher = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("neighbours")::unstarted);
    private final SplittableRandom random = new SplittableRandom(1);

    private Neighbours() {}

    /** The nodes of that cluster behind so many. */
    static Neighbours start(ClusterConfig cluster, int behind) {
        Neighbours all = new Neighbours();
        try {
            cluster.nodes().stream()
                    .skip(behind)
                    .map(node -> VerbsSharedState.open(config(new AgentConfig(cluster, node.id()))))
                    .forEach(all.states::add);
        } catch (RuntimeException e) {
            all.close();
            throw e;
        }
        long millis = cluster.timing().publishInterval().toMillis();
        var _ = all.publisher.scheduleAtFixedRate(all::publish, 0, millis, TimeUnit.MILLISECONDS);
        return all;
    }

    private static SharedStateConfig config(AgentConfig config) {
        ClusterConfig cluster = config.cluster();
        NodeConfig first = cluster.nodes().getFirst();
        Map<NodeId, InetSocketAddress> known =
                Map.of(first.id(), address(first), config.self(), address(config.node()));
        return new SharedStateConfig(
                config.self(),
                address(config.node()),
                known,
                List.of(first.id()),
                SharedStates.secret(cluster.secret()),
                cluster.transport(),
                cluster.timing().staleness(),
                cluster.timing().lease(),
                cluster.timing().readDeadline(),
                Agent.initialWord(config),
                1,
                cluster.sites().stream().map(SiteConfig::id).collect(Collectors.toSet()),
                ConfigDigest.of(cluster),
                cluster.formerHandshake(),
                Optional.empty());
    }

    private static InetSocketAddress address(NodeConfig node) {
        return new InetSocketAddress(node.rdma().host(), node.rdma().port());
    }

    private void publish() {
        for (SharedState state : states) {
            double utilisation = 0.25 + random.nextDouble() / 2;
            state.publish(new LoadRecord(
                    1, LoadRecord.Health.UP, utilisation, 0, utilisation, CAPACITY * utilisation, 10, CAPACITY, 0));
        }
    }

    @Override
    public void close() {
        publisher.close();
        states.forEach(SharedState::close);
    }
}
