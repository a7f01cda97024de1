package dev.retier.link;

import dev.retier.link.auth.Handshake;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * What the links of one node have to know.
 *
 * @param self this node
 * @param peers where each node listens, as seen from here, at first; {@link LinkKeeper#peers(Map)} changes them
 * @param secrets what this node proves and accepts
 * @param stallBound an operation that has not ended for so long ends its connection
 * @param formerHandshake whether version 2 of the handshake is spoken, too
 * @param digest of this node's configuration, told to each peer, at first; {@value Handshake#DIGEST_BYTES} bytes;
 *     {@link LinkKeeper#digest} changes it
 * @param tls under all connections; none to have none, on a trusted network only
 * @param pace how time goes by
 */
public record LinkConfig(
        NodeId self,
        Map<NodeId, InetSocketAddress> peers,
        SecretSource secrets,
        Duration stallBound,
        boolean formerHandshake,
        ByteBuffer digest,
        Optional<LinkTls> tls,
        Pace pace) {
    /** Copies the map. */
    public LinkConfig {
        peers = Map.copyOf(peers);
    }

    /**
     * How time goes by.
     *
     * @param nanos a monotonic clock
     * @param byHand whether there are no threads, and {@link LinkKeeper#step} does everything
     */
    public record Pace(LongSupplier nanos, boolean byHand) {
        /** The machine's clock, and threads. */
        public static final Pace SYSTEM = new Pace(System::nanoTime, false);

        /** For tests: time is what {@code nanos} says, and nothing happens by itself. */
        public static Pace byHand(LongSupplier nanos) {
            return new Pace(nanos, true);
        }
    }
}
