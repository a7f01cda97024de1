package dev.retier.agent.daemon;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.decide.Policy;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The configuration that is in force, and one that waits. The control loop takes the new one over between two rounds,
 * so that no round sees a part of each; others may read at any time.
 */
final class LiveConfig {
    private final AtomicReference<@Nullable ClusterConfig> waiting = new AtomicReference<>();
    private volatile ClusterConfig cluster;
    private volatile Policy policy;

    LiveConfig(ClusterConfig cluster) {
        this.cluster = cluster;
        this.policy = Policy.of(cluster);
    }

    ClusterConfig cluster() {
        return cluster;
    }

    Policy policy() {
        return policy;
    }

    /** Puts one in line; the caller has made sure that nothing of it needs a restart. */
    void offer(ClusterConfig next) {
        waiting.set(next);
    }

    /** Takes over what waits. By the control loop. */
    void takeOver() {
        ClusterConfig next = waiting.getAndSet(null);
        if (next != null) {
            cluster = next;
            policy = Policy.of(next);
        }
    }
}
