package dev.retier.state.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.link.NodeId;
import dev.retier.link.SecretSource;
import dev.retier.link.Transport;
import dev.retier.link.auth.ClusterSecret;
import dev.retier.link.auth.Handshake;
import dev.retier.link.auth.Secrets;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.SiteId;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SharedStateConfigTest {
    private static final NodeId ONE = new NodeId(1);
    private static final InetSocketAddress HERE = new InetSocketAddress(InetAddress.getLoopbackAddress(), 7101);
    private static final Map<NodeId, InetSocketAddress> PEERS = Map.of(ONE, HERE);
    private static final Times TIMES = new Times(Duration.ofSeconds(1), Duration.ofSeconds(5), Duration.ofMillis(100));

    @Test
    void shouldListAllProblems_whenSeveralThingsAreWrong() {
        InetSocketAddress nowhere = InetSocketAddress.createUnresolved("no.such.host", 7101);

        assertThatThrownBy(() -> config(
                        nowhere,
                        Map.of(
                                new NodeId(2),
                                nowhere,
                                new NodeId(3),
                                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)),
                        List.of(new NodeId(2), new NodeId(9)),
                        new Times(Duration.ofSeconds(1), Duration.ofMillis(500), Duration.ofMillis(100))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("peers must include this node, node-1")
                .hasMessageContaining("listen: host no.such.host does not resolve")
                .hasMessageContaining("no.such.host of node-2 does not resolve")
                .hasMessageContaining("node-3 needs a port")
                .hasMessageContaining("2 given, must be 1, 3 or 5")
                .hasMessageContaining("node-9 is not among the peers")
                .hasMessageContaining("lease of 500 ms");
    }

    @Test
    void shouldListEachProblem_whenTimesAndWitnessesAreWrong() {
        assertThatThrownBy(() ->
                        config(PEERS, List.of(ONE, ONE, ONE), new Times(Duration.ZERO, Duration.ZERO, Duration.ZERO)))
                .hasMessage("shared state: witnesses: a node is named twice; read deadline must be positive, not 0 ms; "
                        + "staleness bound must be positive, not 0 ms");
    }

    @Test
    void shouldTakeThatManyWitnessesOnly_whenAMajorityOfThemIsNeverHalf() {
        Map<NodeId, InetSocketAddress> seven = peers(7);
        List<NodeId> nodes = seven.keySet().stream().sorted().toList();

        for (int count : new int[] {1, 3, 5}) {
            assertThat(config(seven, nodes.subList(0, count), TIMES).witnesses())
                    .hasSize(count);
        }
        for (int count : new int[] {0, 2, 4, 6, 7}) {
            assertThatThrownBy(() -> config(seven, nodes.subList(0, count), TIMES))
                    .hasMessage("shared state: witnesses: " + count + " given, must be 1, 3 or 5");
        }
    }

    @Test
    void shouldTakeTheShortestLease_whenItIsSixReadDeadlines() {
        Duration deadline = Duration.ofMillis(100);
        Duration second = Duration.ofSeconds(1);

        assertThat(config(PEERS, List.of(ONE), new Times(second, deadline.multipliedBy(6), deadline))
                        .lease())
                .isEqualTo(Duration.ofMillis(600));
        assertThatThrownBy(() -> config(PEERS, List.of(ONE), new Times(second, Duration.ofMillis(599), deadline)))
                .hasMessageContaining("lease of 599 ms must be at least 6 read deadlines of 100 ms");
    }

    @Test
    void shouldTakeACellOf256_whenNoTwoHaveTheSameAddress() {
        assertThat(config(peers(SharedStateConfig.MAX_NODES), List.of(ONE), TIMES)
                        .peers())
                .hasSize(256);
        assertThatThrownBy(() -> config(peers(257), List.of(ONE), TIMES))
                .hasMessage("shared state: peers: 257 nodes are more than the 256 of a cell");
        assertThatThrownBy(() -> config(Map.of(ONE, HERE, new NodeId(2), HERE), List.of(ONE), TIMES))
                .hasMessage("shared state: peers: two nodes have the same address");
    }

    @Test
    void shouldHideTheSecret_whenPrinted() {
        assertThat(config(PEERS, List.of(ONE), TIMES).toString())
                .doesNotContain("unspoken")
                .contains("hidden");
    }

    private static Map<NodeId, InetSocketAddress> peers(int count) {
        return IntStream.rangeClosed(1, count)
                .boxed()
                .collect(Collectors.toMap(
                        NodeId::new, node -> new InetSocketAddress(InetAddress.getLoopbackAddress(), 7100 + node)));
    }

    private record Times(Duration stale, Duration lease, Duration deadline) {}

    private static SharedStateConfig config(Map<NodeId, InetSocketAddress> peers, List<NodeId> witnesses, Times times) {
        return config(HERE, peers, witnesses, times);
    }

    private static SharedStateConfig config(
            InetSocketAddress listen, Map<NodeId, InetSocketAddress> peers, List<NodeId> witnesses, Times times) {
        return new SharedStateConfig(
                ONE,
                listen,
                peers,
                witnesses,
                SecretSource.of(Secrets.only(ClusterSecret.of("an unspoken secret"))),
                Transport.IWARP,
                times.stale(),
                times.lease(),
                times.deadline(),
                RoleWord.active(0, 0, Role.SPARE),
                1,
                Set.of(new SiteId(1)),
                ByteBuffer.allocate(Handshake.DIGEST_BYTES),
                true,
                Optional.empty());
    }
}
