package dev.retier.bench.strangers;

import dev.retier.agent.Agent;
import dev.retier.agent.config.AgentConfig;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.ConfigDigest;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.journal.BootNumber;
import dev.retier.link.NodeId;
import dev.retier.link.SecretSource;
import dev.retier.link.Transport;
import dev.retier.link.auth.Secrets;
import dev.retier.state.SharedState;
import dev.retier.state.SlotReading;
import dev.retier.state.verbs.SharedStateConfig;
import dev.retier.state.verbs.VerbsSharedState;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/** The third member, in this process, which calls the victim at a relay. Not thread-safe. */
final class Member implements AutoCloseable {
    private static final long CONNECTED_WITHIN_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long WHOLE_LIMIT_NANOS = TimeUnit.MINUTES.toNanos(5);
    private static final long LOOK_EVERY_NANOS = 2_000_000;
    private static final NodeId VICTIM = new NodeId(Cell.VICTIM);

    private final SharedStateConfig config;
    private SharedState state;

    private Member(SharedStateConfig config) {
        this.config = config;
        this.state = VerbsSharedState.open(config);
    }

    /**
     * Ends the third member's agent and takes its place.
     *
     * @param victim where the victim is called
     */
    static Member join(Cell cell, InetSocketAddress victim) throws IOException {
        cell.agents().stop(Cell.RESTARTED);
        ClusterConfig cluster = cell.agents().cluster();
        NodeId self = new NodeId(Cell.RESTARTED);
        Map<NodeId, InetSocketAddress> peers = new HashMap<>();
        for (NodeConfig node : cluster.nodes()) {
            peers.put(node.id(), cell.agents().rdma(node.id().value()));
        }
        peers.put(VICTIM, victim);
        return new Member(new SharedStateConfig(
                self,
                cell.agents().rdma(Cell.RESTARTED),
                peers,
                cluster.witnesses(),
                SecretSource.of(Secrets.only(cell.secret())),
                Transport.IWARP,
                cluster.timing().staleness(),
                cluster.timing().lease(),
                cluster.timing().readDeadline(),
                Agent.initialWord(new AgentConfig(cluster, self)),
                BootNumber.next(new AgentConfig(cluster, self).journalDirectory(), Instant.now())
                        .value(),
                cluster.sites().stream().map(SiteConfig::id).collect(Collectors.toSet()),
                ConfigDigest.of(cluster),
                cluster.formerHandshake(),
                Optional.empty()));
    }

    /** Has {@code count} connections end, one after the other, for five minutes at most; tells how many did. */
    int end(Relay relay, Relay.End end, int count) {
        long beganNanos = System.nanoTime();
        for (int done = 0; done < count; done++) {
            if (System.nanoTime() - beganNanos > WHOLE_LIMIT_NANOS || !sees(true)) {
                return done;
            }
            if (end == Relay.End.GOODBYE) {
                state.close();
                state = VerbsSharedState.open(config);
            } else {
                relay.end(end);
                if (!sees(false)) {
                    return done;
                }
            }
        }
        return count;
    }

    private boolean sees(boolean isWanted) {
        long beganNanos = System.nanoTime();
        while (isConnected() != isWanted) {
            if (System.nanoTime() - beganNanos > CONNECTED_WITHIN_NANOS) {
                return false;
            }
            LockSupport.parkNanos(LOOK_EVERY_NANOS);
        }
        return true;
    }

    private boolean isConnected() {
        return !(state.look().get(VICTIM) instanceof SlotReading.Unknown);
    }

    @Override
    public void close() {
        state.close();
    }
}
