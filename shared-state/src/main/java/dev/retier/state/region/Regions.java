package dev.retier.state.region;

import dev.retier.state.StateMetric;
import java.time.Duration;
import java.util.Map;

/**
 * The named regions of a cell, as one node sees them.
 *
 * <p>Safe for any thread; every call blocks until it is done or its deadline has passed, and then throws {@link
 * RegionException}. What is passing ({@link RegionFailure#isPassing}) is tried again until the deadline.
 */
public interface Regions extends AutoCloseable {
    /**
     * Makes a region of zeros and maps it for all that there is to do.
     *
     * @throws RegionException {@link RegionFailure#NAME_TAKEN}, {@link RegionFailure#NO_SPACE}, or the node that keeps
     *     the name or a node that shall hold a part cannot be reached
     */
    Region create(RegionName name, RegionSpec spec, Duration deadline);

    /**
     * Maps the region of this name for {@code wanted}.
     *
     * @throws RegionException {@link RegionFailure#NO_SUCH_REGION}, {@link RegionFailure#NOT_PERMITTED}, or nobody
     *     who knows the region can be reached
     */
    Region map(RegionName name, Permissions wanted, Duration deadline);

    /** What has been counted since the start about regions and the connections that they use. */
    Map<StateMetric, Long> metrics();

    /** Unmaps all; what this node holds for others is gone for them. Idempotent. */
    @Override
    void close();
}
