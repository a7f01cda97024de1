package dev.retier.agent.daemon;

import dev.retier.agent.http.AgentMetric;
import dev.retier.agent.http.AgentMetrics;
import dev.retier.agent.server.InstallerEvents;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the metrics and the log what the installer of a real server does. Thread-safe. */
final class InstallerTold implements InstallerEvents {
    private static final Logger LOG = LoggerFactory.getLogger("dev.retier.agent");

    private final String node;
    private final AgentMetrics metrics;
    private final Runnable whenReloaded;
    private final Runnable whenEnded;

    /** {@code whenReloaded} and {@code whenEnded}, of an installation, must not block. */
    InstallerTold(String node, AgentMetrics metrics, Runnable whenReloaded, Runnable whenEnded) {
        this.node = node;
        this.metrics = metrics;
        this.whenReloaded = whenReloaded;
        this.whenEnded = whenEnded;
    }

    @Override
    public void reloaded() {
        whenReloaded.run();
    }

    @Override
    public void step(Step step, Duration took) {
        metrics.time(AgentMetric.RELOAD_DURATION, took, "phase", AgentMetrics.label(step));
        LOG.debug("{}: {} took {} ms", node, step, took.toMillis());
    }

    @Override
    public void ended(Result result) {
        metrics.count(AgentMetric.INSTALLATIONS, "result", AgentMetrics.label(result));
        whenEnded.run();
    }
}
