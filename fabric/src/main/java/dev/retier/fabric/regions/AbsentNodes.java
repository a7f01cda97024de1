package dev.retier.fabric.regions;

import dev.retier.link.NodeId;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Since when which nodes are not connected. Thread-safe. */
final class AbsentNodes {
    private final Duration bound;
    private final Map<NodeId, Long> sinceNanos = new ConcurrentHashMap<>();

    /** Nobody is away for {@code bound} yet. */
    AbsentNodes(Duration bound) {
        this.bound = bound;
    }

    /** How {@code node} was found at {@code nowNanos}. */
    void observe(NodeId node, boolean isConnected, long nowNanos) {
        if (isConnected) {
            sinceNanos.remove(node);
        } else {
            sinceNanos.putIfAbsent(node, nowNanos);
        }
    }

    /** Whether it has been away for so long that nobody should wait for it. */
    boolean isLong(NodeId node, long nowNanos) {
        Long since = sinceNanos.get(node);
        return since != null && nowNanos - since > bound.toNanos();
    }
}
