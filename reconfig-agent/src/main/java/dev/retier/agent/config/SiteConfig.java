package dev.retier.agent.config;

import dev.retier.state.SiteId;
import dev.retier.state.Tier;
import java.time.Duration;
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
 * @param proxyHold how long a proxy that leaves still serves after the target lists have lost it, for senders that
 *     do not say what they run; null when nobody has said
 */
public record SiteConfig(
        SiteId id,
        String name,
        List<String> hosts,
        int priority,
        @Nullable Double guaranteeRequestsPerSecond,
        TierBounds proxy,
        TierBounds app,
        @Nullable Duration proxyHold) {
    /** Keeps its own copy of the list. */
    public SiteConfig {
        hosts = List.copyOf(hosts);
    }

    /** How long a proxy that leaves still serves; zero when nobody has said. */
    public Duration hold() {
        return proxyHold == null ? Duration.ZERO : proxyHold;
    }

    /** The bounds of one tier. */
    public TierBounds bounds(Tier tier) {
        return tier == Tier.PROXY ? proxy : app;
    }
}
