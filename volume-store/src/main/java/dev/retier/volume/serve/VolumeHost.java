package dev.retier.volume.serve;

import dev.retier.link.Connection;
import dev.retier.link.LinkConfig;
import dev.retier.link.LinkHost;
import dev.retier.link.auth.Handshake;
import dev.retier.link.auth.Right;
import dev.retier.volume.slots.SlotLink;
import dev.retier.volume.wire.Grant;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Lets clients in, and gives each its slots. Thread-safe. */
final class VolumeHost extends LinkHost<Connection> {
    private final ServerConfig config;
    private final VolumeServer.Identity server;
    private final Service service;
    private final Set<ServedClient> clients = ConcurrentHashMap.newKeySet();

    VolumeHost(ServerConfig config, VolumeServer.Identity server, Service service) {
        super(links(config), config.limits().shape().sizes(), List.of());
        this.config = config;
        this.server = server;
        this.service = service;
    }

    private static LinkConfig links(ServerConfig config) {
        return new LinkConfig(
                SlotLink.SERVER,
                Map.of(),
                config.secrets(),
                config.times().stall(),
                false,
                ByteBuffer.allocate(Handshake.DIGEST_BYTES),
                LinkConfig.Pace.SYSTEM);
    }

    @Override
    protected List<Right> rights() {
        return List.of(SlotLink.VOLUMES);
    }

    @Override
    protected boolean admitsGuests() {
        return true;
    }

    @Override
    protected Connection connected(Ready ready, ByteBuffer grant) throws IOException {
        throw new IOException("a volume server connects to nobody");
    }

    @Override
    protected Admission admit(Ready ready) throws IOException {
        if (clients.size() >= config.limits().clients()) {
            throw new IOException(clients.size() + " clients are connected already: raise clients, or end one");
        }
        SlotLink link =
                new SlotLink(ready, config.limits().shape(), config.times().stall());
        ServedClient client = new ServedClient(ready.peer().node().value(), link, service, clients::remove);
        clients.add(client);
        SlotLink.Shape shape = link.shape();
        Grant grant = new Grant(server.life(), server.boot(), shape.count(), shape.bytes(), link.address(), link.key());
        return new Admission(grant.encode(), client);
    }

    int clients() {
        return clients.size();
    }
}
