package dev.retier.agent.view;

import dev.retier.link.NodeId;
import java.util.Set;

/**
 * What the servers of nodes said that were asked directly, as their agents tell nothing.
 *
 * @param answered those that answered
 * @param silent those that did not
 * @param askedNanos monotonic time at which they were asked
 */
public record Probes(Set<NodeId> answered, Set<NodeId> silent, long askedNanos) {
    /** Nobody was asked. */
    public static final Probes NONE = new Probes(Set.of(), Set.of(), 0);

    /** Keeps its own copies. */
    public Probes {
        answered = Set.copyOf(answered);
        silent = Set.copyOf(silent);
    }
}
