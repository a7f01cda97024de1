package dev.retier.state.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.link.NodeId;
import dev.retier.link.Transport;
import dev.retier.link.auth.ClusterSecret;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.SiteId;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SharedStateConfigTest {
    private static final InetSocketAddress HERE = new InetSocketAddress(InetAddress.getLoopbackAddress(), 7101);

    @Test
    void shouldListAllProblems_whenSeveralThingsAreWrong() {
        InetSocketAddress nowhere = InetSocketAddress.createUnresolved("no.such.host", 7101);

        assertThatThrownBy(() -> config(
                        Map.of(
                                new NodeId(2),
                                nowhere,
                                new NodeId(3),
                                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)),
                        List.of(new NodeId(2), new NodeId(9)),
                        Duration.ofMillis(500)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("peers must include this node, node-1")
                .hasMessageContaining("no.such.host of node-2 does not resolve")
                .hasMessageContaining("node-3 needs a port")
                .hasMessageContaining("2 given, must be 1, 3 or 5")
                .hasMessageContaining("node-9 is not among the peers")
                .hasMessageContaining("lease of 500 ms");
    }

    @Test
    void shouldHideTheSecret_whenPrinted() {
        SharedStateConfig config = config(Map.of(new NodeId(1), HERE), List.of(new NodeId(1)), Duration.ofSeconds(5));

        assertThat(config.toString()).doesNotContain("unspoken").contains("hidden");
    }

    private static SharedStateConfig config(
            Map<NodeId, InetSocketAddress> peers, List<NodeId> witnesses, Duration lease) {
        return new SharedStateConfig(
                new NodeId(1),
                HERE,
                peers,
                witnesses,
                ClusterSecret.of("an unspoken secret"),
                Transport.IWARP,
                Duration.ofSeconds(1),
                lease,
                Duration.ofMillis(100),
                RoleWord.active(0, 0, Role.SPARE),
                Set.of(new SiteId(1)),
                true);
    }
}
