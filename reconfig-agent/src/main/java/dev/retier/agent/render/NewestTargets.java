package dev.retier.agent.render;

import org.jspecify.annotations.Nullable;

/**
 * Which target list counts of those that several agents give. Agents see a change one after the other, so an older list
 * of another agent is no news. But one agent's lists come in the order of what it has seen, and stamps do go back when
 * a node has lost its journal; so an older list counts when it comes from the agent of the newest one, or has been
 * offered by others for a while. Not thread-safe.
 */
public final class NewestTargets {
    /** Longer than agents see each other's changes late: by S, or by their staleness. */
    private static final long BELIEVED_AFTER_NANOS = 10_000_000_000L;

    private @Nullable TargetList newest;
    private @Nullable Object source;
    private boolean isOlderOffered;
    private long olderSinceNanos;

    /**
     * Takes in the present list of an agent, as often as it is known to be that still.
     *
     * @param from the agent, as long as it is followed without a break
     * @return whether it counts now; an empty one never does
     */
    public boolean counts(Object from, TargetList list, long nowNanos) {
        TargetList known = newest;
        boolean isOlder = known != null && list.stamp() < known.stamp() && !from.equals(source);
        if (list.targets().isEmpty() || (isOlder && !isBelieved(nowNanos))) {
            return false;
        }
        isOlderOffered = false;
        newest = list;
        source = from;
        return true;
    }

    private boolean isBelieved(long nowNanos) {
        if (!isOlderOffered) {
            isOlderOffered = true;
            olderSinceNanos = nowNanos;
        }
        return nowNanos - olderSinceNanos >= BELIEVED_AFTER_NANOS;
    }
}
