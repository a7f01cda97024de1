package dev.retier.agent.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class AgentMetricTest {
    /** What is named so is always 1 in Prometheus' format, whatever its gauge says. */
    @Test
    void shouldBeNoInfo_whenItsValueTellsSomething() {
        assertThat(Stream.of(AgentMetric.values())
                        .filter(metric -> metric.meterName().endsWith("info")))
                .containsExactly(AgentMetric.BUILD_INFO);
    }

    @Test
    void shouldTellWhichRoleANodeHas_andWhichNot() {
        AgentMetrics metrics = new AgentMetrics();
        metrics.gauge(AgentMetric.NODE_ROLE, () -> 1, "node", "web-1", "tier", "app", "site", "shop");
        metrics.gauge(AgentMetric.NODE_ROLE, () -> 0, "node", "web-1", "tier", "proxy", "site", "shop");

        assertThat(metrics.scrape("text/plain"))
                .contains("retier_node_role{node=\"web-1\",site=\"shop\",tier=\"app\"} 1.0")
                .contains("retier_node_role{node=\"web-1\",site=\"shop\",tier=\"proxy\"} 0.0");
    }
}
