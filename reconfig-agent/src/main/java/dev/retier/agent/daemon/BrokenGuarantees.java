package dev.retier.agent.daemon;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.decide.History;
import dev.retier.agent.decide.SiteTrend;
import dev.retier.agent.http.AgentMetric;
import dev.retier.agent.http.AgentMetrics;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Counts the time for which sites have less than their guarantee. For one thread. */
final class BrokenGuarantees {
    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    private final AgentMetrics metrics;
    private List<SiteConfig> broken = List.of();
    private long sinceNanos;

    BrokenGuarantees(AgentMetrics metrics) {
        this.metrics = metrics;
    }

    /** What a look has shown; it was so until the next one. */
    void seen(ClusterConfig config, History history, long nowNanos) {
        double seconds = (nowNanos - sinceNanos) / NANOS_PER_SECOND;
        broken.forEach(site -> metrics.count(AgentMetric.SITE_BROKEN, seconds, "site", site.name()));
        broken = config.sites().stream()
                .filter(site -> {
                    SiteTrend trend = history.site(site.id());
                    return trend != null && trend.isShort();
                })
                .toList();
        sinceNanos = nowNanos;
    }
}
