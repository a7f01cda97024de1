package dev.retier.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.fabric.calls.RingLimits;
import dev.retier.link.NodeId;
import dev.retier.link.SecretSource;
import dev.retier.link.Transport;
import dev.retier.link.auth.ClusterSecret;
import dev.retier.link.auth.Secrets;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FabricConfigTest {
    private static final NodeId ONE = new NodeId(1);
    private static final InetSocketAddress HERE = new InetSocketAddress(InetAddress.getLoopbackAddress(), 7000);
    private static final RingLimits RINGS = new RingLimits(8192, 16, 1500);

    @Test
    void shouldListAllProblems_whenAConfigurationCannotBe() {
        InetSocketAddress nowhere = InetSocketAddress.createUnresolved("nowhere", 7000);
        Map<NodeId, InetSocketAddress> peers = new HashMap<>();
        for (int i = 2; i <= FabricConfig.MAX_NODES + 2; i++) {
            peers.put(new NodeId(i), HERE);
        }
        peers.put(new NodeId(2), nowhere);
        peers.put(new NodeId(3), new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));

        assertThatThrownBy(() -> config(nowhere, peers))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("fabric: ")
                .hasMessageContaining("peers must include this node, node-1")
                .hasMessageContaining("peers: 257 nodes are more than 256")
                .hasMessageContaining("peers: node-2 needs a host that resolves, and a port")
                .hasMessageContaining("peers: node-3 needs a host that resolves, and a port")
                .hasMessageContaining("listen: host nowhere does not resolve")
                .hasMessageNotContaining("node-4 needs");
    }

    @Test
    void shouldTakeIt_whenAsManyNodesAsMayBeAreThere() {
        Map<NodeId, InetSocketAddress> peers = new HashMap<>();
        for (int i = 1; i <= FabricConfig.MAX_NODES; i++) {
            peers.put(new NodeId(i), HERE);
        }
        assertThat(config(HERE, peers).peers()).hasSize(256);
    }

    @Test
    void shouldRefuseLimits_whenTheyAreOutOfRange() {
        Duration bound = Duration.ofMillis(100);
        assertThat(new FabricLimits(RINGS, 1, 1, 1, 1, bound).handlers()).isEqualTo(1);
        assertThat(new FabricLimits(RINGS, 1 << 20, 256, 4096, 32, bound).elements())
                .isEqualTo(32);
        refuses("waiting calls: 0", 0, 1, 1, 1);
        refuses("waiting calls: 1048577, must be 1 to 1048576", (1 << 20) + 1, 1, 1, 1);
        refuses("handlers: 0", 1, 0, 1, 1);
        refuses("handlers: 257", 1, 257, 1, 1);
        refuses("one-sided operations: 0", 1, 1, 0, 1);
        refuses("one-sided operations: 4097", 1, 1, 4097, 1);
        refuses("elements: 0", 1, 1, 1, 0);
        refuses("elements: 33", 1, 1, 1, 33);
        assertThatThrownBy(() -> new FabricLimits(RINGS, 1, 1, 1, 1, Duration.ofMillis(99)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("stall bound of 99 ms is below 100 ms");
        assertThat(FabricLimits.defaults().stallBound()).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void shouldGiveBackWhatWasPutIn_whenAGrantIsDecoded() throws IOException {
        RingGrant grant = new RingGrant(new RemotePlace(0x123456789ABCDEFL, -7), RINGS);

        assertThat(RingGrant.ring(ByteBuffer.wrap(grant.encode()), RINGS)).isEqualTo(grant.ring());
        assertThat(RemotePlace.parse(grant.ring().emit())).contains(grant.ring());
        assertThatThrownBy(() -> RingGrant.ring(ByteBuffer.allocate(31), RINGS))
                .isInstanceOf(IOException.class)
                .hasMessage("it grants 31 bytes");
    }

    private static FabricConfig config(InetSocketAddress listen, Map<NodeId, InetSocketAddress> peers) {
        return new FabricConfig(
                ONE,
                listen,
                peers,
                SecretSource.of(Secrets.only(ClusterSecret.of("the secret of a configuration"))),
                Transport.IWARP,
                FabricLimits.defaults(),
                true,
                Optional.empty());
    }

    private static void refuses(String problem, int waiting, int handlers, int oneSided, int elements) {
        Duration bound = Duration.ofSeconds(1);
        assertThatThrownBy(() -> new FabricLimits(RINGS, waiting, handlers, oneSided, elements, bound))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(problem);
    }
}
