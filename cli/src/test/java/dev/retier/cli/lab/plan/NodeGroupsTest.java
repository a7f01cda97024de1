package dev.retier.cli.lab.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.cli.lab.plan.NodeGroups.Limit;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class NodeGroupsTest {
    private static final Duration PERIOD = Duration.ofMillis(20);

    private static final Duration AGENT_PERIOD = Duration.ofMillis(100);

    private static LabSettings settings(Placement placement, int percent) {
        return new LabSettings(
                7,
                0,
                0,
                2,
                1,
                LabFilesTest.ONE,
                percent,
                PERIOD,
                Duration.ofMillis(2),
                4096,
                "act",
                placement,
                Duration.ofMillis(200),
                Duration.ofMillis(700));
    }

    private static NodeGroups groups(Placement placement) {
        return NodeGroups.of(LabHost.node(3), settings(placement, 10));
    }

    @Test
    void shouldGiveAllToTheServer_whenTheAgentIsOutside() {
        assertThat(groups(Placement.OUTSIDE).server()).isEqualTo("node-3");
        assertThat(groups(Placement.OUTSIDE).names()).containsExactly("node-3");
        assertThat(groups(Placement.OUTSIDE).ofServer()).containsExactly(new Limit("node-3", 10, 0, PERIOD));
    }

    /** Both together have what the node has; bursts are no more than quotas, or kernels refuse them. */
    @Test
    void shouldShareTheNode_whenTheAgentIsInside() {
        NodeGroups groups = groups(Placement.INSIDE);
        assertThat(groups.ofServer()).containsExactly(new Limit("node-3/server", 7, 0, PERIOD));
        assertThat(groups.ofAgent())
                .containsExactly(new Limit("node-3", 10, 10, PERIOD), new Limit("node-3/agent", 3, 3, AGENT_PERIOD));
        assertThat(groups(Placement.SIDECAR)).isEqualTo(groups);
    }

    @Test
    void shouldRefuseANodeThatLeavesItsServerNothing() {
        assertThat(settings(Placement.INSIDE, 3).problems()).containsExactly("--quota 3: use 4 to 100");
        assertThat(settings(Placement.INSIDE, 4).problems()).isEmpty();
        assertThat(settings(Placement.OUTSIDE, 1).problems()).isEmpty();
    }
}
