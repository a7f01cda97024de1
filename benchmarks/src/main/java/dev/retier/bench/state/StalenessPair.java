package dev.retier.bench.state;

import dev.retier.link.NodeId;
import dev.retier.link.SecretSource;
import dev.retier.link.Transport;
import dev.retier.link.auth.ClusterSecret;
import dev.retier.link.auth.Handshake;
import dev.retier.link.auth.Secrets;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.verbs.SharedStateConfig;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The cell of the two nodes, watcher (1) and watched (2). */
record StalenessPair(int watcherPort, int victimPort) {
    private static final ClusterSecret SECRET = ClusterSecret.of("the secret of the staleness benchmark");

    SharedStateConfig config(NodeId self) {
        Map<NodeId, InetSocketAddress> peers = Map.of(
                new NodeId(1),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), watcherPort),
                new NodeId(2),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), victimPort));
        InetSocketAddress listen = peers.get(self);
        if (listen == null) {
            throw new IllegalArgumentException("no " + self);
        }
        return new SharedStateConfig(
                self,
                listen,
                peers,
                List.of(new NodeId(1)),
                SecretSource.of(Secrets.only(SECRET)),
                Transport.IWARP,
                Duration.ofMinutes(1),
                Duration.ofSeconds(5),
                Duration.ofMillis(500),
                RoleWord.active(0, 0, Role.SPARE),
                1,
                Set.of(BenchCell.SITE),
                ByteBuffer.allocate(Handshake.DIGEST_BYTES),
                true,
                Optional.empty());
    }
}
