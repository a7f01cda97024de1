package dev.retier.bench.state;

import dev.retier.bench.CarrierOption;
import dev.retier.fabric.Fabric;
import dev.retier.fabric.FabricConfig;
import dev.retier.fabric.FabricLimits;
import dev.retier.fabric.MemoryAccess;
import dev.retier.fabric.PeerLink;
import dev.retier.fabric.RemotePlace;
import dev.retier.fabric.calls.CallOutcome;
import dev.retier.fabric.directory.Permissions;
import dev.retier.fabric.directory.RegionName;
import dev.retier.fabric.directory.RegionSpec;
import dev.retier.fabric.regions.Region;
import dev.retier.fabric.regions.Regions;
import dev.retier.fabric.regions.RegionsConfig;
import dev.retier.link.NodeId;
import dev.retier.link.ReservedPorts;
import dev.retier.link.SecretSource;
import dev.retier.link.Transport;
import dev.retier.link.auth.ClusterSecret;
import dev.retier.link.auth.Secrets;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Two nodes in this process: one holds memory, with names and without, the other writes into it. */
final class RegionPair implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final NodeId HOLDER = new NodeId(1);
    private static final NodeId WRITER = new NodeId(2);
    private static final int RAW = 60;

    private final ReservedPorts ports = new ReservedPorts(2);
    private final Fabric holder;
    private final Fabric writer;
    private final Regions held;
    private final Regions named;

    RegionPair(CarrierOption carrier) {
        Map<NodeId, InetSocketAddress> addresses =
                Map.of(HOLDER, carrier.address(ports, 0), WRITER, carrier.address(ports, 1));
        holder = open(HOLDER, addresses, carrier.transport());
        writer = open(WRITER, addresses, carrier.transport());
        RegionsConfig config = RegionsConfig.defaults();
        held = Regions.open(holder, config);
        named = Regions.open(writer, config);
        holder.register(RAW, request -> {
            MemorySegment memory =
                    Arena.ofAuto().allocate(ByteBuffer.wrap(request.body()).getLong(), Long.BYTES);
            try {
                RemotePlace place = request.caller()
                        .register(memory, Set.of(MemoryAccess.REMOTE_WRITE))
                        .place();
                return ByteBuffer.allocate(Long.BYTES + Integer.BYTES)
                        .putLong(place.address())
                        .putInt(place.key())
                        .array();
            } catch (IOException full) {
                throw new UncheckedIOException(full);
            }
        });
    }

    private static Fabric open(NodeId self, Map<NodeId, InetSocketAddress> addresses, Transport transport) {
        InetSocketAddress listen = addresses.get(self);
        if (listen == null) {
            throw new IllegalArgumentException(self + " has no address");
        }
        ClusterSecret secret = ClusterSecret.of("the secret of the regions' benchmark");
        return Fabric.open(new FabricConfig(
                self,
                listen,
                addresses,
                SecretSource.of(Secrets.only(secret)),
                transport,
                FabricLimits.defaults(),
                true,
                Optional.empty()));
    }

    /** A region on the other node, which is made; the call waits until the nodes have found each other. */
    Region region(String name, long lengthBytes) {
        return named.create(new RegionName(name), RegionSpec.on(HOLDER, lengthBytes, Permissions.ALL), PATIENCE);
    }

    /** The writer's connection. */
    PeerLink link() {
        return writer.link(HOLDER).orElseThrow(() -> new IllegalStateException("the nodes are not connected"));
    }

    /** Memory of the other node that has a key and no name. */
    RemotePlace raw(long lengthBytes) throws InterruptedException {
        byte[] body = ByteBuffer.allocate(Long.BYTES).putLong(lengthBytes).array();
        CallOutcome outcome = writer.call(HOLDER, RAW, body, PATIENCE).await();
        if (outcome instanceof CallOutcome.Answered(byte[] answer)) {
            ByteBuffer place = ByteBuffer.wrap(answer);
            return new RemotePlace(place.getLong(), place.getInt());
        }
        throw new IllegalStateException("no memory: " + outcome);
    }

    @Override
    public void close() {
        named.close();
        held.close();
        writer.close();
        holder.close();
        ports.close();
    }
}
