package dev.retier.volume.connect;

import dev.retier.link.LinkConfig;
import dev.retier.link.LinkHost;
import dev.retier.link.NodeId;
import dev.retier.link.auth.Handshake;
import dev.retier.link.auth.Right;
import dev.retier.volume.config.Limits;
import dev.retier.volume.slots.SlotLink;
import dev.retier.volume.wire.Grant;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Connects a client to its server. Thread-safe. */
final class ClientHost extends LinkHost<ServerLink> {
    private final VolumeClient client;
    private final ClientConfig config;
    private final SamePool pool = new SamePool();

    ClientHost(ClientConfig config, VolumeClient client) {
        super(links(config), new SlotLink.Shape(Limits.MOST_SLOTS, 0).sizes(ServerLink.MOST_PIECES), List.of());
        this.config = config;
        this.client = client;
    }

    private static LinkConfig links(ClientConfig config) {
        return new LinkConfig(
                SlotLink.CLIENT,
                Map.of(SlotLink.SERVER, config.server()),
                config.secrets(),
                config.stall(),
                false,
                ByteBuffer.allocate(Handshake.DIGEST_BYTES),
                Optional.empty(),
                LinkConfig.Pace.SYSTEM);
    }

    @Override
    protected String called(NodeId who) {
        return SlotLink.called(who);
    }

    @Override
    protected List<Right> rights() {
        return List.of(SlotLink.VOLUMES);
    }

    @Override
    protected ServerLink connected(Ready ready, ByteBuffer bytes) throws IOException {
        Grant grant = Grant.parse(bytes).orElseThrow(() -> new IOException("it grants what no volume server does"));
        if (grant.slots() > Limits.MOST_SLOTS) {
            throw new IOException("it grants " + grant.slots() + " slots, more than " + Limits.MOST_SLOTS);
        }
        pool.require(config.server(), grant.pool());
        SlotLink.Shape shape = new SlotLink.Shape(grant.slots(), grant.slotBytes());
        return client.connected(new SlotLink(ready, shape, config.stall()), grant);
    }

    @Override
    protected Admission admit(Ready ready) throws IOException {
        throw new IOException("a client admits nobody");
    }
}
