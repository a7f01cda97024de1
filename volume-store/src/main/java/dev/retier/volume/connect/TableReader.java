package dev.retier.volume.connect;

import dev.retier.link.LinkConfig;
import dev.retier.link.LinkHost;
import dev.retier.link.LinkKeeper;
import dev.retier.link.NodeId;
import dev.retier.link.OutgoingLink;
import dev.retier.link.SecretSource;
import dev.retier.link.Transport;
import dev.retier.link.auth.Handshake;
import dev.retier.link.auth.Right;
import dev.retier.volume.slots.SlotLink;
import dev.retier.volume.slots.TableLink;
import dev.retier.volume.slots.TablePlace;
import dev.retier.volume.table.TableGrant;
import dev.retier.volume.table.VolumeTable;
import dev.retier.volume.table.VolumeTable.Reading;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads what a server tells of its volumes, each time by one RDMA read of all of it. It costs the server nothing but a
 * connection. Thread-safe, for one reader at a time.
 */
public final class TableReader implements AutoCloseable {
    private static final Duration STALL = Duration.ofSeconds(2);
    /** A writer needs some microseconds, some times per second: who meets it thrice has met a broken one. */
    private static final int TRIES = 3;

    /** Read beyond those that there were, so that a new volume costs no second read. */
    private static final int SPARE_ROWS = 16;

    private final Host host;
    private final LinkKeeper<TableLink> keeper;
    private volatile int rows;

    /**
     * Where a server is.
     *
     * @param address where it listens
     * @param secrets what both prove
     * @param transport which provider of the verbs API to use
     */
    public record Server(InetSocketAddress address, SecretSource secrets, Transport transport) {}

    /** What came of a read. */
    public sealed interface Outcome {
        /** A table. */
        record Read(VolumeTable table) implements Outcome {}

        /** Nothing that could be used; why, for people. */
        record Unread(String why) implements Outcome {}
    }

    private TableReader(Server server) {
        this.host = new Host(server);
        this.keeper = new LinkKeeper<>(host, Optional.empty());
    }

    /**
     * Begins to connect; waits for nothing.
     *
     * @throws dev.retier.link.TransportException if the transport is not there; the message says what is missing
     */
    public static TableReader open(Server server) {
        server.transport.use();
        return new TableReader(server);
    }

    /** Reads it; waits no longer than that, and not at all for a connection. */
    public Outcome read(Duration patience) {
        long deadlineNanos = host.nowNanos() + patience.toNanos();
        for (int attempt = 0; attempt < TRIES; attempt++) {
            Optional<TableLink> link =
                    Optional.ofNullable(keeper.links().get(SlotLink.SERVER)).flatMap(OutgoingLink::session);
            if (link.isEmpty()) {
                return new Outcome.Unread("it is not connected");
            }
            Optional<Reading> reading = link.get().read(rows + SPARE_ROWS, deadlineNanos);
            if (reading.isEmpty()) {
                return new Outcome.Unread("it did not answer in time");
            }
            switch (reading.get()) {
                case Reading.Whole(VolumeTable table) -> {
                    rows = table.rows().size();
                    return new Outcome.Read(table);
                }
                case Reading.Longer(int more) -> rows = more;
                case Reading.Torn() -> {} // it is read once more
                case Reading.Malformed(String reason) -> {
                    return new Outcome.Unread(reason);
                }
            }
        }
        return new Outcome.Unread("it changed under each of " + TRIES + " reads");
    }

    /** Ends the connection. */
    @Override
    public void close() {
        keeper.close();
        host.close();
    }

    private static final class Host extends LinkHost<TableLink> {
        Host(Server server) {
            super(
                    new LinkConfig(
                            SlotLink.CLIENT,
                            Map.of(SlotLink.SERVER, server.address),
                            server.secrets,
                            STALL,
                            false,
                            ByteBuffer.allocate(Handshake.DIGEST_BYTES),
                            Optional.empty(),
                            LinkConfig.Pace.SYSTEM),
                    TableLink.SIZES,
                    List.of());
        }

        @Override
        protected String called(NodeId who) {
            return SlotLink.called(who);
        }

        @Override
        protected List<Right> rights() {
            return List.of(TablePlace.TABLES);
        }

        @Override
        protected boolean waitsItself() {
            return true;
        }

        @Override
        protected TableLink connected(Ready ready, ByteBuffer bytes) throws IOException {
            TableGrant grant =
                    TableGrant.parse(bytes).orElseThrow(() -> new IOException("it grants no table of volumes"));
            return new TableLink(ready, operations(ready.pair().device()), grant);
        }

        @Override
        protected Admission admit(Ready ready) throws IOException {
            throw new IOException("a reader admits nobody");
        }
    }
}
