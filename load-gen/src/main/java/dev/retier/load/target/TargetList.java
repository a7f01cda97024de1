package dev.retier.load.target;

import java.util.LinkedHashSet;
import java.util.List;

/**
 * The current targets of a site, as an agent, a file, or a user states them.
 *
 * @param epoch number of the cluster configuration; a higher one is newer
 * @param site name of the site; empty where the source does not say
 * @param targets without repetition, at most {@link #MAX_TARGETS}; may be empty, and is then not followed
 */
public record TargetList(long epoch, String site, List<Target> targets) {
    /** A longer list is refused. */
    public static final int MAX_TARGETS = 10_000;

    /** Removes repetitions and checks the length. */
    public TargetList {
        targets = List.copyOf(new LinkedHashSet<>(targets));
        if (targets.size() > MAX_TARGETS) {
            throw new IllegalArgumentException(targets.size() + " targets; at most " + MAX_TARGETS + " are followed");
        }
    }
}
