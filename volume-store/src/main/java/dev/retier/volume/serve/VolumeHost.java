package dev.retier.volume.serve;

import dev.retier.link.Connection;
import dev.retier.link.LinkConfig;
import dev.retier.link.LinkHost;
import dev.retier.link.auth.Handshake;
import dev.retier.link.auth.Right;
import dev.retier.volume.slots.SlotLink;
import dev.retier.volume.slots.TablePlace;
import dev.retier.volume.wire.Grant;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** Lets clients in, and gives each its slots. Thread-safe. */
final class VolumeHost extends LinkHost<Connection> {
    /** Each costs a queue pair and a key, and no slots. */
    private static final int MOST_READERS = 1024;

    private final ServerConfig config;
    private final UUID boot;
    private final UUID pool;
    private final Service service;
    private final TablePlace table;
    private final TableReaders readers = new TableReaders(MOST_READERS);
    private final Set<ServedClient> clients = ConcurrentHashMap.newKeySet();

    VolumeHost(ServerConfig config, UUID boot, UUID pool, Service service, TablePlace table) {
        super(links(config), shape(config).sizes(), List.of());
        this.config = config;
        this.boot = boot;
        this.pool = pool;
        this.service = service;
        this.table = table;
    }

    private static LinkConfig links(ServerConfig config) {
        return new LinkConfig(
                SlotLink.SERVER,
                Map.of(),
                config.secrets(),
                config.times().stall(),
                false,
                ByteBuffer.allocate(Handshake.DIGEST_BYTES),
                Optional.empty(),
                LinkConfig.Pace.SYSTEM);
    }

    @Override
    protected List<Right> rights() {
        return List.of(SlotLink.VOLUMES, TablePlace.TABLES);
    }

    @Override
    protected boolean admitsGuests() {
        return true;
    }

    @Override
    protected Connection connected(Ready ready, ByteBuffer grant) throws IOException {
        throw new IOException("a volume server connects to nobody");
    }

    private Admission reader(Ready ready) throws IOException {
        Connection reader = readers.enter();
        try {
            return new Admission(table.grant(ready).encode(), reader);
        } catch (IOException failed) {
            reader.abort("it cannot be granted the table");
            throw failed;
        }
    }

    @Override
    protected Admission admit(Ready ready) throws IOException {
        if (ready.terms().right().equals(TablePlace.TABLES)) {
            return reader(ready);
        }
        if (clients.size() >= config.limits().clients()) {
            throw new IOException(clients.size() + " clients are connected already: raise clients, or end one");
        }
        SlotLink link = slots(ready);
        ServedClient client = new ServedClient(ready.peer().incarnation(), link, service, clients::remove);
        clients.add(client);
        SlotLink.Shape shape = link.shape();
        Grant grant = new Grant(boot, pool, shape.count(), shape.bytes(), link.address(), link.key());
        return new Admission(grant.encode(), client);
    }

    /** A client for which there is no memory is refused, and nobody else notices. */
    private SlotLink slots(Ready ready) throws IOException {
        try {
            return new SlotLink(ready, shape(config), config.times().stall());
        } catch (OutOfMemoryError none) {
            throw new IOException(
                    "there is no memory for its slots (" + none.getMessage()
                            + "): lower clients, credits or staging-slot, or give Java more",
                    none);
        }
    }

    int clients() {
        return clients.size();
    }

    private static SlotLink.Shape shape(ServerConfig config) {
        return new SlotLink.Shape(config.limits().slots(), config.limits().slotBytes());
    }
}
