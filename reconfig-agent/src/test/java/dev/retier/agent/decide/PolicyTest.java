package dev.retier.agent.decide;

import static dev.retier.agent.fixture.Clusters.APP;
import static dev.retier.agent.fixture.Clusters.PROXY;
import static dev.retier.agent.fixture.Clusters.node;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.config.DecisionRules;
import dev.retier.agent.config.Mode;
import dev.retier.agent.config.ServerKind;
import dev.retier.state.Role;
import dev.retier.state.Tier;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PolicyTest {
    private static final Policy POLICY = new Policy(
            Mode.ACT,
            DecisionRules.DEFAULTS,
            Duration.ZERO,
            Duration.ZERO,
            List.of(),
            Map.of(
                    node(1), new Policy.Machine("web-1", ServerKind.HTTPD),
                    node(2), new Policy.Machine("web-2", ServerKind.NGINX),
                    node(3), new Policy.Machine("web-3", ServerKind.HAPROXY),
                    node(4), new Policy.Machine("web-4", ServerKind.NGINX, Set.of(Tier.PROXY)),
                    node(5), new Policy.Machine("web-5", ServerKind.OTHER)),
            Duration.ofSeconds(39),
            Optional.empty());

    @Test
    void shouldMoveNoNodeToWorkThatItsServerCannotDo() {
        assertThat(POLICY.mayMove(node(1), APP)).isTrue();
        assertThat(POLICY.mayMove(node(2), APP)).isTrue();
        assertThat(POLICY.mayMove(node(3), APP)).isFalse();
        assertThat(POLICY.mayMove(node(2), PROXY)).isTrue();
        assertThat(POLICY.mayMove(node(4), APP)).as("it is to forward alone").isFalse();
        assertThat(POLICY.mayMove(node(4), PROXY)).isTrue();
        assertThat(POLICY.mayMove(node(4), Role.SPARE)).isTrue();
        assertThat(POLICY.mayMove(node(5), APP)).isTrue();
        assertThat(POLICY.mayMove(node(5), PROXY)).isFalse();
        assertThat(POLICY.mayMove(node(5), Role.SPARE)).isTrue();
    }

    @Test
    void shouldMoveOnlyTheNodesNamed_whenAnyAre() {
        Policy narrow = POLICY.movingOnly(Set.of(node(1)));
        assertThat(narrow.mayMove(node(1), PROXY)).isTrue();
        assertThat(narrow.mayMove(node(2), PROXY)).isFalse();
    }
}
