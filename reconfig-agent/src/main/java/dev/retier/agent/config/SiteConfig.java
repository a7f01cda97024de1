package dev.retier.agent.config;

import dev.retier.state.SiteId;
import dev.retier.state.Tier;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One hosted website.
 *
 * @param id its number in role words
 * @param name as people and generated files call it
 * @param hosts its host names
 * @param priority 1 is the highest
 * @param guaranteeRequestsPerSecond the throughput promised to it, above 0, or null for none
 * @param proxy how many nodes its proxy tier may have
 * @param app how many nodes its app tier may have
 */
public record SiteConfig(
        SiteId id,
        String name,
        List<String> hosts,
        int priority,
        @Nullable Double guaranteeRequestsPerSecond,
        TierBounds proxy,
        TierBounds app) {
    /** Keeps its own copy of the list. */
    public SiteConfig {
        hosts = List.copyOf(hosts);
    }

    /** The bounds of one tier. */
    public TierBounds bounds(Tier tier) {
        return tier == Tier.PROXY ? proxy : app;
    }
}
